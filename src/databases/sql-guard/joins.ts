import { isTree, list, tree, type Tree } from './json.ts'

/** A column as a query names it, in lower case; the source is empty where it names none. */
export interface NamedColumn {
  readonly source: string
  readonly name: string
}

/** A SELECT over several tables: its join columns and the aggregates over the joined rows. */
export interface JoinedSelect {
  /** Tables by the names that columns call them by. */
  readonly sources: ReadonlyMap<string, string>
  /** Pairs of columns that are compared for equality. */
  readonly links: readonly (readonly [NamedColumn, NamedColumn])[]
  /** Calls of SUM, TOTAL, AVG and COUNT without DISTINCT; a count of all rows has no columns. */
  readonly aggregates: readonly { readonly name: string; readonly columns: readonly NamedColumn[] }[]
  readonly groups: readonly NamedColumn[]
}

/** Aggregates whose result changes if a row is joined several times. */
const AGGREGATE = /^(?:sum|total|avg|count)$/

/** Reads sqlparser's tree of a query, or libpg-query's: its SELECTs over several tables. */
export function joinsOf(query: Tree): JoinedSelect[] {
  const nodes = nodesIn(query)
  const ctes = new Set(nodes.flatMap(cteNames))
  const selects = nodes.filter((node) => 'projection' in node || 'targetList' in node)
  return selects.flatMap((select) => {
    const from = list(select['fromClause'] ?? select['from'])
    const all = from.flatMap((one) => sourcesIn(one, ctes))
    const sources = new Map(all.flatMap(({ alias, table }) => (table === undefined ? [] : [[alias, table] as const])))
    if (sources.size < 2) return []
    const items = list(select['projection'] ?? select['targetList'])
    const groups = list(tree(select['group_by'])['Expressions'] ?? select['groupClause'])
    return [
      {
        sources,
        links: [...linksIn(from), ...linksIn(select['selection'] ?? select['whereClause'])],
        aggregates: aggregatesIn(items),
        groups: groups.flat().flatMap((group) => columnsIn(items[(columnPosition(group) ?? 0) - 1] ?? group)),
      },
    ]
  })
}

function nodesIn(node: unknown, found: Tree[] = []): readonly Tree[] {
  if (typeof node !== 'object' || node === null) return found
  found.push(node as Tree)
  for (const inner of Object.values(node)) nodesIn(inner, found)
  return found
}

function cteNames({ cte_tables: tables, CommonTableExpr }: Tree): string[] {
  const names = list(tables).map((one) => tree(tree(tree(one)['alias'])['name'])['value'])
  const all = [...names, tree(CommonTableExpr)['ctename']]
  return all.flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []))
}

interface Source {
  /** As columns name it. */
  readonly alias: string
  /** Present for tables of the database. */
  readonly table?: string
}

function sourcesIn(node: unknown, ctes: ReadonlySet<string>): Source[] {
  const { relation, joins, JoinExpr, RangeVar } = tree(node)
  if (relation !== undefined) {
    return [relation, ...list(joins).map((join) => tree(join)['relation'])].flatMap((one) => {
      const { Table, Derived, NestedJoin } = tree(one)
      if (NestedJoin !== undefined) return sourcesIn(tree(NestedJoin)['table_with_joins'], ctes)
      const { name, alias, args } = tree(Table ?? Derived)
      const table = tree(tree(list(name).at(-1))['Identifier'])['value']
      return sourceOf(table, tree(tree(alias)['name'])['value'], args != null, ctes)
    })
  }
  if (JoinExpr !== undefined) {
    const { larg, rarg } = tree(JoinExpr)
    return [...sourcesIn(larg, ctes), ...sourcesIn(rarg, ctes)]
  }
  const { relname, alias } = tree(RangeVar)
  return sourceOf(relname, tree(alias)['aliasname'], false, ctes)
}

function sourceOf(table: unknown, alias: unknown, isCall: boolean, ctes: ReadonlySet<string>): Source[] {
  const name = alias ?? table
  if (typeof name !== 'string') return []
  const isTable = typeof table === 'string' && !isCall && !ctes.has(table.toLowerCase())
  return [{ alias: name.toLowerCase(), ...(isTable ? { table } : {}) }]
}

function linksIn(node: unknown): (readonly [NamedColumn, NamedColumn])[] {
  if (Array.isArray(node)) return node.flatMap(linksIn)
  if (!isTree(node) || isQuery(node)) return []
  const { op, left, right, name, lexpr, rexpr } = tree(node['BinaryOp'] ?? node['A_Expr'])
  const operator = op ?? tree(tree(list(name)[0])['String'])['sval']
  const [one, other, ...more] = [left ?? lexpr, right ?? rexpr].flatMap(columnsIn)
  if ((operator === 'Eq' || operator === '=') && one && other && more.length === 0) return [[one, other]]
  return [...usingIn(node), ...Object.values(node).flatMap(linksIn)]
}

/** JOIN … USING (a): the column is one of both sides. */
function usingIn({ Using, usingClause }: Tree): (readonly [NamedColumn, NamedColumn])[] {
  const ofSqlparser = list(Using).map((part) => tree(tree(list(part).at(-1) ?? part)['Identifier'] ?? part)['value'])
  const ofPostgres = list(usingClause).map((part) => tree(tree(part)['String'])['sval'])
  return [...ofSqlparser, ...ofPostgres].flatMap((name) => {
    if (typeof name !== 'string') return []
    const column = { source: '', name: name.toLowerCase() }
    return [[column, column] as const]
  })
}

function aggregatesIn(node: unknown): JoinedSelect['aggregates'][number][] {
  if (Array.isArray(node)) return node.flatMap(aggregatesIn)
  if (!isTree(node) || isQuery(node)) return []
  const call = tree(node['Function'] ?? node['FuncCall'])
  const last = tree(list(call['name'] ?? call['funcname']).at(-1))
  const name = String(tree(last['Identifier'])['value'] ?? tree(last['String'])['sval'] ?? '').toLowerCase()
  // A window does not aggregate rows.
  const isAggregate = AGGREGATE.test(name) && call['over'] == null
  if (!isAggregate) return Object.values(node).flatMap(aggregatesIn)
  return isDistinct(call) ? [] : [{ name, columns: columnsIn(call['args']) }]
}

function isDistinct(call: Tree): boolean {
  return call['agg_distinct'] === true || tree(tree(call['args'])['List'])['duplicate_treatment'] === 'Distinct'
}

function columnsIn(node: unknown): NamedColumn[] {
  if (Array.isArray(node)) return node.flatMap(columnsIn)
  if (!isTree(node) || isQuery(node)) return []
  const { Identifier, CompoundIdentifier, ColumnRef } = node
  const parts =
    CompoundIdentifier === undefined
      ? list(tree(ColumnRef)['fields']).map((part) => tree(tree(part)['String'])['sval'])
      : list(CompoundIdentifier).map((part) => tree(part)['value'])
  const [name, source = ''] = Identifier === undefined ? parts.toReversed() : [tree(Identifier)['value']]
  if (typeof name === 'string') return [{ source: String(source).toLowerCase(), name: name.toLowerCase() }]
  return Object.entries(node).flatMap(([key, inner]) => (key === 'name' || key === 'funcname' ? [] : columnsIn(inner)))
}

function isQuery(node: Tree): boolean {
  return ['subquery', 'Subquery', 'SubLink', 'RangeSubselect', 'Derived'].some((kind) => kind in node)
}

/** GROUP BY 2. */
function columnPosition(node: unknown): number | undefined {
  const { Value, A_Const } = tree(node)
  const [digits] = list(tree(tree(Value)['value'])['Number'])
  const place = digits ?? tree(tree(A_Const)['ival'])['ival']
  return place === undefined ? undefined : Number(place)
}
