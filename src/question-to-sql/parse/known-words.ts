import type { DatabaseSchema } from '../../databases/schema.ts'
import { buildCatalogue } from '../../terms/catalogue.ts'
import { metricAt } from '../../terms/metrics.ts'
import { matchNames } from '../../terms/names.ts'
import { NO_TERMS } from '../../terms/terms.ts'
import { findValues } from '../schema/values.ts'
import type { LinkOptions } from '../types.ts'
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
