import { useQuery } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import type { Operations } from '../../../client/api-types.ts'

/** A conversation with its messages. */
export type Conversation = Operations['GET /conversations/{conversationId}']['answer']

/** A turn of a conversation. */
export interface StoredTurn {
  readonly runId: string
  /** Absent while the run is active. */
  readonly question?: string
  readonly turn?: number
  /** The conversation has stored this turn, with its number. Before that, it cannot be edited as a new version. */
  readonly isStored: boolean
}

/** Fetches a conversation with its messages. */
export function useConversation(conversationId: string | undefined) {
  return useQuery({
    queryKey: [`/conversations/${conversationId}`],
    queryFn: ({ signal }) => api.get<Conversation>(`/conversations/${encodeURIComponent(conversationId!)}`, signal),
    enabled: conversationId !== undefined,
    retry: false,
  })
}

/** Returns the conversation of which this one is a branch, as listed; itself if it is no branch. */
export function useFullConversation(shown: Conversation | undefined): Conversation | undefined {
  const { data } = useQuery({
    queryKey: [`/conversations/${shown?.conversationId}/root`],
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

/**
 * Returns the stored turns, the turns without an answer in their places, and the active turns, which are stored with
 * their answers.
 */
export function conversationTurns(conversation: Conversation | undefined, latest: string | undefined): StoredTurn[] {
  const { messages = [], open = [], ended = [] } = conversation ?? {}
  const questions = messages.filter(({ role }) => role === 'user')
  const stored = [...questions.map(({ runId, text, turn, at }) => ({ runId, question: text, turn, at })), ...ended]
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((one) => ({ ...one, isStored: true }))
  const known = new Set(stored.map(({ runId }) => runId))
  const others = new Set([...open.toReversed(), ...(latest === undefined ? [] : [latest])])
  return [...stored, ...[...others].filter((runId) => !known.has(runId)).map((runId) => ({ runId, isStored: false }))]
}

/** Returns the conversations that branch at this turn, oldest first; undefined if there is only one. */
export function versionsAt(
  turn: number | undefined,
  conversation: Conversation | undefined,
  parent: Conversation | undefined,
): string[] | undefined {
  // The active turn of a branch is the turn at which it branches.
  const at = turn ?? (conversation?.messages.at(-1)?.turn ?? 0) + 1
  const root = conversation?.branchTurn === at ? parent : conversation
  if (root === undefined) return undefined
  const branches = root.branches
    .filter(({ branchTurn }) => branchTurn === at)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  return branches.length === 0 ? undefined : [root.conversationId, ...branches.map((one) => one.conversationId)]
}
