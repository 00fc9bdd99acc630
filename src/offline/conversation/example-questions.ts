import type { DatabaseSchema } from '../../databases/schema.ts'
import { buildCatalogue, isDate, isMoney, type Entity } from '../../databases/glossary/catalogue.ts'
import { VOCABULARY } from '../../databases/glossary/vocabulary.ts'
import { singular } from '../../databases/glossary/words.ts'
import { linkQuestion } from '../sql/link.ts'
import type { LinkOptions } from '../sql/types.ts'
import { tablesNamed } from '../sql/names.ts'

/** Number of tables that are tried. */
const MAX_TABLES = 6

export interface Examples {
  /** About the tables that the declined question names. */
  readonly related: readonly string[]
  readonly others: readonly string[]
}

/** Questions about a database that are understood, at most one of each form. */
export async function exampleQuestions(
  asked: string,
  schema: DatabaseSchema,
  options: Pick<LinkOptions, 'today' | 'terms'>,
): Promise<Examples> {
  const catalogue = buildCatalogue(schema, options.terms)
  const namedTables = tablesNamed(asked, catalogue)
  const entities = catalogue.entities
    .filter(({ table, junction }) => table.kind === 'table' && !junction && table.approximateRows !== 0)
    .toSorted((a, b) => weigh(b) - weigh(a))
  const lookup = async (terms: readonly string[]) => terms.map(() => [])
  const firstOf = async (form: Form, tables: readonly Entity[]): Promise<string[]> => {
    for (const entity of tables.slice(0, MAX_TABLES)) {
      for (const question of form(entity)) {
        const linked = await linkQuestion(question, schema, { ...options, lookup })
        if (linked.kind === 'query' && linked.sql.includes(entity.table.name)) return [question]
      }
    }
    return []
  }
  const examplesOf = async (tables: readonly Entity[]): Promise<string[]> =>
    (await Promise.all([howMany, overTime, most].map((form) => firstOf(form, tables)))).flat()
  return {
    related: await examplesOf(entities.filter((one) => namedTables.has(one))),
    others: await examplesOf(entities),
  }
}

type Form = (entity: Entity) => readonly string[]

const howMany: Form = (entity) => [`How many ${nameOf(entity)} are there?`]

const most: Form = (entity) =>
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
