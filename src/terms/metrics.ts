import type { Catalogue } from './catalogue.ts'
import { forms } from './words.ts'
import type { NamedToken } from './names.ts'

/** The metric of the terms whose name stands here; of several the longest. */
export function metricAt(
  { terms }: Catalogue,
  tokens: readonly NamedToken[],
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
