import type { DatabaseSchema } from '../../databases/schema.ts'
import { buildCatalogue } from '../../terms/catalogue.ts'
import { metricAt } from '../../terms/metrics.ts'
import { matchNames } from '../../terms/names.ts'
import { NO_TERMS, type Terms } from '../../terms/terms.ts'
import { findValues } from '../schema/values.ts'
import type { LinkOptions, ValueLookup } from '../types.ts'
import { normalise, tokenise } from '../words/tokens.ts'
import { isGrammarWord } from './grammar-words.ts'

/** The words of a question, and which of them are names of the schema. */
export function knownWords(question: string, schema: DatabaseSchema, { terms = NO_TERMS }: Pick<LinkOptions, 'terms'>) {
  const text = normalise(question)
  const tokens = tokenise(text)
  const catalogue = buildCatalogue(schema, terms)
  return { text, tokens, catalogue, names: matchNames(catalogue, tokens) }
}

export type KnownWords = ReturnType<typeof knownWords>

/** Which stretches of the question are values in the data. */
export function valuesAmong({ text, tokens, catalogue, names }: KnownWords, { today, lookup }: LinkOptions) {
  const isMetric = (at: number): boolean =>
    tokens.some((_, start) => start <= at && at < start + (metricAt(catalogue, tokens, start)?.length ?? 0))
  const isKnown = (at: number): boolean => isGrammarWord(tokens, at, today) || isMetric(at)
  return findValues(text, tokens, names, isKnown, catalogue, lookup)
}

/** The look-up that also knows the words which the terms give for values. */
export function withWords(lookup: ValueLookup, { columns }: Terms): ValueLookup {
  const named = Object.entries(columns).flatMap(([name, { values }]) =>
    Object.entries(values).map(([value, words]) => ({ name, value, words: words.map((w) => w.toLowerCase()) })),
  )
  return async (term, offered) => {
    const hits = named.flatMap(({ name, value, words }) => {
      const place = words.includes(term.toLowerCase())
        ? offered.find((o) => `${o.table}.${o.column}` === name)
        : undefined
      return place === undefined ? [] : [{ ...place, value }]
    })
    return [...hits, ...(await lookup(term, offered))]
  }
}
