import type { ActorContext } from '../../domain/actor.ts'
import type { Dialect } from '../../databases/schema.ts'
import { hasUnfoldedLetters, isOneOf, lowerCase } from '../../databases/glossary/any-case.ts'
import { concatNames, quoteIdentifier, quoteLiteral } from '../../databases/glossary/dialect.ts'
import type { SqlTools } from '../../agents/sql/databases.ts'
import type { Lookup, Place, ValueHit } from './types.ts'

/** Columns per query, and characters of search terms per column: the SQL guard limits the length of literals. */
const COLUMNS_PER_QUERY = 12
const CHARS_PER_COLUMN = 900
/** Extra characters for a term with non-ASCII letters, which needs a longer pattern on SQLite. */
const CHARS_PER_PATTERN = CHARS_PER_COLUMN / 8
/** Rows per column and term: a value may be spelled in several ways. */
const HITS_PER_TERM = 3

/** Looks up words of the question in the data with the guarded query tool: whole cells, ignoring case. */
export function valueLookup(ctx: ActorContext, tools: SqlTools, database: string, dialect: Dialect): Lookup {
  /** Returns pairs of column index and value. */
  const ask = async (terms: readonly string[], columns: readonly Place[]): Promise<(readonly [number, string])[]> => {
    const sql = columns.map((column, n) => `SELECT * FROM (${columnQuery(column, n, terms, dialect)}) AS c${n}`)
    const { result } = await ctx.call(tools.query, { database, sql: sql.join('\nUNION ALL\n') })
    if (result.success) return result.data.map(([n, value]) => [Number(n), String(value)])
    ctx.note('TOOL', 'Words could not be looked up', { columns, terms, error: result.error })
    return []
  }
  return async (terms, columns) => {
    const hits = new Map(terms.map((term): [string, ValueHit[]] => [lowerCase(term), []]))
    for (let at = 0; at < columns.length; at += COLUMNS_PER_QUERY) {
      const part = columns.slice(at, at + COLUMNS_PER_QUERY)
      for (const some of togetherOf([...hits.keys()], dialect))
        for (const [n, value] of await ask(some, part))
          for (const term of some) if (isAlike(term, value)) hits.get(term)!.push({ ...part[n]!, value })
    }
    return terms.map((term) => hits.get(lowerCase(term))!)
  }
}

/** Some servers treat letters with and without accents as equal, or ignore trailing spaces. */
const LOOSE = new Intl.Collator('en', { sensitivity: 'base' })
const isAlike = (a: string, b: string): boolean => LOOSE.compare(a.trim(), b.trim()) === 0

/** Groups the terms into queries, such that no server treats two terms of a query as equal. */
function togetherOf(terms: readonly string[], dialect: Dialect): string[][] {
  const groups: { readonly terms: string[]; room: number }[] = []
  for (const term of terms) {
    // A backslash in a literal differs between servers; the SQL guard rejects it.
    if (term.includes('\\')) continue
    const pattern = dialect === 'sqlite' && hasUnfoldedLetters(term) ? CHARS_PER_PATTERN : 0
    const length = quoteLiteral(term, dialect).length + 2 + pattern
    let group = groups.find(({ room, terms: others }) => room >= length && !others.some((one) => isAlike(one, term)))
    if (group === undefined) groups.push((group = { terms: [], room: CHARS_PER_COLUMN }))
    group.terms.push(term)
    group.room -= length
  }
  return groups.map((group) => group.terms)
}

function quotedTable(table: string, dialect: Dialect): string {
  return table
    .split('.')
    .map((part) => quoteIdentifier(part, dialect))
    .join('.')
}

function columnQuery(place: Place, index: number, terms: readonly string[], dialect: Dialect): string {
  const { table, column, second } = place
  const names = [column, ...(second === undefined ? [] : [second])].map((name) => quoteIdentifier(name, dialect))
  const name = concatNames(
    names.map((sql) => ({ sql, nullable: false })),
    dialect,
  )
  const from = quotedTable(table, dialect)
  // Comparing an enum, array or uuid column with a text would fail the whole query.
  const value = dialect === 'postgres' ? `CAST(${name} AS text)` : name
  return `SELECT DISTINCT ${index} AS n, ${value} AS v FROM ${from} WHERE ${isOneOf(value, terms, dialect)} LIMIT ${HITS_PER_TERM * terms.length}`
}
