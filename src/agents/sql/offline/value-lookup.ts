import type { ActorContext } from '../../../core/actor.ts'
import type { Dialect } from '../../../databases/schema.ts'
import type { Place, ValueHit, ValueLookup } from '../../../question-to-sql/index.ts'
import { isForeign, isOneOf, smallOf } from '../../../terms/any-case.ts'
import { quoteName, quoteText } from '../../../terms/dialect.ts'
import type { SqlTools } from '../tools.ts'

/** Columns asked about in one query, and characters of what is looked for in each: the gate takes texts of some length. */
const COLUMNS_A_QUERY = 12
const CHARACTERS_A_COLUMN = 900
/** The room of one that SQLite is given as a pattern, which is longer, and a condition of its own. */
const CHARACTERS_A_PATTERN = CHARACTERS_A_COLUMN / 8
/** Rows of a column: for one term, and for several together. */
const HITS_A_TERM = 3
const MOST_HITS = 8

/**
 * Looks words of the question up in the data, through the same gated and journalled tool as any query. Whole cells,
 * case aside.
 */
export function valueLookup(ctx: ActorContext, tools: SqlTools, database: string, dialect: Dialect): ValueLookup {
  /** Of each column what it has. */
  const ask = async (terms: readonly string[], columns: readonly Place[]): Promise<string[][]> => {
    const found = columns.map((): string[] => [])
    const sql = columns.map((column, n) => `SELECT * FROM (${columnQuery(column, n, terms, dialect)}) AS c${n}`)
    const { result } = await ctx.call(tools.query, { database, sql: sql.join('\nUNION ALL\n') })
    if (result.success) for (const [n, value] of result.data) found[Number(n)]?.push(String(value))
    else ctx.note('TOOL', 'Words could not be looked up', { columns, terms, error: result.error })
    return found
  }
  const find: ValueLookup = async (terms, columns) => {
    const hits = new Map(terms.map((term): [string, ValueHit[]] => [smallOf(term), []]))
    for (let at = 0; at < columns.length; at += COLUMNS_A_QUERY) {
      const part = columns.slice(at, at + COLUMNS_A_QUERY)
      for (const some of togetherOf([...hits.keys()], dialect)) {
        for (const [n, found] of (await ask(some, part)).entries()) {
          const place = part[n]!
          // Cut off, or compared by other rules than ours: only the server can say whose they are.
          const isClear = found.length < MOST_HITS && found.every((value) => some.includes(smallOf(value)))
          const add = (term: string, values: readonly string[]): void =>
            void hits.get(term)!.push(...values.map((value) => ({ ...place, value })))
          if (some.length === 1) add(some[0]!, found)
          else if (isClear) for (const value of found) add(smallOf(value), [value])
          else for (const term of some) add(term, (await ask([term], [place]))[0]!)
        }
      }
    }
    return terms.map((term) => hits.get(smallOf(term))!)
  }
  const few: ValueLookup['few'] = async (table, column, most) => {
    const [name, from] = [quoteName(column, dialect), quotedTable(table, dialect)]
    const sql = `SELECT DISTINCT ${name} FROM ${from} WHERE ${name} IS NOT NULL LIMIT ${most + 1}`
    const { result } = await ctx.call(tools.query, { database, sql })
    return result.success && result.data.length <= most ? result.data.map(([value]) => String(value)) : undefined
  }
  return Object.assign(find, { few })
}

/** Some servers take letters with and without their accents for the same, or leave out blanks at the end. */
const LOOSE = new Intl.Collator('en', { sensitivity: 'base' })
const isAlike = (a: string, b: string): boolean => LOOSE.compare(a.trim(), b.trim()) === 0

/** Terms that one query looks for: as many as it may, of which no server takes two for the same. */
function togetherOf(terms: readonly string[], dialect: Dialect): string[][] {
  const groups: { readonly terms: string[]; room: number }[] = []
  for (const term of terms) {
    // A backslash in a literal means different things to different servers; the gate refuses it.
    if (term.includes('\\')) continue
    const pattern = dialect === 'sqlite' && isForeign(term) ? CHARACTERS_A_PATTERN : 0
    const length = quoteText(term, dialect).length + 2 + pattern
    let group = groups.find(({ room, terms: others }) => room >= length && !others.some((one) => isAlike(one, term)))
    if (group === undefined) groups.push((group = { terms: [], room: CHARACTERS_A_COLUMN }))
    group.terms.push(term)
    group.room -= length
  }
  return groups.map((group) => group.terms)
}

function quotedTable(table: string, dialect: Dialect): string {
  return table
    .split('.')
    .map((part) => quoteName(part, dialect))
    .join('.')
}

function columnQuery({ table, column }: Place, index: number, terms: readonly string[], dialect: Dialect): string {
  const name = quoteName(column, dialect)
  const from = quotedTable(table, dialect)
  const most = terms.length === 1 ? HITS_A_TERM : MOST_HITS
  // An enum, an array or a uuid would fail the query, and with it what is asked of the other columns.
  const value = dialect === 'postgres' ? `CAST(${name} AS text)` : name
  return `SELECT DISTINCT ${index} AS n, ${value} AS v FROM ${from} WHERE ${isOneOf(value, terms, dialect)} LIMIT ${most}`
}
