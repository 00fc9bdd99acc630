import type { Catalogue, Edge, Entity } from '../schema/catalogue.ts'
import { GRAIN_ADVERBS, GRAINS, MONEY_NOUNS, SALE_NOUNS } from '../words/lexicon.ts'
import type { AttributeMatch, EntityMatch, Names } from '../schema/names.ts'
import { EXACT } from '../schema/names.ts'
import type { Condition, Dimension, Reading } from '../reading.ts'
import { listed, refuse } from '../refusal.ts'
import { reportsAt } from './rules-hierarchy.ts'
import type { Sales } from '../schema/sales.ts'
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

/** The one table named here. A name that fits several stops the question, unless a column name fits better. */
export function entityAt(p: Parser, at: number): EntityMatch | undefined {
  const matches = p.names.entitiesAt(at)
  const [first, ...others] = matches
  if (first !== undefined) {
    if (others.length === 0) return first
    const tables = matches.filter((m) => m.via === undefined)
    if (tables.length === 1) return tables[0]
    const sameTable = matches.every((m) => m.entity === first.entity)
    if (sameTable) return { entity: first.entity, length: first.length, score: first.score }
    const text = p.tokens
      .slice(at, at + first.length)
      .map((t) => t.text)
      .join(' ')
    return refuse(
      `“${text}” could mean ${listed(matches.map((m) => m.entity.table.name))}. Please say which table you mean.`,
    )
  }
  const reports = reportsAt(p, at)
  if (reports !== undefined) return reports
  const event = p.sales.header?.entity ?? p.sales.line?.entity
  const isSaleNoun = isForm(p, at, SALE_NOUNS) && !isMoneyNoun(p, at)
  return isSaleNoun && event !== undefined ? { entity: event, length: 1, score: 1 } : undefined
}

/** `sales` is money unless it is being counted or is a table. */
export function isMoneyNoun(p: Parser, at: number): boolean {
  if (!isForm(p, at, MONEY_NOUNS)) return false
  const isSale = isForm(p, at, ['sale'])
  return !(isSale && p.counting)
}

/** A column named here, unless a table name fits the words better. */
export function attributeAt(p: Parser, at: number): AttributeMatch | undefined {
  const match = p.names.attributesAt(at)
  if (match === undefined) return undefined
  const entity = p.names.entitiesAt(at)[0]
  if (entity === undefined) return match
  const score = match.candidates[0]?.score ?? 0
  if (entity.length !== match.length) return entity.length > match.length ? undefined : match
  return score === EXACT && entity.score < EXACT ? match : undefined
}

/** A year, quarter, month or day to break down by; a column of that very name comes first. */
export function grainAt(p: Parser, at: number): Dimension | undefined {
  const calendar = word(p, at) === 'calendar' ? 1 : 0
  if (isPhrase(p, at, 'day of week') || isPhrase(p, at, 'day of the week')) return { kind: 'grain', grain: 'weekday' }
  const grain = GRAINS[word(p, at + calendar)] ?? GRAIN_ADVERBS[word(p, at)]
  const column = p.names.attributesAt(at)
  if (grain === undefined || (column !== undefined && column.candidates[0]?.score === EXACT)) return undefined
  return { kind: 'grain', grain }
}

export function grainLength(p: Parser, at: number): number {
  if (isPhrase(p, at, 'day of the week')) return 4
  if (isPhrase(p, at, 'day of week')) return 3
  return word(p, at) === 'calendar' ? 2 : 1
}

/** What can be broken down by at this place, with its length. */
export function dimensionAt(
  p: Parser,
  start: number,
): { readonly dimension: Dimension; readonly next: number } | undefined {
  const at = skip(p, start)
  const grain = grainAt(p, at)
  if (grain !== undefined) return { dimension: grain, next: at + grainLength(p, at) }
  const attribute = attributeAt(p, at)
  // `per active customer` is a filter in disguise, which a breakdown cannot take.
  if (attribute !== undefined && attribute.candidates[0]?.attribute.column.kind === 'boolean') return undefined
  if (attribute !== undefined) {
    // `country of the customer`
    const of = word(p, at + attribute.length) === 'of' ? skip(p, at + attribute.length) : -1
    const owner = of < 0 || attribute.owner !== undefined || p.values.has(of) ? undefined : p.names.entitiesAt(of)[0]
    if (owner === undefined) return { dimension: { kind: 'attribute', match: attribute }, next: at + attribute.length }
    const candidates = attribute.candidates.filter((c) => c.attribute.entity === owner.entity)
    if (candidates.length > 0) {
      return {
        dimension: { kind: 'attribute', match: { ...attribute, candidates, owner: owner.entity } },
        next: of + owner.length,
      }
    }
    return { dimension: { kind: 'attribute', match: attribute }, next: at + attribute.length }
  }
  const entity = entityAt(p, at)
  if (entity === undefined) return undefined
  const via = entity.via === undefined ? {} : { via: entity.via }
  return { dimension: { kind: 'entity', entity: entity.entity, ...via }, next: at + entity.length }
}

/** Adds a condition to the open clause, or to the question. */
export function addCondition(p: Parser, condition: Condition): void {
  ;(p.clause?.conditions ?? p.reading.conditions).push(condition)
}

export function anchored(p: Parser): { readonly anchor?: Entity; readonly via?: Edge } {
  if (p.anchor === undefined) return {}
  return { anchor: p.anchor.entity, ...(p.anchor.via === undefined ? {} : { via: p.anchor.via }) }
}

export function subjectEntity(p: Parser): Entity | undefined {
  const subject = p.reading.subject ?? p.reading.counted
  return subject?.kind === 'entity' ? subject.entity : undefined
}
