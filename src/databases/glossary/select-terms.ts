import { columnNamesIn } from './sql-text.ts'
import { withoutTexts, type Terms } from './terms.ts'

/**
 * The terms of the tables that may be read.
 * @param tables as `x` or `schema.x`
 */
export function withinTables(terms: Terms, tables: readonly string[]): Terms {
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
  const entries = <T>(all: Readonly<Record<string, T>>, isKept: (name: string, value: T) => boolean) =>
    Object.fromEntries(Object.entries(all).filter(([name, value]) => isKept(name, value)))
  return {
    tables: entries(terms.tables, (name, { where }) => isListed(name) && isWithin(where)),
    columns: entries(terms.columns, (name) => isListed(tableOf(name))),
    metrics: entries(
      terms.metrics,
      (_name, { of, value, where }) => isListed(of) && isWithin(value) && isWithin(where),
    ),
    joins: terms.joins.filter((join) => join.split('=').every((side) => isListed(tableOf(side.trim())))),
    verified: terms.verified.filter(({ sql }) => tablesIn(sql).every(isListed)),
  }
}

/** What a query reads, its own `WITH` queries left out. */
function tablesIn(sql: string): readonly string[] {
  const bare = withoutTexts(sql)
  const own = new Set([...bare.matchAll(/(\w+)\s+AS\s*\(/gi)].map(([, name]) => name!.toLowerCase()))
  const read = [...bare.matchAll(/\b(?:FROM|JOIN)\s+(\w+(?:\.\w+)*)(?![\w.]|\s*\()/gi)].map(([, name]) => name!)
  return read.filter((name) => !own.has(name.toLowerCase()))
}
