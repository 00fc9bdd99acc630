import type { ConversationMessage } from '../domain/conversation.ts'

/** Maximum length of a summary in characters; the oldest text is dropped. */
export const MAX_SUMMARY_CHARS = 1_500

export interface SummarisedTurn {
  readonly question: string
  readonly answer: string
}

/** Pairs messages into turns; a question without an answer is a turn of its own. */
export function pairTurns(messages: readonly ConversationMessage[]): SummarisedTurn[] {
  const turns = new Map<number, { question: string; answer: string }>()
  for (const { turn, role, text } of messages) {
    const entry = turns.get(turn) ?? { question: '', answer: '' }
    entry[role === 'user' ? 'question' : 'answer'] = text
    turns.set(turn, entry)
  }
  return [...turns.values()]
}
