import type { ActorContext } from '../../core/actor.ts'
import type { Dialect } from '../../databases/schema.ts'
import type { ValueHit, ValueLookup } from '../../question-to-sql/index.ts'
import { quoteName } from '../../terms/dialect.ts'
import type { SqlTools } from './tools.ts'

/** Columns asked about in one query. */
const COLUMNS_A_QUERY = 12
const HITS_A_COLUMN = 3

/**
 * Looks a word of the question up in the data, through the same gated and journalled tool as any query. Whole cells,
 * case aside.
 */
export function valueLookup(ctx: ActorContext, tools: SqlTools, database: string, dialect: Dialect): ValueLookup {
  const find: ValueLookup = async (term, columns) => {
    // A backslash in a literal means different things to different servers; the gate refuses it.
    if (term.includes('\\') || columns.length === 0) return []
    const hits: ValueHit[] = []
    for (let i = 0; i < columns.length; i += COLUMNS_A_QUERY) {
      const part = columns.slice(i, i + COLUMNS_A_QUERY)
      const sql = part.map((column, n) => `SELECT * FROM (${columnQuery(column, n, term, dialect)}) AS c${n}`)
      const { result } = await ctx.call(tools.query, { database, sql: sql.join('\nUNION ALL\n') })
      if (!result.success) continue // a column of an odd type; the others of this part are rarely needed alone
      for (const [index, value] of result.data) hits.push({ ...part[Number(index)]!, value: String(value) })
    }
    return hits
  }
  const few: ValueLookup['few'] = async (table, column, most) => {
    const [name, from] = [quoteName(column, dialect), quotedTable(table, dialect)]
    const sql = `SELECT DISTINCT ${name} FROM ${from} WHERE ${name} IS NOT NULL LIMIT ${most + 1}`
    const { result } = await ctx.call(tools.query, { database, sql })
    return result.success && result.data.length <= most ? result.data.map(([value]) => String(value)) : undefined
  }
  return Object.assign(find, { few })
}

function quotedTable(table: string, dialect: Dialect): string {
  return table
    .split('.')
    .map((part) => quoteName(part, dialect))
    .join('.')
}

function columnQuery(
  { table, column }: { table: string; column: string },
  index: number,
  term: string,
  dialect: Dialect,
): string {
  const name = quoteName(column, dialect)
  const from = quotedTable(table, dialect)
  const literal = `'${term.toLowerCase().replaceAll("'", "''")}'`
  return `SELECT DISTINCT ${index} AS n, ${name} AS v FROM ${from} WHERE lower(${name}) = ${literal} LIMIT ${HITS_A_COLUMN}`
}
