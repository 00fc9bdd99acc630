import { TuttiError, type ErrorCode } from '../domain/errors.ts'
import type { RunRecord } from '../domain/store.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import type { App } from '../app/user-app.ts'

type Runs = Pick<OwnedRuns, 'run' | 'runs'>

/**
 * Whether a typed text matches an ID: as its beginning or, for an ID with several parts, as the beginnings of its
 * parts. The ID of a nested run is the parent's ID, a dot and a part of its own; the ID of an approval is the run's ID
 * and one more part.
 */
export function matchesId(id: string, text: string): boolean {
  const typed = text.trim().toLowerCase()
  const parts = id.toLowerCase().split('.')
  return typed !== '' && typed.split('.').every((part, place) => parts[place]?.startsWith(part) === true)
}

/** Whether a run is another one, or nested in it. */
export function isWithin(runId: string, outer: string): boolean {
  return runId === outer || runId.startsWith(`${outer}.`)
}

/** The run that one is nested in, or itself. */
export async function outermostOf(runs: Runs, run: RunRecord): Promise<RunRecord> {
  const parent = run.parentId === undefined ? undefined : await runs.run(run.parentId)
  return parent === undefined ? run : outermostOf(runs, parent)
}

/**
 * The only one of the things that match a typed text.
 * @param what names one, with the command that lists all
 * @throws TuttiError `InvalidRequest`, or the given code if nothing matches
 */
export function onlyMatch<T>(
  matches: readonly T[],
  text: string,
  what: { readonly name: string; readonly list?: string; readonly idOf: (one: T) => string; readonly code?: ErrorCode },
): T {
  const [only] = matches
  if (only === undefined) {
    const list = what.list === undefined ? '' : ` List them with: ${what.list}`
    throw new TuttiError(what.code ?? 'InvalidRequest', `There is no ${what.name} "${text}".${list}`)
  }
  if (matches.length === 1) return only
  const ids = matches.slice(0, 5).map(what.idOf).join(', ')
  throw new TuttiError('InvalidRequest', `${matches.length} ${what.name}s match "${text}"; name one by its id: ${ids}.`)
}

/** Finds one of the things by its ID or the beginning of it. @throws TuttiError as `onlyMatch` */
export function findById<T>(all: readonly T[], text: string, what: Parameters<typeof onlyMatch<T>>[2]): T {
  const id = text.trim()
  const exact = all.find((one) => what.idOf(one) === id)
  if (exact !== undefined) return exact
  return onlyMatch(id === '' ? [] : all.filter((one) => matchesId(what.idOf(one), id)), text, what)
}

/**
 * Finds a run by its id or the beginning of it.
 * @throws TuttiError `RunNotFound`, or `InvalidRequest` when several begin so
 */
export async function findRun(runs: Runs, text: string): Promise<RunRecord> {
  const id = text.trim()
  const exact = id === '' ? undefined : await runs.run(id)
  if (exact !== undefined) return exact
  const all = id === '' ? [] : (await runs.runs()).filter((run) => matchesId(run.runId, id))
  // A nested run's id begins with that of its parent.
  const ids = new Set(all.map(({ runId }) => runId))
  const matches = all.filter(({ parentId = '' }) => !ids.has(parentId))
  return onlyMatch(matches, text, {
    name: 'run',
    list: 'tutti runs list',
    idOf: ({ runId }) => runId,
    code: 'RunNotFound',
  })
}

/**
 * Finds a conversation of the user by `last`, its ID or the beginning of it.
 * @throws TuttiError `InvalidRequest` if there is none, or several match
 */
export async function findConversation(
  { conversations, runs: { owner } }: Pick<App, 'conversations' | 'runs'>,
  text: string,
): Promise<string> {
  if (text.trim() === 'last') {
    const [latest] = await conversations.list(owner, { limit: 1 })
    if (latest !== undefined) return latest.conversationId
    throw new TuttiError('InvalidRequest', 'There is no conversation yet; leave --conversation out to start one.')
  }
  const all = await conversations.list(owner, { limit: Number.MAX_SAFE_INTEGER })
  const conversation = findById(all, text, { name: 'conversation', idOf: ({ conversationId }) => conversationId })
  return conversation.conversationId
}
