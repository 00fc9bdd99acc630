import { isByUser, originOf } from '../../core/provenance.ts'
import type { EarlierCall, Leaving, ReadyTool } from '../../core/tool.ts'
import type { ActorCall } from '../calls/actor-call.ts'
import { requireApproval } from '../approvals/approvals.ts'
import { jobPath, type CallSite } from '../calls/call-site.ts'
import { earlierCalls } from './earlier-calls.ts'
import { ownIds } from './own-ids.ts'
import { ownWords } from './own-words.ts'
import { weighed } from './vouching.ts'

/** Parts that the reason names; the payload shows all. */
const NAMED = 4
const LONGEST_NAMED = 80

/**
 * A read can carry data out as well as a mail can (SPEC B6). Once a job has seen anything but the user's own words, what
 * it tells a place outside must be those words; anything else waits for a person who has seen what leaves, to where, and
 * whence it came. The one place where this is decided; no agent can go round it.
 * @throws TuttiError `ApprovalDenied`, `ApprovalTimedOut` or `ApprovalExpired`
 */
export async function requireLeave<P, O>(
  site: CallSite,
  tool: ReadyTool<P, O>,
  input: P,
  payload: unknown,
): Promise<void> {
  const { call } = site
  if (isByUser(call.provenance) || tool.reach === 'inside') return
  const earlier = earlierCalls(call)
  const leaving = leavingOf(tool, input, earlier)
  if (leaving === undefined) return
  const texts = ownWords(call)
  const ids = leaving.takesIds === true ? ownIds(call) : []
  const { told, bits } = toldBefore(tool, leaving, earlier, { texts, ids })
  const { stray } = weighed(leaving, { texts, values: new Set([...told, ...ids]) }, bits)
  if (stray.length === 0) return
  const secrets = secretsIn(input, tool.secretFields)
  const reason = reasonOf(
    stray.map((part) => (secrets.has(part) ? '***' : part)),
    leaving,
    call,
  )
  await requireApproval(site, { path: jobPath(site, tool.name, input), tool: tool.name, payload, reason })
}

function leavingOf<P, O>(
  { name, reach }: ReadyTool<P, O>,
  input: P,
  earlier: readonly EarlierCall[],
): Leaving | undefined {
  return typeof reach === 'function' ? reach(input, earlier) : { to: `the tool "${name}"`, parts: input }
}

interface Own {
  readonly texts: readonly string[]
  readonly ids: readonly string[]
}

/**
 * What the same place was told by this job before: telling it again tells it nothing new. And how much was said by the
 * choice of words then; a call that held other words was agreed to by a person, so it does not count.
 */
function toldBefore<P, O>(
  tool: ReadyTool<P, O>,
  { to }: Leaving,
  earlier: readonly EarlierCall[],
  { texts, ids }: Own,
): { readonly told: readonly string[]; readonly bits: number } {
  const told: string[] = []
  let bits = 0
  for (const [i, one] of earlier.entries()) {
    if (one.tool !== tool.name) continue
    const left = leavingOf(tool, one.input as P, earlier.slice(0, i))
    if (left?.to !== to) continue
    const call = weighed(left, { texts, values: new Set([...told, ...ids]) }, bits)
    if (call.stray.length === 0) bits += call.bits
    told.push(...textsIn(left.parts))
  }
  return { told, bits }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(textsIn)
}

function secretsIn(input: unknown, secretFields: readonly string[] = []): ReadonlySet<string> {
  if (typeof input !== 'object' || input === null) return new Set()
  return new Set(Object.entries(input).flatMap(([name, value]) => (secretFields.includes(name) ? textsIn(value) : [])))
}

function reasonOf(stray: readonly string[], { to }: Leaving, { provenance }: ActorCall): string {
  const named = stray.slice(0, NAMED).map((part) => `“${shortened(part)}”`)
  const more = stray.length > NAMED ? ` and ${stray.length - NAMED} more` : ''
  return `This call would carry ${named.join(', ')}${more} to ${to}. These are not your own words, and ${originOf(provenance)}.`
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > LONGEST_NAMED ? `${line.slice(0, LONGEST_NAMED)}…` : line
}
