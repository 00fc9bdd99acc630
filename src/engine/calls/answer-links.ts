import type { EventBody } from '../../domain/events.ts'
import { removeUnknownLinks } from '../../shared/links/remove-unknown-links.ts'
import { KnownUrls } from '../../shared/links/urls.ts'
import { BY_USER, type Provenance } from '../../domain/provenance.ts'
import type { Result, Source } from '../../domain/result.ts'
import type { RunState } from '../../domain/state.ts'
import { userMessages } from '../egress/user-words.ts'
import type { ActorCall } from './actor-call.ts'
import { selectsAsStored } from '../log/stored-text.ts'

/**
 * Returns a predicate for addresses that the run met: in the user's words, in results of tools, or in sources of
 * earlier jobs. Answers are sanitized: any other address may come from a model that followed injected instructions and
 * encoded data in it; a client that shows the answer would load it. Known addresses are collected on the first call.
 * Undefined for a job that has only seen the user's words: nobody else could give it instructions.
 */
export function addressesOf(state: RunState, provenance: Provenance = BY_USER): ((url: string) => boolean) | undefined {
  if (provenance.author === 'user') return undefined
  let known: KnownUrls | undefined
  return (url) => (known ??= knownAt(state)).has(url)
}

/**
 * Addresses that the run has met. An address that a model wrote itself, into a task or the input of a call, or that a
 * program built, does not become known because a tool repeats it. Addresses that the run knew before stay known.
 */
function knownAt(state: RunState): KnownUrls {
  const { request, recollection, calls, jobs } = state
  const known = new KnownUrls()
    .add([request.question, request.context, request.systemPrompt])
    .add(recollection?.recent.map(({ text }) => text))
    .add(userMessages(state))
  const computed = recollection?.results?.filter(({ source }) => source === undefined || !isStored(source))
  const written = new KnownUrls().add(
    computed?.map(({ table }) => table?.rows),
    known,
  )
  for (const [key, { task, result }] of jobs) {
    written.add([task?.text, task?.entities], known)
    for (const { kind, input, output } of calls.get(key)?.values() ?? []) {
      if (kind !== 'tool') continue
      written.add(input, known)
      if (returnsAsStored(input)) known.add(output, written)
      else written.add(output, known)
    }
    if (result !== undefined) addResult(known, result, written)
  }
  return known
}

/** False for the output of a model's own program, and for queries that compute texts. */
function returnsAsStored(input: unknown): boolean {
  const { code, sql } = (input ?? {}) as { readonly code?: unknown; readonly sql?: unknown }
  return typeof code !== 'string' && !(typeof sql === 'string' && !selectsAsStored(sql))
}

/** Its answer was cleaned when it was written down. */
function addResult(known: KnownUrls, { answer, sources = [], tabular }: Result, written: KnownUrls): void {
  known.add(answer).add(
    sources.map(({ name, url }) => [name, url]),
    written,
  )
  if (sources.length > 0 && sources.every(isStored)) known.add(tabular?.rows, written)
}

function isStored({ kind, detail = '' }: Source): boolean {
  return kind !== 'computation' && (kind !== 'database' || selectsAsStored(detail))
}

/**
 * The events that settle a job: its emitted events, unless it failed, and its result. Links to addresses unknown to the
 * run are removed, and a note reports them.
 */
export function withoutUnknownLinks(
  state: RunState,
  { job: { key }, actor, emitted, provenance }: Pick<ActorCall, 'job' | 'actor' | 'emitted' | 'provenance'>,
  result: Result,
): readonly EventBody[] {
  const isKnown = addressesOf(state, provenance)
  const removed: string[] = []
  const clean = (text: string): string => {
    if (isKnown === undefined) return text
    const cleaned = removeUnknownLinks(text, isKnown)
    for (const url of cleaned.removed) removed.push(hostOf(url))
    return cleaned.text
  }
  const answer = typeof result.answer === 'string' ? clean(result.answer) : result.answer
  const cleaned = answer === result.answer ? result : { ...result, answer: answer! }
  const valid = result.status === 'failed' ? [] : emitted
  const events = valid.map((event) => {
    if (event.type !== 'answer.composed') return event
    const before = removed.length
    const cleanedAnswer = { ...event, answer: clean(event.answer) }
    const hosts = [...new Set(removed.slice(before))].join(', ')
    if (hosts === '') return cleanedAnswer
    const remark = `Links were removed, because their addresses are in no source: ${hosts}.`
    return { ...cleanedAnswer, notes: [...(event.notes ?? []), remark] }
  })
  const settled = { type: 'job.settled', key, result: cleaned } as const
  if (removed.length === 0) return [...events, settled]
  const message = 'Links that are in no source of this run were removed'
  const data = { hosts: [...new Set(removed)] }
  return [{ type: 'note', key, actor: actor.name, kind: 'DECISION', message, data }, ...events, settled]
}

/** The host only: the rest of the address may contain data that must not leak. */
function hostOf(url: string): string {
  const absolute = /^[/\\]{2}/.test(url) ? `https:${url}` : /^[a-z][\w+.-]*:/i.test(url) ? url : `https://${url}`
  return URL.canParse(absolute) ? new URL(absolute).hostname || new URL(absolute).protocol : 'an address'
}
