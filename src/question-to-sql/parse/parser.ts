import { given } from '../../core/given.ts'
import type { Catalogue, Edge, Entity } from '../../terms/catalogue.ts'
import { MONEY_NOUNS } from '../words/lexicon.ts'
import type { Names } from '../../terms/names.ts'
import type { Condition, Mention, Reading } from '../reading.ts'
import type { Sales } from '../../terms/sales.ts'
import type { Token } from '../words/tokens.ts'
import type { ValueSpan } from '../schema/values.ts'

/** Where a question has been read to, and what has been understood so far. */
export interface Parser {
  readonly tokens: readonly Token[]
  readonly names: Names
  readonly catalogue: Catalogue
  readonly sales: Sales
  /** Values found in the data, by the token they start at. */
  readonly values: ReadonlyMap<number, ValueSpan>
  readonly today: string
  readonly reading: Reading
  at: number
  /** The clause (`customers who bought …`) that conditions now belong to. */
  clause: { readonly conditions: Condition[]; readonly entity: Entity } | undefined
  /** The table spoken of last. */
  anchor: { readonly entity: Entity; readonly via?: Edge } | undefined
  /** `how many` or `number of` was read and waits for its noun. */
  counting: boolean
  /** Words that a rule has used out of their order. */
  readonly used: Set<number>
}

/** A rule reads what it knows at the parser's position and says whether it moved on. */
export type Rule = (p: Parser) => boolean

/** Does the phrase stand here? Words are compared exactly, or by base form where `loose`. */
export function isPhrase(p: Parser, at: number, phrase: string, loose = false): boolean {
  return phrase.split(' ').every((word, i) => {
    const token = p.tokens[at + i]
    return token !== undefined && token.kind !== 'quoted' && (token.lower === word || (loose && token.forms.has(word)))
  })
}

/** The first of the phrases that stands here, and how many tokens it takes. */
export function phraseAt(
  p: Parser,
  at: number,
  phrases: readonly string[],
): { readonly phrase: string; readonly length: number } | undefined {
  const phrase = phrases.find((candidate) => isPhrase(p, at, candidate))
  return phrase === undefined ? undefined : { phrase, length: phrase.split(' ').length }
}

export function word(p: Parser, at: number): string {
  return p.tokens[at]?.lower ?? ''
}

export function isForm(p: Parser, at: number, words: readonly string[]): boolean {
  const token = p.tokens[at]
  return token !== undefined && token.kind === 'word' && words.some((w) => token.forms.has(w))
}

/** Skips articles and the like. */
export function skip(p: Parser, at: number, words = 'the a an any all of its their your our these those'): number {
  const set = words.split(' ')
  let next = at
  while (set.includes(word(p, next))) next++
  return next
}

/** `sales` is money unless it is being counted or is a table. */
export function isMoneyNoun(p: Parser, at: number): boolean {
  if (!isForm(p, at, MONEY_NOUNS)) return false
  const isSale = isForm(p, at, ['sale'])
  return !(isSale && p.counting)
}

/** Adds a condition to the open clause, or to the question. */
export function addCondition(p: Parser, condition: Condition): void {
  ;(p.clause?.conditions ?? p.reading.conditions).push(condition)
}

/** What follows is said of the rows of a clause. */
export function openRows(p: Parser, { entity, conditions }: Extract<Condition, { kind: 'has' }>): true {
  if (entity === 'sale') return true
  p.clause = { conditions, entity }
  p.anchor = { entity }
  return true
}

export function anchored(p: Parser): { readonly anchor?: Entity; readonly via?: Edge } {
  if (p.anchor === undefined) return {}
  return { anchor: p.anchor.entity, ...given({ via: p.anchor.via }) }
}

/** A single value as a condition, of the table given if any. */
export function valueCondition(
  { text, hits }: ValueSpan,
  mention: Mention,
  anchor?: Entity,
): Condition & { kind: 'value' } {
  return { kind: 'value', text, alternatives: [hits], mention, negated: false, ...given({ anchor }) }
}

export function subjectEntity(p: Parser): Entity | undefined {
  const subject = p.reading.subject ?? p.reading.counted
  return subject?.kind === 'entity' ? subject.entity : undefined
}

/** The table spoken of here: of the clause, else the last one, else what is asked for. */
export function entitySpokenOf(p: Parser): Entity | undefined {
  return p.clause?.entity ?? p.anchor?.entity ?? subjectEntity(p)
}

/** Has nothing been asked for yet? */
export function isFirst({ reading }: Parser): boolean {
  return (reading.subject ?? reading.counted ?? reading.measures[0]) === undefined
}

/** What came in by sales. */
export const REVENUE_MEASURE = { kind: 'money', aggregate: 'sum', word: 'revenue' } as const

/** Those asked for, where nothing else is. */
export function askFor(p: Parser, entity: Entity): void {
  if (p.reading.subject !== undefined || p.reading.counted !== undefined) return
  const dimension = { kind: 'entity', entity } as const
  if (p.counting) p.reading.counted = dimension
  else p.reading.subject = dimension
  p.counting = false
}
