import type { DatabaseSchema } from '../../databases/schema.ts'
import { buildCatalogue, isDate, isMoney, type Edge, type Entity } from '../../terms/catalogue.ts'
import { singular } from '../../terms/words.ts'
import { VOCABULARY } from '../../terms/vocabulary.ts'
import { linkQuestion } from '../../question-to-sql/index.ts'
import type { LinkOptions } from '../../question-to-sql/types.ts'

/** Tables that are tried, the most telling ones first. */
const MOST_TABLES = 4

/**
 * Questions to ask of a database that nobody has said anything of: how many there are, over time, and of which most. Only those
 * that are understood when they are tried, by the table that they are about.
 */
export async function suggestQuestions(
  schema: DatabaseSchema,
  { today, terms }: Pick<LinkOptions, 'today' | 'terms'>,
): Promise<readonly string[]> {
  const told = buildCatalogue(schema, terms)
    .entities.filter(({ table, junction }) => table.kind === 'table' && !junction && table.approximateRows !== 0)
    .map((entity) => ({ entity, weight: weightOf(entity) }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_TABLES)
    .map(({ entity }) => entity)
  const isUnderstood = async (question: string, about: Entity): Promise<boolean> => {
    const options = {
      today,
      lookup: async (words: readonly string[]) => words.map(() => []),
      ...(terms === undefined ? {} : { terms }),
    }
    const linked = await linkQuestion(question, schema, options)
    return linked.kind === 'query' && linked.sql.includes(about.table.name)
  }
  const firstOf = async (forms: (entity: Entity) => readonly string[]): Promise<string | undefined> => {
    for (const entity of told) {
      for (const question of forms(entity)) if (await isUnderstood(question, entity)) return question
    }
    return undefined
  }
  const found = [
    await firstOf((entity) => [`How many ${called(entity)} are there?`]),
    await firstOf(overTime),
    await firstOf((entity) =>
      linksOf(entity)
        .filter(({ to }) => to.label.length > 0)
        .map(({ to }) => `Which five ${called(to)} have the most ${called(entity)}?`),
    ),
  ]
  return found.filter((question) => question !== undefined)
}

/** What happens at a time, costs something and is somebody's is what people ask about. */
function weightOf(entity: Entity): number {
  const { attributes } = entity
  return (attributes.some(isDate) ? 3 : 0) + (attributes.some(isMoney) ? 2 : 0) + Math.min(linksOf(entity).length, 3)
}

const linksOf = ({ edges }: Entity): readonly Edge[] => edges.filter(({ kind }) => kind === 'one')

/** Of what belongs to something else, as events do: a person is not born anew each month. */
function overTime(entity: Entity): readonly string[] {
  const { attributes } = entity
  if (!attributes.some(isDate) || linksOf(entity).length === 0) return []
  const nouns = called(entity)
  const sums = attributes
    .filter((one) => isMoney(one) && /^(?:amount|total)$/.test(one.words.join(' ')))
    .map(({ words }) => `${words[0] === 'total' ? 'Total' : `Total ${words.join(' ')}`} of ${nouns} per month`)
  return [...sums, `How many ${nouns} per month?`]
}

/** In the plural, where its word is one of English; else as its table is called. */
function called({ words, nouns }: Entity): string {
  const last = words.at(-1) ?? ''
  return singular(last) !== last || VOCABULARY.has(last) ? nouns : words.join(' ')
}
