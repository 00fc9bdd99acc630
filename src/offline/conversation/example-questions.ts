import type { DatabaseSchema } from '../../databases/schema.ts'
import { buildCatalogue, entityName, isDate, isMoney, isNumericAttribute } from '../../databases/glossary/catalogue.ts'
import type { Attribute, Entity } from '../../databases/glossary/catalogue.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import type { ValueHit } from '../../databases/glossary/value-lookup.ts'
import { VOCABULARY } from '../../databases/glossary/vocabulary.ts'
import { isSameWord, singular } from '../../databases/glossary/words.ts'
import { tokensOf } from '../language/tokens.ts'
import { linkQuestion } from '../sql/link.ts'
import { tablesNamed } from '../sql/names.ts'

/** Tables that are tried, and questions that are near. */
const MAX_TABLES = 6
const MAX_NEAR = 3
/** Columns with another value in each row, by their last word. */
const UNIQUE = /^(?:number|code|sku|email|phone|fax|address|url)$/
/** Share of the pairs of letters of two words that makes one a misspelling of the other. */
const MIN_ALIKE = 0.7

export interface Examples {
  /** About the tables, columns and values that the question which was asked names, or nearly names. */
  readonly about: readonly string[]
  readonly others: readonly string[]
}

export interface ExampleOptions {
  readonly today: string
  readonly terms?: Terms
  /** Values of the data that the question which was asked names. */
  readonly near?: readonly ValueHit[]
}

/** Questions that a schema lets one ask and that are understood. */
export async function exampleQuestions(
  asked: string,
  schema: DatabaseSchema,
  { near = [], ...options }: ExampleOptions,
): Promise<Examples> {
  const catalogue = buildCatalogue(schema, options.terms)
  const named = tablesNamed(asked, catalogue)
  const words = tokensOf(asked).flatMap(({ kind, lower }) => (kind === 'word' && lower.length > 3 ? [lower] : []))
  const isSaid = (own: readonly string[]): boolean => own.some((one) => words.some((word) => isAlike(word, one)))
  const hitsOf = (entity: Entity) => near.filter(({ table }) => table === entityName(entity))
  const columnsOf = ({ attributes, label }: Entity) =>
    attributes.filter(
      (one) =>
        !one.isKey && !isDate(one) && !label.includes(one) && !UNIQUE.test(one.words.at(-1) ?? '') && isSaid(one.words),
    )
  const nearness = (entity: Entity): number =>
    (named.has(entity) || isSaid(entity.words) ? 4 : 0) +
    (entity.words.every((word) => isSaid([word])) ? 4 : 0) +
    (hitsOf(entity).length > 0 ? 2 : 0) +
    (columnsOf(entity).length > 0 ? 1 : 0)
  const all = catalogue.entities
    .filter(({ table, junction }) => table.kind === 'table' && !junction && table.approximateRows !== 0)
    .toSorted((a, b) => weigh(b) - weigh(a))
  const lookup = async (terms: readonly string[]) =>
    terms.map((term) => near.filter(({ value }) => value.toLowerCase() === term.toLowerCase()))
  const understood = async (entity: Entity, questions: readonly string[]): Promise<readonly string[]> => {
    for (const question of questions) {
      const linked = await linkQuestion(question, schema, { ...options, lookup })
      if (linked.kind === 'query' && linked.sql.includes(entity.table.name)) return [question]
    }
    return []
  }
  const about: string[] = []
  const nearest = all.filter((one) => nearness(one) > 0).toSorted((a, b) => nearness(b) - nearness(a))
  for (const entity of nearest.slice(0, MAX_TABLES)) {
    const values = hitsOf(entity).flatMap((hit) => withValue(entity, hit))
    for (const some of [
      values,
      columnsOf(entity).map(questionByColumn),
      howMany(entity),
      overTime(entity),
      max(entity),
    ])
      if (about.length < MAX_NEAR) about.push(...(await understood(entity, some)))
  }
  const others: string[] = []
  for (const form of [howMany, overTime, max]) {
    for (const entity of all.slice(0, MAX_TABLES)) {
      const found = await understood(entity, form(entity))
      others.push(...found)
      if (found.length > 0) break
    }
  }
  return { about, others }
}

function isAlike(word: string, other: string): boolean {
  if (isSameWord(word, other)) return true
  const pairsOf = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))
  const [pairs, others] = [pairsOf(word), new Set(pairsOf(other))]
  const shared = pairs.filter((pair) => others.has(pair)).length
  return other.length > 3 && (2 * shared) / (pairs.length + others.size) >= MIN_ALIKE
}

/** “How many customers have the country France?”; of a name, what belongs to it. */
function withValue(entity: Entity, { column: name, value }: ValueHit): readonly string[] {
  const column = entity.attributes.find((one) => one.column.name === name)
  if (column === undefined) return []
  if (!entity.label.includes(column)) return [`How many ${nameOf(entity)} have the ${column.words.join(' ')} ${value}?`]
  const parts = entity.edges.filter(({ kind, to }) => kind === 'many' && !to.junction)
  return parts.map(({ to }) => `How many ${nameOf(to)} does ${value} have?`)
}

const questionByColumn = (column: Attribute): string =>
  isNumericAttribute(column)
    ? `What is the average ${column.words.join(' ')} of ${nameOf(column.entity)}?`
    : `How many ${nameOf(column.entity)} are there per ${column.words.join(' ')}?`

const howMany = (entity: Entity): readonly string[] => [`How many ${nameOf(entity)} are there?`]

const max = (entity: Entity): readonly string[] =>
  linksOf(entity)
    .filter(({ to }) => to.label.length > 0)
    .map(({ to }) => `Which five ${nameOf(to)} have the most ${nameOf(entity)}?`)

/** Only for tables that reference others, such as events: persons are not counted by month of birth. */
function overTime(entity: Entity): readonly string[] {
  const { attributes } = entity
  if (!attributes.some(isDate) || linksOf(entity).length === 0) return []
  const sums = attributes
    .filter((one) => isMoney(one) && /^(?:amount|total)$/.test(one.words.join(' ')))
    .map(
      ({ words }) => `What is the total${words[0] === 'total' ? '' : ` ${words[0]}`} of ${nameOf(entity)} per month?`,
    )
  return [...sums, `How many ${nameOf(entity)} per month?`]
}

/** Prefer tables with a time, an amount and an owner, which users ask about most. */
function weigh(entity: Entity): number {
  const { attributes } = entity
  return (attributes.some(isDate) ? 3 : 0) + (attributes.some(isMoney) ? 2 : 0) + Math.min(linksOf(entity).length, 3)
}

const linksOf = ({ edges }: Entity) => edges.filter(({ kind }) => kind === 'one')

/** In the plural, where its word is an English one; else as its table is called. */
function nameOf({ words, nouns }: Entity): string {
  const last = words.at(-1) ?? ''
  return singular(last) !== last || VOCABULARY.has(last) ? nouns : words.join(' ')
}
