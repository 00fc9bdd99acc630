import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { onOwnLines } from '../../core/prompt-text.ts'

const passage = z.object({
  n: z.number(),
  document: z.string(),
  page: z.number().optional(),
  section: z.string().optional(),
  /** What stands right before and after it, where it was cut in the middle of a section. */
  before: z.string().optional(),
  text: z.string(),
  after: z.string().optional(),
})

const input = z.object({
  question: z.string(),
  /** Today and what else the caller gave, as `key: value`. */
  context: z.array(z.string()),
  passages: z.array(passage),
  systemPrompt: z.string().optional(),
})

export type NumberedPassage = z.infer<typeof passage>

const INSTRUCTIONS = `You answer a question from passages of documents.
- Use only what the passages say. Behind each statement put the number of its passage in brackets, such as [1] or [1][3].
- Answer directly, in the language of the question, in a few sentences or a short list. Keep figures, periods and names exact.
- Answer only the part of the question that documents can answer; leave the rest without a word.
- If the passages do not answer it, say so plainly, and name what they do tell.`

/** Answers from numbered passages. The agent's quotes are its fallback. */
export const answerFromPassages = definePrompt({
  name: 'rag.answer',
  about: {
    purpose: 'Answers from passages of documents, with the numbers of its sources.',
    when: 'passages were found that can answer; streamed to the user where nothing else has to be put together with it',
    fallback: 'the sentences that fit best are quoted, or the question is declined where none fits well enough',
  },
  wording: INSTRUCTIONS,
  data: 'the passages',
  format: 'text',
  input,
  output: z.string().min(1),
  temperature: 0,
  maxOutputTokens: 1_000,
  render: ({ question, context, passages }) => ({
    user: [
      // One JSON object a line: no text of a document can pass for another passage.
      `Passages, one a line:\n${passages.map((one) => JSON.stringify(one)).join('\n')}`,
      ...(context.length === 0 ? [] : [`Context:\n${onOwnLines(context)}`]),
      `Question: ${question}`,
    ].join('\n\n'),
  }),
  fallback: ({ passages }) => passages.map(({ n, text }) => `${text} [${n}]`).join('\n\n'),
})
