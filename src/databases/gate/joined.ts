import { everySelect, itemsOf } from './figures.ts'
import { isTree, list, tree, type Tree } from './json.ts'
import { sourcesIn } from './repeats.ts'

/** A column as a query names it, in lower case; the source is empty where it names none. */
export interface NamedColumn {
  readonly source: string
  readonly name: string
}

/** What one SELECT links its tables by, and computes of all rows that come of it. */
export interface Joined {
  /** Tables by the names that columns call them by. */
  readonly sources: ReadonlyMap<string, string>
  readonly links: readonly (readonly [NamedColumn, NamedColumn])[]
  readonly aggregates: readonly {
    readonly name: string
    readonly columns: readonly NamedColumn[]
    readonly isDistinct: boolean
  }[]
  readonly groups: readonly NamedColumn[]
}

const MULTIPLIED = /^(?:sum|total|avg|count)$/

/** Reads sqlparser's tree of a query, or libpg-query's: the SELECTs of several tables. */
export function joinedIn(query: Tree): Joined[] {
  return everySelect(query).flatMap((select) => {
    const from = list(select['fromClause'] ?? select['from'])
    const all = from.flatMap((one) => sourcesIn(one, new Set()))
    const sources = new Map(all.flatMap(({ alias, table }) => (table === undefined ? [] : [[alias, table] as const])))
    if (sources.size < 2) return []
    const items = itemsOf(select)
    const groups = list(tree(select['group_by'])['Expressions'] ?? select['groupClause'])
    return [
      {
        sources,
        links: [...linksIn(from), ...linksIn(select['selection'] ?? select['whereClause'])],
        aggregates: aggregatesIn(items),
        groups: groups.flat().flatMap((group) => columnsIn(items[(placeOf(group) ?? 0) - 1] ?? group)),
      },
    ]
  })
}

function linksIn(node: unknown): (readonly [NamedColumn, NamedColumn])[] {
  if (Array.isArray(node)) return node.flatMap(linksIn)
  if (!isTree(node) || isQuery(node)) return []
  const { op, left, right, name, lexpr, rexpr } = tree(node['BinaryOp'] ?? node['A_Expr'])
  const operator = op ?? tree(tree(list(name)[0])['String'])['sval']
  const [one, other, ...more] = [left ?? lexpr, right ?? rexpr].flatMap(columnsIn)
  if ((operator === 'Eq' || operator === '=') && one && other && more.length === 0) return [[one, other]]
  return Object.values(node).flatMap(linksIn)
}

function aggregatesIn(node: unknown): Joined['aggregates'][number][] {
  if (Array.isArray(node)) return node.flatMap(aggregatesIn)
  if (!isTree(node) || isQuery(node)) return []
  const call = tree(node['Function'] ?? node['FuncCall'])
  const last = tree(list(call['name'] ?? call['funcname']).at(-1))
  const name = String(tree(last['Identifier'])['value'] ?? tree(last['String'])['sval'] ?? '').toLowerCase()
  // A window does not take rows together.
  if (!MULTIPLIED.test(name) || call['over'] != null) return Object.values(node).flatMap(aggregatesIn)
  return [{ name, columns: columnsIn(call['args']), isDistinct: isDistinct(call) }]
}

export function isDistinct(call: Tree): boolean {
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
function placeOf(node: unknown): number | undefined {
  const { Value, A_Const } = tree(node)
  const [digits] = list(tree(tree(Value)['value'])['Number'])
  const place = digits ?? tree(tree(A_Const)['ival'])['ival']
  return place === undefined ? undefined : Number(place)
}
