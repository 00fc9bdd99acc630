import {
  MAX_RECENT_TURNS,
  RECENT_TURNS,
  createRecollection,
  type ConversationMessage,
  type ConversationStore,
  type EarlierResult,
  type Recollection,
} from '../domain/conversation.ts'
import { profileOf, type ProfileStore } from '../domain/profile.ts'
import { describeSource } from '../domain/answer.ts'
import { TuttiError } from '../domain/errors.ts'
import type { RunId, Owner } from '../domain/events.ts'
import { omitUndefined, truncate } from '../shared/json.ts'
import { outsideData } from '../domain/provenance.ts'
import type { RunRequest } from '../domain/request.ts'
import type { Source } from '../domain/result.ts'
import { createSecrets, declaredBy } from '../domain/secrets.ts'
import { earlierResults, type EarlierAnswer } from './earlier-results.ts'

export interface RecallDeps {
  readonly profiles: ProfileStore
  readonly conversations: ConversationStore
  readonly newId: () => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Answer of a run of this user; undefined if it was deleted. */
  readonly answerOf: (runId: RunId) => Promise<EarlierAnswer | undefined>
}

/** A message of a client that stores its conversations itself. */
export interface ClientMessage {
  readonly role: ConversationMessage['role']
  readonly text: string
}

/** A request, and what its run knows of earlier ones. Without a recollection the run has no memory. */
export interface Recalled {
  readonly request: RunRequest
  readonly recollection?: Recollection
}

const MAX_TITLE_CHARS = 80
const MAX_MESSAGE_CHARS = 4_000
/** Limit of the last answer, in characters. It is longer than for others: the next question usually refers to it. */
const MAX_LAST_MESSAGE_CHARS = 20_000

/**
 * Loads the user's profile and the conversation of the request. Without a conversation ID, a new conversation begins.
 * @param messages earlier messages from the client; no conversation is stored then
 * @throws TuttiError `InvalidRequest` if the user has no such conversation, or continues one without memory
 */
export async function recallConversation(
  deps: RecallDeps,
  owner: Owner,
  request: RunRequest,
  messages?: readonly ClientMessage[],
): Promise<Recalled> {
  const { conversationId } = request
  if (request.memory === false) {
    if (conversationId === undefined) return { request }
    throw new TuttiError(
      'InvalidRequest',
      'A conversation cannot be continued without memory; leave out one of the two.',
    )
  }
  const profile = profileOf(await deps.profiles.entries(owner))
  if (messages !== undefined)
    return { request, recollection: createRecollection(profile, undefined, earlier(messages, deps.now())) }
  if (conversationId === undefined) {
    const begun = await begin(deps, owner, request)
    return { request: begun, recollection: createRecollection(profile, undefined, []) }
  }
  const conversation = await deps.conversations.get(owner, conversationId)
  if (conversation === undefined) {
    throw new TuttiError('InvalidRequest', `There is no conversation "${conversationId}".`)
  }
  const summary = await deps.conversations.summary(owner, conversationId)
  const unsummarised = conversation.turns - (summary?.turns ?? 0)
  const turnCount = Math.min(Math.max(unsummarised, RECENT_TURNS), MAX_RECENT_TURNS)
  const recent = await deps.conversations.messages(owner, conversationId, conversation.turns - turnCount)
  const answers = await Promise.all(
    recent.map(({ role, runId }) => (role === 'assistant' ? deps.answerOf(runId) : undefined)),
  )
  const recalled = recent.map((message, at, all) => {
    const { replies } = answers[at] ?? {}
    return { ...shortened(message, at, all), ...omitUndefined({ replies }) }
  })
  const { results, lastId } = resultsOf(recent, answers)
  const recollection = createRecollection(profile, summary, recalled, results)
  return { request, recollection: { ...recollection, ...omitUndefined({ lastId: lastId || undefined }) } }
}

/** @param answers of the messages, at their places */
function resultsOf(
  messages: readonly ConversationMessage[],
  answers: readonly (EarlierAnswer | undefined)[],
): Pick<Recollection, 'results' | 'lastId'> {
  let lastId = answers.reduce((max, answer) => Math.max(max, answer?.lastId ?? 0), 0)
  const idsByPlace = new Map<string, string>()
  const idOf = (source: Source): string => {
    const place = describeSource(source, Infinity)
    const { id } = source
    const isOwn = id !== undefined && (idsByPlace.get(id) ?? place) === place
    const named = isOwn ? id : `s${++lastId}`
    idsByPlace.set(named, place)
    return named
  }
  const results = answers.flatMap((answer, at) =>
    answer === undefined ? [] : earlierResults(answer, messages[at]!.turn, at === answers.length - 1, idOf),
  )
  return { results: results.map(withoutRepetition), lastId }
}

/** Removes what a later answer cites as well. */
function withoutRepetition(result: EarlierResult, at: number, all: readonly EarlierResult[]): EarlierResult {
  const { table: _rows, content: _text, text, ...named } = result
  const isRepeated = all.slice(at + 1).some(({ source }) => source?.id === result.source?.id)
  return isRepeated ? { ...named, text: text.split('\n', 1)[0]! } : result
}

/** Assistant messages from a client are untrusted: it may have made them up. Those of its user are trusted. */
function earlier(sent: readonly ClientMessage[], at: number): ConversationMessage[] {
  let turn = 0
  const messages = sent.map(({ role, text }): ConversationMessage => {
    if (role === 'user') turn++
    const provenance = role === 'user' ? {} : { provenance: outsideData('earlier answers as the client tells them') }
    return { turn, role, text, runId: '', at, ...provenance }
  })
  return messages.filter((message) => message.turn > turn - MAX_RECENT_TURNS).map(shortened)
}

/** Truncates long texts, since the log of each run stores them. */
function shortened(message: ConversationMessage, at: number, all: readonly ConversationMessage[]): ConversationMessage {
  const max = at === all.length - 1 ? MAX_LAST_MESSAGE_CHARS : MAX_MESSAGE_CHARS
  return { ...message, text: truncate(message.text, max) }
}

async function begin(
  { conversations, newId, now }: RecallDeps,
  owner: Owner,
  request: RunRequest,
): Promise<RunRequest> {
  const conversationId = newId()
  const title = conversationTitle(createSecrets(declaredBy({ request })).text(request.question))
  await conversations.open(owner, { conversationId, title, createdAt: now() })
  return { ...request, conversationId }
}

/** Title of a conversation that begins with this question. */
export function conversationTitle(question: string): string {
  return truncate(question.trim().split('\n', 1)[0]!, MAX_TITLE_CHARS)
}
