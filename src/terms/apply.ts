import type { DatabaseSchema, ForeignKey } from '../databases/schema.ts'
import { TODAY, type Terms, type Verified } from './terms.ts'

/** The schema with the links that the terms add. */
export function withJoins(schema: DatabaseSchema, { joins }: Terms): DatabaseSchema {
  if (joins.length === 0) return schema
  const links = joins.map((join) => {
    const [from = '', to = ''] = join.split('=').map((side) => side.trim())
    const cut = (name: string): readonly [string, string] => [
      name.slice(0, name.lastIndexOf('.')),
      name.slice(name.lastIndexOf('.') + 1),
    ]
    const [[table, column], [target, referenced]] = [cut(from), cut(to)]
    return { table, key: { columns: [column], table: target, referencedColumns: [referenced] } satisfies ForeignKey }
  })
  return {
    ...schema,
    tables: schema.tables.map((table) => {
      const name = table.schema === undefined ? table.name : `${table.schema}.${table.name}`
      const own = links.flatMap((link) => (link.table === name ? [link.key] : []))
      return own.length === 0 ? table : { ...table, foreignKeys: [...table.foreignKeys, ...own] }
    }),
  }
}

/** Is the question one of the verified ones, but for case, blanks and what stands at its end? */
export function verifiedFor(terms: Terms, question: string): Verified | undefined {
  const plain = (text: string): string =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[\s?.!,:;]+/g, ' ')
      .trim()
  return terms.verified.find((pair) => plain(pair.question) === plain(question))
}

/** The terms as they are on a day, `YYYY-MM-DD`: it takes the place of `:today`. */
export function onDay(terms: Terms, day: string): Terms {
  const verified = terms.verified.map(({ question, sql }) => {
    const dated = sql.replace(TODAY, `'${day}'`)
    return { question, sql: dated, ...(dated === sql ? {} : { day }) }
  })
  return { ...terms, verified }
}

/** Days and months that the SQL of a pair always has, though its question names no such year. */
export function fixedDays({ question, sql, day }: Verified): readonly string[] {
  const said = new Set(question.match(/\b(?:19|20)\d\d\b/g)?.map(Number))
  const days = sql.match(/(?<=')(?:19|20)\d\d-\d\d(?:-\d\d)?\b/g) ?? []
  // What ends a year may be the first day of the next one.
  const isSaid = (text: string): boolean => said.has(Number(text.slice(0, 4))) || said.has(Number(text.slice(0, 4)) - 1)
  return [...new Set(days)].filter((text) => text !== day && !isSaid(text))
}

/** How many verified pairs a model is shown. */
const SHOWN = 3

/** The verified pairs that share the most words with a question, the best first. */
export function similarPairs(terms: Terms, question: string): Terms['verified'] {
  const asked = wordsOf(question)
  const scored = terms.verified.map((pair) => {
    const own = wordsOf(pair.question)
    const shared = [...own].filter((w) => asked.has(w)).length
    return { pair, score: shared / Math.max(1, asked.size + own.size - shared) }
  })
  return scored
    .filter((s) => s.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map((s) => s.pair)
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
}
