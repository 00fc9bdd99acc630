import { z } from 'zod'
import type { Answered } from '../../core/model.ts'
import { definePrompt } from '../../core/prompt.ts'
import { onOwnLines } from '../../core/prompt-text.ts'
import type { Rerank } from './rerank.ts'

/** Characters of a passage that a model is shown; enough to judge it, little enough for twenty. */
const PREVIEW = 1_200

const WANTED = 8

const input = z.object({
  question: z.string(),
  /** In the order found; a model sees them numbered from 1. */
  passages: z.array(z.object({ document: z.string(), section: z.string().optional(), text: z.string() })),
  /** How many are wanted. */
  wanted: z.number().int().positive(),
})

const output = z.object({
  ranked: z
    .array(z.number().int())
    .describe('numbers of the passages that help, best first; leave out those that do not'),
  confidence: z.number().min(0).max(1).describe('how well these passages together answer the question: 0 not at all'),
})

const INSTRUCTIONS = `You pick the passages that answer a question best. Judge each by three things:
- Does it bear on the question directly?
- Is it substantial and exact: figures, rules, definitions rather than mentions in passing?
- Can it be understood as it stands?
Give the numbers of the best passages, best first. Leave out passages that do not help, even if fewer are left than wanted.`

/** Ranks what was found by its use for the question (SPEC R5). */
export const rerankPassages = definePrompt({
  name: 'knowledge.rerank',
  about: {
    purpose: 'Picks the passages that answer a question best.',
    when: 'a search of the documents found passages, before an answer is written',
    fallback: 'the order of the search stays, and the words of the question decide whether a passage answers',
  },
  wording: INSTRUCTIONS,
  data: 'the passages',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 500,
  withoutMemory: true,
  render: ({ question, passages, wanted }) => ({
    user: [
      ...passages.map(({ document, section, text }, index) => {
        return `<passage number="${index + 1}">\n${onOwnLines([[document, section].filter(Boolean).join(' › '), text])}\n</passage>`
      }),
      `Wanted: at most ${wanted}`,
      `Question: ${question}`,
    ].join('\n\n'),
  }),
  // Nothing ranked: the caller keeps its own order, see `rerank.ts`.
  fallback: () => ({ ranked: [], confidence: 0 }),
})

/**
 * A reranker that asks a model.
 * @param ask puts the prompt to the model, such as an agent's `ctx.ask`
 */
export function rerankByModel(
  ask: (
    prompt: typeof rerankPassages,
    passages: z.infer<typeof input>,
  ) => Promise<Pick<Answered<z.infer<typeof output>>, 'value' | 'by'>>,
): Rerank {
  return async (question, hits) => {
    const passages = hits.map(({ document, chunk }) => ({
      document: document.name,
      ...(chunk.section === undefined ? {} : { section: chunk.section }),
      text: chunk.text.slice(0, PREVIEW),
    }))
    const { value, by } = await ask(rerankPassages, { question, passages, wanted: WANTED })
    if (by === 'fallback') return undefined
    return { order: value.ranked.map((number) => number - 1), confidence: value.confidence }
  }
}
