import { SALE_NOUNS } from '../../terms/vocabulary.ts'
import { dateAt } from '../words/dates.ts'
import {
  AGGREGATES,
  COMPARATIVES,
  COMPARISONS,
  CURRENCIES,
  GRAIN_ADVERBS,
  GRAINS,
  GROUP_OPENERS,
  MONEY_NOUNS,
  MONEY_VERBS,
  RANKED_ADJECTIVES,
  RELATION_VERBS,
  SALE_VERBS,
  SUPERLATIVES,
  UNIT_NOUNS,
} from '../words/lexicon.ts'
import { UNITS } from '../../terms/units.ts'
import { isParticiple, singular } from '../../terms/words.ts'
import type { Token } from '../words/tokens.ts'

/** Words that the grammar uses, so that they are not looked for in the data. */
export function isGrammarWord(tokens: readonly Token[], at: number, today: string): boolean {
  for (let start = Math.max(0, at - 6); start <= at; start++) {
    const date = dateAt(tokens, start, today)
    if (date !== undefined && at < start + date.length) return true
  }
  const token = tokens[at]
  if (token === undefined || token.kind === 'number') return true
  return GRAMMAR.has(token.lower) || [...token.forms].some((form) => GRAMMAR_STEMS.has(form))
}

const GRAMMAR_STEMS: ReadonlySet<string> = new Set(
  [
    ...MONEY_NOUNS,
    ...MONEY_VERBS,
    ...SALE_VERBS,
    ...SALE_NOUNS,
    ...UNIT_NOUNS,
    ...RELATION_VERBS,
    ...CURRENCIES,
    ...Object.values(UNITS).flatMap((u) => Object.keys(u)),
  ].map(singular),
)

export const GRAMMAR: ReadonlySet<string> = new Set(
  [
    ...Object.keys(AGGREGATES),
    ...Object.keys(SUPERLATIVES),
    ...Object.keys(GRAINS),
    ...Object.keys(GRAIN_ADVERBS),
    ...GROUP_OPENERS,
    ...COMPARISONS.map(([phrase]) => phrase),
    // “paid” of “highest paid” may be a state, too.
    ...Object.keys(RANKED_ADJECTIVES).flatMap((phrase) => phrase.split(' ').filter((w) => !isParticiple(w))),
    ...Object.keys(COMPARATIVES),
    'late as like how many much number count different distinct unique without with no not never or by sorted ordered having containing contains starting starts ending ends with share percentage percent proportion fraction between last first than more less since before after',
  ].flatMap((phrase) => phrase.split(' ')),
)
