import type { Attached } from '../core/request.ts'
import type { RunState } from '../core/state.ts'
import { createSecrets } from '../core/secrets.ts'
import type { CaseInput } from './cases.ts'

/** Given by the run itself, and another at every time. */
const OF_THE_CLOCK = new Set(['current_datetime_utc', 'current_date_start_hour', 'current_date_end_hour'])

type Expected = NonNullable<CaseInput['expect']>

/**
 * A run as a case: its question after those of its conversation that the run was told of, its sources, the day that it took
 * for today. What is secret in them is masked.
 */
export function caseOfRun(state: RunState, expect: Expected): CaseInput {
  const { runId, request, recollection } = state
  const earlier = (recollection?.recent ?? []).flatMap(({ role, text }) =>
    role === 'user' ? [{ question: text }] : [],
  )
  const context = Object.fromEntries(Object.entries(request.context).filter(([key]) => !OF_THE_CLOCK.has(key)))
  const of = (kind: Attached['kind']): string[] =>
    (request.attached ?? []).flatMap((one) => {
      if (one.kind !== kind) return []
      return [one.name === undefined ? one.address : `${one.name}=${one.address}`]
    })
  const sources = { db: of('database'), api: of('api'), docs: of('documents') }
  const asked =
    earlier.length === 0
      ? { question: request.question, expect }
      : { turns: [...earlier, { question: request.question, expect }] }
  const one: CaseInput = {
    id: runId.slice(0, 8),
    set: 'runs',
    ...asked,
    ...Object.fromEntries(Object.entries(sources).filter(([, addresses]) => addresses.length > 0)),
    context,
    ...(request.strategy === 'pipeline' ? {} : { strategy: request.strategy }),
  }
  return createSecrets().value(one)
}
