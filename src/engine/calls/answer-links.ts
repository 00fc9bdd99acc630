import type { EventBody } from '../../core/events.ts'
import { withoutForeignLinks } from '../../core/links/clean.ts'
import { KnownUrls } from '../../core/links/urls.ts'
import type { Result } from '../../core/result.ts'
import type { CallRecord, RunState } from '../../core/state.ts'
import type { ActorCall } from './actor-call.ts'
import { selectsAsStored } from '../log/stored-text.ts'

/**
 * Tells of an address whether the run met it: in the user's words, the results of tools or the sources of the jobs before. A
 * model that obeys somebody else could put what it knows into an address of its own, which whoever shows the answer loads.
 * Nothing is looked through before the first address is asked for.
 * @param key the job whose own calls count, too
 */
export function addressesOf(state: RunState, key: string): (url: string) => boolean {
  let known: KnownUrls | undefined
  return (url) => (known ??= knownAt(state, key)).has(url)
}

function knownAt(state: RunState, key: string): KnownUrls {
  const { request, recollection, approvals, calls, jobs } = state
  const known = new KnownUrls()
    .add([request.question, request.context, request.systemPrompt])
    .add(recollection?.recent.map(({ text }) => text))
    .add([...approvals.values()].map(({ instructions }) => instructions))
  for (const call of calls.get(key)?.values() ?? []) if (isFromOutside(call)) known.add(call.output)
  for (const { result } of jobs.values()) if (result !== undefined) addResult(known, result)
  return known
}

/** Not what a model's own program printed. */
function isFromOutside({ kind, input, output }: CallRecord): boolean {
  if (kind !== 'tool' || output === undefined) return false
  const { code, sql } = (input ?? {}) as { readonly code?: unknown; readonly sql?: unknown }
  return typeof code !== 'string' && !(typeof sql === 'string' && !selectsAsStored(sql))
}

/** Its answer was cleaned when it was written down. */
function addResult(known: KnownUrls, { answer, sources = [], tabular }: Result): void {
  known.add(answer).add(sources.map(({ name, url }) => [name, url]))
  const isRead = sources.every(({ kind, detail = '' }) => {
    return kind !== 'computation' && (kind !== 'database' || selectsAsStored(detail))
  })
  if (isRead && sources.length > 0) known.add(tabular?.rows)
}

/**
 * The events that settle a job: what it emits, unless it failed, and its result; without links to places that the run knows
 * nothing of, and with a note where some were taken out.
 */
export function withoutUnknownLinks(
  state: RunState,
  { job: { key }, actor, emitted }: Pick<ActorCall, 'job' | 'actor' | 'emitted'>,
  result: Result,
): readonly EventBody[] {
  const isKnown = addressesOf(state, key)
  const removed: string[] = []
  const clean = (text: string): string => {
    const cleaned = withoutForeignLinks(text, isKnown)
    for (const url of cleaned.removed) removed.push(hostOf(url))
    return cleaned.text
  }
  const answer = typeof result.answer === 'string' ? clean(result.answer) : result.answer
  const cleaned = answer === result.answer ? result : { ...result, answer: answer! }
  const kept = result.status === 'failed' ? [] : emitted
  const events = kept.map((event) =>
    event.type === 'answer.composed' ? { ...event, answer: clean(event.answer) } : event,
  )
  const settled = { type: 'job.settled', key, result: cleaned } as const
  if (removed.length === 0) return [...events, settled]
  const message = 'Links that stand in no source of this run were taken out'
  const data = { hosts: [...new Set(removed)] }
  return [{ type: 'note', key, actor: actor.name, kind: 'DECISION', message, data }, ...events, settled]
}

/** All that is told of it; the rest may be what was to be kept from going out. */
function hostOf(url: string): string {
  const whole = /^[/\\]{2}/.test(url) ? `https:${url}` : /^[a-z][\w+.-]*:/i.test(url) ? url : `https://${url}`
  return URL.canParse(whole) ? new URL(whole).hostname || new URL(whole).protocol : 'an address'
}
