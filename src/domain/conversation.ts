import { omitUndefined } from '../shared/json.ts'
import type { RunId, Owner } from './events.ts'
import { combine, BY_USER, type Provenance } from './provenance.ts'
import type { Source } from './result.ts'
import type { Table } from './table.ts'
import type { Profile } from './profile.ts'
import type { UserReply } from './approvals.ts'

/** Turns between two summaries. */
const TURNS_PER_SUMMARY = 3

/** Turns that are given word for word, also when the summary covers them. */
export const RECENT_TURNS = 2

/** More than these wait for a summary only when summarising fails again and again; the oldest are then left out. */
export const MAX_RECENT_TURNS = 8

/** `at` is milliseconds since the epoch, as all times here. */
export interface Conversation {
  readonly conversationId: string
  /** The beginning of its first question. */
  readonly title: string
  readonly turns: number
  readonly createdAt: number
  /** When it was last worked in, or a branch of it. */
  readonly updatedAt: number
  /** Where that was: itself or a branch of it. */
  readonly latestId: string
  readonly pinnedAt?: number
  /** Set if its answer was not requested just now, as from a schedule, and was not read yet. */
  readonly newAt?: number
  /** The conversation that it shares everything before `branchTurn` with. */
  readonly branchOf?: string
  readonly branchTurn?: number
}

/** Filters of a list of conversations; all are optional. */
export interface ConversationFilter {
  /** 100 when absent. */
  readonly limit?: number
  /** Words that must all occur in the title or in a message; case-insensitive (SQLite: for a to z only). */
  readonly words?: readonly string[]
  readonly isPinned?: boolean
  /** Only conversations that are not branches. */
  readonly isFirst?: true
  /** Only branches of this one. */
  readonly branchOf?: string
  /** Only conversations after this one in the list (a cursor). */
  readonly after?: Pick<Conversation, 'updatedAt' | 'conversationId'>
}

/** Changes to a conversation; null removes a value. */
export interface ConversationChange {
  readonly title?: string
  readonly pinnedAt?: number | null
  readonly newAt?: number | null
}

/** One message; a turn is a question and its answer, both with the same number, from 1. */
export interface ConversationMessage {
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly runId: RunId
  readonly at: number
  /** Absent means trusted: the user's own words, or an answer from trusted places alone. */
  readonly provenance?: Provenance
  /** The question rewritten to be understood without the previous turns, if it continued from them. */
  readonly understood?: string
  /** Questions of agents before an answer, and the user's replies; only in a recollection. */
  readonly replies?: readonly UserReply[]
}

export interface ConversationSummary {
  readonly text: string
  /** It means the turns up to this one. */
  readonly turns: number
  readonly provenance?: Provenance
}

export interface NewTurn {
  readonly conversationId: string
  readonly runId: RunId
  readonly question: string
  readonly understood?: string | undefined
  readonly answer: string
  /** Of the answer. */
  readonly provenance: Provenance
  readonly at: number
}

export interface NewSummary extends ConversationSummary {
  readonly conversationId: string
  readonly runId: RunId
  readonly at: number
}

/** Where conversations are kept. Every call names the owner; ids of different owners have nothing to do with each other. */
export interface ConversationStore {
  /** Makes a conversation unless there is one of that id. */
  open(owner: Owner, conversation: Pick<Conversation, 'conversationId' | 'title' | 'createdAt'>): Promise<void>
  get(owner: Owner, conversationId: string): Promise<Conversation | undefined>
  /** Latest activity first. */
  list(owner: Owner, filter?: ConversationFilter): Promise<readonly Conversation[]>
  /** False when it is not there. */
  change(owner: Owner, conversationId: string, change: ConversationChange): Promise<boolean>
  /**
   * Creates a conversation with the turns before `turn` of another one, which is not changed. Created once per id.
   * @returns false if there is no such turn
   */
  branch(
    owner: Owner,
    from: string,
    turn: number,
    made: Pick<Conversation, 'conversationId' | 'createdAt'>,
  ): Promise<boolean>
  /** Adds a turn at the end, once for each run; nothing when the conversation is not there. */
  addTurn(owner: Owner, turn: NewTurn): Promise<void>
  /** Messages of turns after `afterTurn`, in order. */
  messages(owner: Owner, conversationId: string, afterTurn?: number): Promise<readonly ConversationMessage[]>
  /** The summary that covers most turns. */
  summary(owner: Owner, conversationId: string): Promise<ConversationSummary | undefined>
  /** The first summary of so many turns stays; nothing when the conversation is not there. */
  addSummary(owner: Owner, summary: NewSummary): Promise<void>
  /**
   * Erases a conversation with its messages, summaries and branches; all of them if none is named. Returns their
   * number.
   */
  remove(owner: Owner, conversationId?: string): Promise<number>
}

/** A source that an earlier answer rests on, for questions that continue from it. */
export interface EarlierResult {
  readonly turn: number
  /** The source with its detail, and the beginning of its table as CSV or of its text. */
  readonly text: string
  /** With the id by which a model cites it and reads it again. */
  readonly source?: Source
  /** Its number in the text of the answer. */
  readonly cited?: number
  readonly table?: Table
  /** Its text, if it has no table. */
  readonly content?: string
}

/** Memory that a run receives from earlier ones. Stored in its log, so that a resumed or forked run sees the same. */
export interface Recollection {
  readonly profile?: Profile
  readonly summary?: ConversationSummary
  /** The latest messages of the conversation, in order. */
  readonly recent: readonly ConversationMessage[]
  /** Sources of the latest answers, in the order of their turns. */
  readonly results?: readonly EarlierResult[]
  /** Number of the highest id of a source that earlier runs of the conversation have given. */
  readonly lastId?: number
  /** Labels of summary and messages together: an answer made from the web stays as untrusted in later turns. */
  readonly provenance?: Provenance
}

export const NO_RECOLLECTION: Recollection = Object.freeze({ recent: Object.freeze([]) })

/** The profile holds users' own words, which are private. */
const PROFILE: Provenance = { author: 'user', private: true, sources: ['your profile'] }

/** Creates the memory of a run, with its labels. */
export function createRecollection(
  profile: Profile | undefined,
  summary: ConversationSummary | undefined,
  recent: readonly ConversationMessage[],
  results: readonly EarlierResult[] = [],
): Recollection {
  const hasProfile = Object.values(profile ?? {}).some((part) => Object.keys(part).length > 0)
  const provenance = combine([
    hasProfile ? PROFILE : undefined,
    summary?.provenance,
    ...recent.map((message) => message.provenance),
  ])
  return {
    ...omitUndefined({ profile, summary }),
    recent,
    ...(results.length === 0 ? {} : { results }),
    ...(provenance === BY_USER ? {} : { provenance }),
  }
}

/** Messages of turns that no summary covers. */
export function unsummarizedMessages({ summary, recent }: Recollection): readonly ConversationMessage[] {
  return recent.filter((message) => message.turn > (summary?.turns ?? 0))
}

/** Whether enough turns have passed for a new summary. */
export function isSummaryDue(recollection: Recollection): boolean {
  return unsummarizedMessages(recollection).filter(({ role }) => role === 'assistant').length >= TURNS_PER_SUMMARY
}
