import { ruleText } from '../../../core/rule-text.ts'
import { plural, sameWord, singular } from '../../../terms/words.ts'
import type { Database } from '../open.ts'
import type { ProposedQuery } from './proposal.ts'
import { isSchema, tablesIn } from '../../../terms/tables.ts'

/** “… in shop?”, “from the database shop”: which database is meant. */
const IN_PLACE =
  /,?\s+(?:in|from|on|of|using)\s+(?:the\s+)?(?:database\s+)?["“']?([\p{L}\p{N}_.-]+?)["”']?(?:\s+database)?(?=\s*(?:[?!.,;]|$))/giu

/** The databases that a question names, or else all, and the question without their names. */
export function meantIn(
  question: string,
  databases: readonly Database[],
): { readonly databases: readonly Database[]; readonly question: string } {
  if (databases.length < 2) return { databases, question }
  const places = [...ruleText(question).matchAll(IN_PLACE)].flatMap(({ 0: phrase, 1: name }) => {
    const database = databases.find(({ source }) => source.name.toLowerCase() === name!.toLowerCase())
    return database === undefined || isTable(name!, databases) ? [] : [{ phrase, database }]
  })
  if (places.length === 0) return { databases, question }
  return {
    databases: databases.filter((one) => places.some(({ database }) => database === one)),
    question: places.reduce((rest, { phrase }) => rest.replace(phrase, ''), question),
  }
}

function isTable(name: string, databases: readonly Database[]): boolean {
  return databases.some(
    ({ schema }) =>
      isSchema(schema) && schema.tables.some((table) => sameWord(table.name.toLowerCase(), name.toLowerCase())),
  )
}

/**
 * Which others hold what a query was made over, or have the words that rules read: that this one was asked is a choice, which a
 * reader must see.
 */
export function alsoIn(
  { database: { source, schema }, also }: Pick<ProposedQuery, 'database' | 'also'>,
  sql: string,
  databases: readonly Database[],
): string[] {
  const asked = isSchema(schema) ? tablesIn(sql, schema).map(({ name }) => name) : []
  const nouns = asked.map((name) => plural(singular(name.toLowerCase().replaceAll('_', ' ')))).join(' and ')
  return databases.flatMap(({ source: other, schema: its }) => {
    if (other === source || !isSchema(its)) return []
    const hasAll = asked.every((name) =>
      its.tables.some((table) => sameWord(table.name.toLowerCase(), name.toLowerCase())),
    )
    const has = asked.length > 0 && hasAll ? nouns : also?.get(other.name)
    if (has === undefined) return []
    return [`Asked was the database “${source.name}”; “${other.name}” has ${has}, too: name it to ask it.`]
  })
}
