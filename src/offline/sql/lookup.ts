import type { SqlTools } from '../../agents/sql/databases.ts'
import { equalsAny } from '../../databases/glossary/case-folding.ts'
import { concatNames, quoteIdentifier } from '../../databases/glossary/dialect.ts'
import type { Dialect } from '../../databases/schema.ts'
import type { ActorContext } from '../../domain/actor.ts'
import type { Lookup, Place, ValueHit } from './types.ts'

/** Columns and terms of one query, and characters of a term: the SQL guard limits the length of literals. */
const COLUMNS_PER_QUERY = 12
const TERMS_PER_QUERY = 12
const MAX_TERM = 70
/** Rows per column and term: a value may be spelled in several ways. */
const HITS_PER_TERM = 3

/** Looks up words of the question in the data with the guarded query tool: whole cells, ignoring case. */
export function valueLookup(ctx: ActorContext, tools: SqlTools, database: string, dialect: Dialect): Lookup {
  const ask = async (terms: readonly string[], columns: readonly Place[]): Promise<ValueHit[]> => {
    const parts = columns.map((column, n) => `SELECT * FROM (${columnQuery(column, n, terms, dialect)}) AS c${n}`)
    const { result } = await ctx.call(tools.query, { database, sql: parts.join('\nUNION ALL\n') })
    if (result.success) return result.data.map(([n, value]) => ({ ...columns[Number(n)]!, value: String(value) }))
    ctx.note('TOOL', 'Words could not be looked up', { columns, terms, error: result.error })
    return []
  }
  return async (terms, columns) => {
    // A backslash in a literal differs between servers; the SQL guard rejects it.
    const sought = [...new Set(terms)].filter((one) => one.length <= MAX_TERM && !one.includes('\\'))
    const hits = new Map<string, ValueHit>()
    for (const part of chunks(columns, COLUMNS_PER_QUERY))
      for (const batch of chunks(sought, TERMS_PER_QUERY))
        for (const hit of await ask(batch, part)) hits.set(JSON.stringify(hit), hit)
    return terms.map((term) => [...hits.values()].filter(({ value }) => isAlike(term, value)))
  }
}

/** Some servers treat letters with and without accents as equal, or ignore trailing spaces. */
const LOOSE = new Intl.Collator('en', { sensitivity: 'base' })
const isAlike = (a: string, b: string): boolean => LOOSE.compare(a.trim(), b.trim()) === 0

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

function columnQuery({ table, column, second }: Place, n: number, terms: readonly string[], dialect: Dialect): string {
  const names = second === undefined ? [column] : [column, second]
  const name = concatNames(
    names.map((one) => ({ sql: quoteIdentifier(one, dialect), nullable: false })),
    dialect,
  )
  const from = table.split('.').map((part) => quoteIdentifier(part, dialect))
  // Comparing an enum, array or uuid column with a text would fail the whole query.
  const value = dialect === 'postgres' ? `CAST(${name} AS text)` : name
  return `SELECT DISTINCT ${n} AS n, ${value} AS v FROM ${from.join('.')} WHERE ${equalsAny(value, terms, dialect)} LIMIT ${HITS_PER_TERM * terms.length}`
}
