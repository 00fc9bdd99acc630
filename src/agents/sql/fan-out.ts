import type { JoinedSelect, NamedColumn } from '../../databases/sql-guard/index.ts'
import type { DatabaseSchema, TableSchema } from '../../databases/schema.ts'
import { fullName } from '../../databases/glossary/tables.ts'

/** An aggregate over rows that a join repeats. */
export interface FanOut {
  /** As the query calls it: `SUM`. */
  readonly aggregate: string
  /** The table whose rows are aggregated, and the joined table that repeats them. */
  readonly table: string
  readonly repeatedBy: string
}

/** Finds sums, averages and counts of a table's columns over joins that repeat its rows, by the foreign keys of the schema. */
export function fanOutsIn(joins: readonly JoinedSelect[], schema: DatabaseSchema): readonly FanOut[] {
  const found = joins.flatMap((select) => {
    const tables = tablesOf(select, schema)
    return select.aggregates.flatMap(({ name, columns }): FanOut[] => {
      const own = columns.map((column) => sourcesOf(column, tables))
      if (own.length === 0 || own.some(({ length }) => length !== 1)) return []
      const repeated = [...new Set(own.flat())].map((source) => {
        return { table: tables.get(source)!, many: repeatedBy(new Set([source]), select, tables) }
      })
      // Each value belongs to a row of the finest of its tables; if no join repeats that table, it counts once.
      if (repeated.some(({ many }) => many === undefined)) return []
      const finest = repeated.find(({ many }) => !repeated.some(({ table }) => table === many))
      if (finest?.many === undefined) return []
      return [{ aggregate: name.toUpperCase(), table: fullName(finest.table), repeatedBy: fullName(finest.many) }]
    })
  })
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

type Tables = ReadonlyMap<string, TableSchema>

function tablesOf({ sources }: JoinedSelect, { tables }: DatabaseSchema): Tables {
  return new Map(
    [...sources].flatMap(([source, name]) => {
      const found = tables.filter((table) => isCalled(table.name, name))
      return found.length === 1 ? [[source, found[0]!] as const] : []
    }),
  )
}

/** The sources that a column may be of. */
function sourcesOf({ source, name }: NamedColumn, tables: Tables): readonly string[] {
  if (source !== '') return tables.has(source) ? [source] : []
  return [...tables].flatMap(([one, { columns }]) =>
    columns.some((column) => isCalled(column.name, name)) ? [one] : [],
  )
}

/** The first joined table with several rows for one row of the table before it. */
function repeatedBy(
  from: ReadonlySet<string>,
  { links, groups }: JoinedSelect,
  tables: Tables,
): TableSchema | undefined {
  const reached = new Set(from)
  for (const near of reached) {
    for (const far of tables.keys()) {
      if (reached.has(far)) continue
      const linked = linkedColumns(near, far, links, tables)
      if (linked.length === 0) continue
      const [one, other] = [tables.get(near)!, tables.get(far)!]
      if (!isMany(one, other, linked)) reached.add(far)
      else if (!isGroupedBy(far, other, groups, tables)) return other
    }
  }
  return undefined
}

/** Columns of `far` that are compared with columns of `near`. */
function linkedColumns(near: string, far: string, links: JoinedSelect['links'], tables: Tables): readonly string[] {
  return links.flatMap(([a, b]) =>
    [
      [a, b],
      [b, a],
    ].flatMap(([one, other]) =>
      sourcesOf(one!, tables).includes(near) && sourcesOf(other!, tables).includes(far) ? [other!.name] : [],
    ),
  )
}

/** Whether several rows of `other` may belong to one row of `one`: it has a foreign key to it, which is not its primary key. */
function isMany(one: TableSchema, other: TableSchema, linked: readonly string[]): boolean {
  const isLinked = (column: string): boolean => linked.some((name) => isCalled(column, name))
  const pointsAt = other.foreignKeys.some(
    ({ table, columns }) => isCalled(table, fullName(one)) && columns.every(isLinked),
  )
  const key = other.columns.filter(({ primaryKey }) => primaryKey)
  return pointsAt && (key.length === 0 || !key.every(({ name }) => isLinked(name)))
}

/** Grouped by the key of the table, each group has one of its rows. */
function isGroupedBy(
  source: string,
  { columns }: TableSchema,
  groups: JoinedSelect['groups'],
  tables: Tables,
): boolean {
  const key = columns.filter(({ primaryKey }) => primaryKey)
  return (
    key.length > 0 &&
    key.every(({ name }) =>
      groups.some((group) => isCalled(name, group.name) && sourcesOf(group, tables).includes(source)),
    )
  )
}

function isCalled(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase()
}
