import type { EntityMatch } from '../../terms/names.ts'
import type { Condition } from '../reading.ts'
import { entityAt } from './named-things.ts'
import { skip, valueCondition, type Parser } from './parser.ts'
import { flagAt } from './rules-flag.ts'

/** A table's name with the adjectives before it, each a condition on its rows: `open orders`, `active German customers`. */
export interface NounPhrase {
  readonly match: EntityMatch
  readonly conditions: readonly Condition[]
  readonly next: number
}

const MOST_ADJECTIVES = 3

export function nounPhraseAt(p: Parser, start: number): NounPhrase | undefined {
  const words: { readonly at: number; readonly length: number }[] = []
  let at = skip(p, start)
  let match = counting(p, () => entityAt(p, at))
  while (match === undefined && words.length < MOST_ADJECTIVES && at < p.tokens.length) {
    const value = p.values.get(at)
    if (value?.people !== undefined || value?.hits.length === 0) return undefined
    words.push({ at, length: value?.length ?? 1 })
    at += value?.length ?? 1
    match = counting(p, () => entityAt(p, at))
  }
  if (match === undefined) return undefined
  const { entity: anchor } = match
  const conditions = words.map((word): Condition | undefined => {
    const value = p.values.get(word.at)
    return value === undefined
      ? flagAt(p, word.at, true, anchor)?.condition
      : valueCondition(value, 'adjective', anchor)
  })
  if (conditions.includes(undefined)) return undefined
  return { match, conditions: conditions.filter((c) => c !== undefined), next: at + match.length }
}

/** Where things are counted, a word for a sale is not an amount. */
export function counting<T>(p: Parser, read: () => T): T {
  const was = p.counting
  p.counting = true
  const found = read()
  p.counting = was
  return found
}
