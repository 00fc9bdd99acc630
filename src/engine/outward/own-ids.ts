import { inputJobs } from '../../core/attempts.ts'
import type { Provenance } from '../../core/provenance.ts'
import type { ActorCall } from '../calls/actor-call.ts'

/** A number, a UUID, or a code such as `ORD-2026-915`: too little for a message in words. */
const ID = /^(?:\p{L}{1,5}[-_/ ]?)?\d{1,12}(?:[-/]\d{1,8}){0,2}$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu
const MOST_DIGITS = 12

/**
 * Ids that stand as they are in a table of the operator's own data which this job was given. None once the job has seen
 * anything from outside: then a stranger's text may have chosen among them.
 */
export function ownIds(call: ActorCall): readonly string[] {
  if (call.provenance.author !== 'own') return []
  const { host, job } = call
  return inputJobs(job, host.state).flatMap(({ result }) => {
    if (result?.tabular === undefined || !isOwn(result.provenance)) return []
    return result.tabular.rows.flatMap((row) => Object.values(row).flatMap((cell) => idIn(cell) ?? []))
  })
}

function isOwn({ author }: Provenance): boolean {
  return author !== 'outside'
}

function idIn(cell: unknown): string | undefined {
  if (typeof cell !== 'string' && typeof cell !== 'number') return undefined
  const text = String(cell)
  const isUuid = text.length === 36
  return ID.test(text) && (isUuid || text.replaceAll(/\D/g, '').length <= MOST_DIGITS) ? text : undefined
}
