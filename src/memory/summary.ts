import type { ConversationMessage } from '../core/conversation.ts'

/** Characters of a summary; what is older gives way. */
export const LONGEST_SUMMARY = 1_500
const LONGEST_SENTENCE = 200

export interface SummarisedTurn {
  readonly question: string
  readonly answer: string
}

/** Messages paired into turns; a question without an answer is a turn by itself. */
export function turnsOf(messages: readonly ConversationMessage[]): SummarisedTurn[] {
  const turns = new Map<number, { question: string; answer: string }>()
  for (const { turn, role, text } of messages) {
    const entry = turns.get(turn) ?? { question: '', answer: '' }
    entry[role === 'user' ? 'question' : 'answer'] = text
    turns.set(turn, entry)
  }
  return [...turns.values()]
}

/** The summary without a model: of each turn the first sentence of question and answer, the latest that fit. */
export function summariseByRules(earlier: string, turns: readonly SummarisedTurn[]): string {
  const lines = [
    ...earlier.split('\n').filter((line) => line.trim() !== ''),
    ...turns.map(({ question, answer }) => `Asked: ${firstSentence(question)} Answered: ${firstSentence(answer)}`),
  ]
  let room = LONGEST_SUMMARY
  const cut = lines.findLastIndex((line) => (room -= line.length + 1) < 0)
  return lines
    .slice(Math.min(cut + 1, lines.length - 1))
    .join('\n')
    .slice(0, LONGEST_SUMMARY)
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const [sentence = line] = /^.{8,}?[.!?](?=\s|$)/u.exec(line) ?? []
  return sentence.length > LONGEST_SENTENCE ? `${sentence.slice(0, LONGEST_SENTENCE)}…` : sentence
}
