import type { ConversationMessage } from '../domain/conversation.ts'

/** Characters of a summary; what is older gives way. */
export const LONGEST_SUMMARY = 1_500

export interface SummarisedTurn {
  readonly question: string
  readonly answer: string
}

/** Messages paired into turns; a question without an answer is a turn on its own. */
export function pairTurns(messages: readonly ConversationMessage[]): SummarisedTurn[] {
  const turns = new Map<number, { question: string; answer: string }>()
  for (const { turn, role, text } of messages) {
    const entry = turns.get(turn) ?? { question: '', answer: '' }
    entry[role === 'user' ? 'question' : 'answer'] = text
    turns.set(turn, entry)
  }
  return [...turns.values()]
}
