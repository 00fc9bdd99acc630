import type { Catalogue } from '../../terms/catalogue.ts'
import { forms } from '../../terms/words.ts'
import type { Token } from '../words/tokens.ts'

/** The metric of the terms whose name stands here; of several the longest. */
export function metricAt(
  { terms }: Catalogue,
  tokens: readonly Token[],
  at: number,
): { readonly name: string; readonly length: number } | undefined {
  const named = Object.entries(terms.metrics).flatMap(([name, { called }]) =>
    [name, ...called].map((text) => ({ name, words: text.toLowerCase().split(' ') })),
  )
  const hits = named.filter(({ words }) =>
    words.every((word, i) => {
      const token = tokens[at + i]
      return token?.kind === 'word' && (token.lower === word || [...forms(word)].some((form) => token.forms.has(form)))
    }),
  )
  const [best] = hits.sort((a, b) => b.words.length - a.words.length)
  return best === undefined ? undefined : { name: best.name, length: best.words.length }
}
