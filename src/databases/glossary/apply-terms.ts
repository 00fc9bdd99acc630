import type { DatabaseSchema, ForeignKey } from '../schema.ts'
import { fullName } from './tables.ts'
import { fillDay, type Terms, type Verified } from './terms.ts'

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
      const name = fullName(table)
      const own = links.flatMap((link) => (link.table === name ? [link.key] : []))
      return own.length === 0 ? table : { ...table, foreignKeys: [...table.foreignKeys, ...own] }
    }),
  }
}

/** Whether the question equals a verified one, ignoring case, spaces and the final punctuation. */
export function findVerified(terms: Terms, question: string): Verified | undefined {
  const plain = (text: string): string =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[\s?.!,:;]+/g, ' ')
      .trim()
  return terms.verified.find((pair) => plain(pair.question) === plain(question))
}

/** The terms as they are on a day, `YYYY-MM-DD`: it takes the place of `:today`. */
export function withDay(terms: Terms, day: string): Terms {
  const verified = terms.verified.map(({ question, sql }) => {
    const datedSql = fillDay(sql, day)
    return { question, sql: datedSql, ...(datedSql === sql ? {} : { day }) }
  })
  return { ...terms, verified }
}

/** How many verified pairs a model is shown. */
const SHOWN = 3
/** Share of the words of both questions that they have in common, at least. */
const MIN_SIMILARITY = 0.25

/** The verified pairs that share the most words with a question, the best first. */
export function similarPairs(terms: Terms, question: string): Terms['verified'] {
  const questionWords = wordsOf(question)
  const scored = terms.verified.map((pair) => {
    const own = wordsOf(pair.question)
    const shared = [...own].filter((w) => questionWords.has(w)).length
    return { pair, score: shared / Math.max(1, questionWords.size + own.size - shared) }
  })
  return scored
    .filter((s) => s.score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map((s) => s.pair)
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
}
