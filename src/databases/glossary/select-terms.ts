import { columnNamesIn } from './sql-text.ts'
import { withoutTexts, type Terms } from './terms.ts'

/**
 * The terms of the tables that may be read.
 * @param tables as `x` or `schema.x`
 * @returns also the names of the entries about other tables, which are left out
 */
export function withinTables(terms: Terms, tables: readonly string[]): { terms: Terms; leftOut: readonly string[] } {
  const listed = tables.map((table) => table.toLowerCase())
  const bare = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
  const isListed = (table: string): boolean => {
    const name = table.toLowerCase()
    return listed.some(
      (one) => one === name || (bare(one) === bare(name) && (bare(one) === one || bare(name) === name)),
    )
  }
  const tableOf = (column: string): string => column.slice(0, column.lastIndexOf('.'))
  const isWithin = (sql = ''): boolean =>
    columnNamesIn(sql).every((name) => !name.includes('.') || isListed(tableOf(name)))
  const leftOut: string[] = []
  const keep = (isKept: boolean, entry: string): boolean => {
    if (!isKept) leftOut.push(entry)
    return isKept
  }
  const entries = <T>(section: string, all: Readonly<Record<string, T>>, isKept: (name: string, value: T) => boolean) =>
    Object.fromEntries(Object.entries(all).filter(([name, value]) => keep(isKept(name, value), `${section}.${name}`)))
  const selected: Terms = {
    tables: entries('tables', terms.tables, (name, { where }) => isListed(name) && isWithin(where)),
    columns: entries('columns', terms.columns, (name) => isListed(tableOf(name))),
    metrics: entries('metrics', terms.metrics, (_name, { of, value, where }) => {
      return isListed(of) && isWithin(value) && isWithin(where)
    }),
    joins: terms.joins.filter((join) => {
      return keep(
        join.split('=').every((side) => isListed(tableOf(side.trim()))),
        `joins: ${join}`,
      )
    }),
    verified: terms.verified.filter(({ question, sql }) => {
      return keep(tablesIn(sql).every(isListed), `verified: ${question}`)
    }),
  }
  return { terms: selected, leftOut }
}

/** What a query reads, its own `WITH` queries left out. */
function tablesIn(sql: string): readonly string[] {
  const bare = withoutTexts(sql)
  const own = new Set([...bare.matchAll(/(\w+)\s+AS\s*\(/gi)].map(([, name]) => name!.toLowerCase()))
  const read = [...bare.matchAll(/\b(?:FROM|JOIN)\s+(\w+(?:\.\w+)*)(?![\w.]|\s*\()/gi)].map(([, name]) => name!)
  return read.filter((name) => !own.has(name.toLowerCase()))
}
