import { z } from 'zod'
import { definePrompt } from '../domain/prompt.ts'
import { quoteLines } from '../domain/prompt-text.ts'

const input = z.object({ question: z.string(), answer: z.string(), expected: z.string() })
const output = z.object({
  correct: z.boolean().describe('whether the answer says what is expected, and nothing that contradicts it'),
  reason: z.string().describe('one short sentence'),
})

const INSTRUCTIONS = `You judge whether an answer is right.
- It is right when it says all that is expected, in whatever words, and nothing that contradicts it.
- Figures, dates and names must be the same. What it says besides does not matter.
- An answer that says it cannot answer is not right.`

/** Judges an answer by what a right one says. */
export const judgeAnswer = definePrompt({
  name: 'evaluation.judge',
  about: {
    purpose: 'Judges an answer by what a right one says.',
    when: '`tutti eval` comes to a case that is scored by a model',
    failure: 'the case counts as not judged',
  },
  wording: INSTRUCTIONS,
  data: 'the answer',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 300,
  withoutMemory: true,
  render: ({ question, answer, expected }) => ({
    user: `Expected:\n${quoteLines([expected])}\n\nAnswer:\n${quoteLines([answer])}\n\nQuestion: ${question}`,
  }),
})
