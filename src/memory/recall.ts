import {
  MOST_RECENT_TURNS,
  RECENT_TURNS,
  recollectionOf,
  type ConversationMessage,
  type ConversationStore,
  type EarlierResult,
  type Recollection,
} from '../core/conversation.ts'
import { TuttiError } from '../core/errors.ts'
import type { RunId } from '../core/events.ts'
import { profileOf, type ProfileStore } from '../core/memory.ts'
import type { Owner } from '../core/owner.ts'
import { outsideData } from '../core/provenance.ts'
import type { RunRequest } from '../core/request.ts'
import type { RunResponse } from '../core/response.ts'
import { createSecrets, declaredBy } from '../core/secrets.ts'
import { earlierResult, MAX_RESULTS } from './earlier-results.ts'

export interface RecallDeps {
  readonly profiles: ProfileStore
  readonly conversations: ConversationStore
  readonly newId: () => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** What a run of this owner answered; undefined where it is gone. */
  readonly responseOf: (runId: RunId) => Promise<Pick<RunResponse, 'data' | 'agentResults' | 'citations'> | undefined>
}

/** What was said before, by a client that keeps its conversations itself. */
export interface Said {
  readonly role: ConversationMessage['role']
  readonly text: string
}

/** A request as it is started, and what its run is told of earlier ones; without a recollection the run has no memory. */
export interface Recalled {
  readonly request: RunRequest
  readonly recollection?: Recollection
}

const LONGEST_TITLE = 80
const LONGEST_MESSAGE = 4_000
/** The last answer is what the next question goes on from. */
const LONGEST_LAST_MESSAGE = 20_000

/**
 * Looks up the user's profile and the conversation that the request goes on with; without one, a conversation begins.
 * @param said takes the place of a conversation of ours: none begins then
 * @throws TuttiError `InvalidRequest` when this user has no such conversation, or goes on with one without memory
 */
export async function recall(
  deps: RecallDeps,
  owner: Owner,
  request: RunRequest,
  said?: readonly Said[],
): Promise<Recalled> {
  const { conversationId } = request
  if (request.memory === false) {
    if (conversationId === undefined) return { request }
    throw new TuttiError('InvalidRequest', 'A conversation cannot be continued without memory; choose one of the two.')
  }
  const profile = profileOf(await deps.profiles.entries(owner))
  if (said !== undefined)
    return { request, recollection: recollectionOf(profile, undefined, earlier(said, deps.now())) }
  if (conversationId === undefined) {
    const begun = await begin(deps, owner, request)
    return { request: begun, recollection: recollectionOf(profile, undefined, []) }
  }
  const conversation = await deps.conversations.get(owner, conversationId)
  if (conversation === undefined) {
    throw new TuttiError('InvalidRequest', `There is no conversation "${conversationId}".`)
  }
  const summary = await deps.conversations.summary(owner, conversationId)
  const unsummarised = conversation.turns - (summary?.turns ?? 0)
  const wanted = Math.min(Math.max(unsummarised, RECENT_TURNS), MOST_RECENT_TURNS)
  const recent = await deps.conversations.messages(owner, conversationId, conversation.turns - wanted)
  const results = await resultsOf(deps, recent)
  return { request, recollection: recollectionOf(profile, summary, recent.map(shortened), results) }
}

async function resultsOf(
  { responseOf }: RecallDeps,
  recent: readonly ConversationMessage[],
): Promise<readonly EarlierResult[]> {
  const answers = recent.filter(({ role }) => role === 'assistant').slice(-MAX_RESULTS)
  const found = await Promise.all(
    answers.map(async ({ turn, runId }, at) => {
      const response = await responseOf(runId)
      const isLast = at === answers.length - 1
      return (response && earlierResult(response, turn, isLast)) ?? []
    }),
  )
  return found.flat()
}

/** A client may put any words into our mouth, and its own user's words are trusted. */
function earlier(said: readonly Said[], at: number): ConversationMessage[] {
  let turn = 0
  const messages = said.map(({ role, text }): ConversationMessage => {
    if (role === 'user') turn++
    const provenance = role === 'user' ? {} : { provenance: outsideData('earlier answers as the client tells them') }
    return { turn, role, text, runId: '', at, ...provenance }
  })
  return messages.filter((message) => message.turn > turn - MOST_RECENT_TURNS).map(shortened)
}

/** The log of each run keeps what it is given, so long texts are cut. */
function shortened(message: ConversationMessage, at: number, all: readonly ConversationMessage[]): ConversationMessage {
  const { text } = message
  const max = at === all.length - 1 ? LONGEST_LAST_MESSAGE : LONGEST_MESSAGE
  return text.length > max ? { ...message, text: `${text.slice(0, max)}…` } : message
}

async function begin(
  { conversations, newId, now }: RecallDeps,
  owner: Owner,
  request: RunRequest,
): Promise<RunRequest> {
  const conversationId = newId()
  const title = titleOf(createSecrets(declaredBy({ request })).text(request.question))
  await conversations.open(owner, { conversationId, title, createdAt: now() })
  return { ...request, conversationId }
}

/** What a conversation is called that begins with this question. */
export function titleOf(question: string): string {
  const [line] = question.trim().split('\n')
  return line!.length > LONGEST_TITLE ? `${line!.slice(0, LONGEST_TITLE)}…` : line!
}
