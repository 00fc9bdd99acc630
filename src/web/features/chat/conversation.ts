import { useQuery } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import type { ConversationMessage, ConversationSummary } from '../../app/types.ts'

/** With what was said in it. */
export interface Conversation extends Pick<
  ConversationSummary,
  'conversationId' | 'title' | 'isPinned' | 'isArchived'
> {
  readonly createdAt: string
  readonly messages: readonly ConversationMessage[]
  /** Runs that are under way, the newest first. */
  readonly open: readonly string[]
  /** Runs that failed or were stopped. */
  readonly ended: readonly { readonly runId: string; readonly at: string }[]
  readonly branchOf?: string
  readonly branchTurn?: number
  readonly branches: readonly {
    readonly conversationId: string
    readonly branchTurn?: number
    readonly createdAt: string
  }[]
}

/** A turn of a conversation. */
export interface Kept {
  readonly runId: string
  /** Absent while it is under way. */
  readonly question?: string
  readonly turn?: number
  /** The conversation has it, with its place; before that it cannot be asked otherwise beside itself. */
  readonly isKept: boolean
}

/** A conversation with its messages. */
export function useConversation(conversationId: string | undefined) {
  return useQuery({
    queryKey: ['conversations', conversationId],
    queryFn: ({ signal }) => api.get<Conversation>(`/conversations/${encodeURIComponent(conversationId!)}`, signal),
    enabled: conversationId !== undefined,
    retry: false,
  })
}

/** The conversation that one is a version of, as it is in lists; itself where it is none. */
export function useWhole(shown: Conversation | undefined): Conversation | undefined {
  const { data } = useQuery({
    queryKey: ['conversations', 'whole', shown?.conversationId],
    queryFn: async ({ signal }) => {
      let one = shown!
      while (one.branchOf !== undefined) {
        one = await api.get<Conversation>(`/conversations/${encodeURIComponent(one.branchOf)}`, signal)
      }
      return one
    },
    enabled: shown?.branchOf !== undefined,
  })
  return shown?.branchOf === undefined ? shown : data
}

/** The turns that are kept, those without an answer in their places, and those under way, which are kept with their answers. */
export function conversationTurns(conversation: Conversation | undefined, latest: string | undefined): Kept[] {
  const { messages = [], open = [], ended = [] } = conversation ?? {}
  const asked = messages.filter(({ role }) => role === 'user')
  const kept = [...asked.map(({ runId, text, turn, at }) => ({ runId, question: text, turn, at })), ...ended]
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((one) => ({ ...one, isKept: true }))
  const known = new Set(kept.map(({ runId }) => runId))
  const others = new Set([...open.toReversed(), ...(latest === undefined ? [] : [latest])])
  return [...kept, ...[...others].filter((runId) => !known.has(runId)).map((runId) => ({ runId, isKept: false }))]
}

/** The conversations that part at this turn, the oldest first; undefined where there is only one. */
export function versionsAt(
  turn: number | undefined,
  conversation: Conversation | undefined,
  parent: Conversation | undefined,
): string[] | undefined {
  // The turn under way of a branch is the one that it parts with.
  const at = turn ?? (conversation?.messages.at(-1)?.turn ?? 0) + 1
  const root = conversation?.branchTurn === at ? parent : conversation
  if (root === undefined) return undefined
  const branches = root.branches
    .filter(({ branchTurn }) => branchTurn === at)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  return branches.length === 0 ? undefined : [root.conversationId, ...branches.map((one) => one.conversationId)]
}
