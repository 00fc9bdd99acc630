import { isTree, list, tree, type Tree } from './json.ts'

/** What a query does to the number of its rows other than by conditions. */
export interface Repeats {
  /** Tables whose rows are each paired with every row of another one. */
  readonly unlinked: readonly string[]
  /** Tables that one part of a UNION takes whole and another one by conditions. */
  readonly whole: readonly string[]
  /** What is done to a count: `* 2`. */
  readonly factors: readonly string[]
}

interface Source {
  /** As columns name it. */
  readonly alias: string
  /** Present for tables of the database. */
  readonly table?: string
}

const SIGNS: Readonly<Record<string, string>> = { Multiply: '*', Plus: '+', Minus: '-', '*': '*', '+': '+', '-': '-' }

/** Reads sqlparser's tree of a query, or libpg-query's. */
export function repeatsOf(query: Tree): Repeats {
  const found = { unlinked: [] as string[], whole: [] as string[], factors: [] as string[] }
  const visit = (node: unknown, ctes: ReadonlySet<string>, isDivided: boolean): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, ctes, isDivided))
    if (!isTree(node)) return
    const own = new Set([...ctes, ...ctesOf(node)])
    const select = 'fromClause' in node || 'from' in node ? node : undefined
    if (select !== undefined) found.unlinked.push(...unlinkedIn(select, own))
    found.whole.push(...wholeIn(node))
    const { op, left, right, name, lexpr, rexpr } = tree(node['BinaryOp'] ?? node['A_Expr'])
    const operator = String(op ?? tree(tree(list(name)[0])['String'])['sval'] ?? '')
    const sign = SIGNS[operator]
    const sides = [left ?? lexpr, right ?? rexpr]
    const factor = sides.map(numberOf).find((one) => one !== undefined)
    const isNeutral = factor === undefined || factor === (sign === '*' ? 1 : 0)
    if (sign !== undefined && !isDivided && sides.some(isCount) && !isNeutral) found.factors.push(`${sign} ${factor}`)
    const isDivision = isDivided || operator === 'Divide' || operator === '/'
    for (const value of Object.values(node)) visit(value, own, isDivision)
  }
  visit(query, new Set(), false)
  return { unlinked: found.unlinked, whole: found.whole, factors: found.factors }
}

function ctesOf(node: Tree): string[] {
  const ofSqlparser = list(tree(node['with'])['cte_tables']).map(
    (one) => tree(tree(tree(one)['alias'])['name'])['value'],
  )
  const ofPostgres = list(tree(node['withClause'])['ctes']).map((one) => tree(tree(one)['CommonTableExpr'])['ctename'])
  return [...ofSqlparser, ...ofPostgres].map((name) => String(name).toLowerCase())
}

/** A table of FROM with no comparison that leads from it to the others, directly or by way of a third. */
function unlinkedIn(select: Tree, ctes: ReadonlySet<string>): string[] {
  const from = list(select['fromClause'] ?? select['from'])
  const sources = from.flatMap((one) => sourcesIn(one, ctes))
  if (sources.length < 2) return []
  const groups = new Map(sources.map(({ alias }) => [alias, alias]))
  const rootOf = (alias: string): string => {
    const above = groups.get(alias)
    return above === undefined || above === alias ? alias : rootOf(above)
  }
  // A comparison of columns that name no table may link any two.
  let free = 0
  for (const names of [...linksIn(from), ...linksIn(select['selection'] ?? select['whereClause'])]) {
    const known = names.filter((name) => groups.has(name))
    const roots = new Set(known.map(rootOf))
    const [first, ...others] = roots
    if (first === undefined || known.length < names.length) free += 1
    else for (const other of others) groups.set(other, first)
  }
  const parts = new Map<string, string>()
  for (const { alias, table } of sources) if (table !== undefined) parts.set(rootOf(alias), table)
  const tables = [...parts.values()]
  return tables.length - 1 > free ? tables : []
}

export function sourcesIn(node: unknown, ctes: ReadonlySet<string>): Source[] {
  const { relation, joins, JoinExpr, RangeVar } = tree(node)
  if (relation !== undefined) {
    return [relation, ...list(joins).map((join) => tree(join)['relation'])].flatMap((one) => {
      const { Table, Derived, NestedJoin } = tree(one)
      if (NestedJoin !== undefined) return sourcesIn(tree(NestedJoin)['table_with_joins'], ctes)
      const { name, alias, args } = tree(Table ?? Derived)
      const table = tree(tree(list(name).at(-1))['Identifier'])['value']
      return source(table, tree(tree(alias)['name'])['value'], args != null, ctes)
    })
  }
  if (JoinExpr !== undefined) {
    const { larg, rarg } = tree(JoinExpr)
    return [...sourcesIn(larg, ctes), ...sourcesIn(rarg, ctes)]
  }
  const { relname, alias } = tree(RangeVar)
  return source(relname, tree(alias)['aliasname'], false, ctes)
}

function source(table: unknown, alias: unknown, isCall: boolean, ctes: ReadonlySet<string>): Source[] {
  const called = alias ?? table
  if (typeof called !== 'string') return []
  const isTable = typeof table === 'string' && !isCall && !ctes.has(table.toLowerCase())
  return [{ alias: called.toLowerCase(), ...(isTable ? { table } : {}) }]
}

/** The tables of columns that are compared with each other; an empty name where a column names none. */
function linksIn(node: unknown): string[][] {
  if (Array.isArray(node)) return node.flatMap(linksIn)
  if (!isTree(node)) return []
  if ('Using' in node || 'usingClause' in node || node['Join'] === 'Natural' || node['isNatural'] === true) {
    return [[''], ...Object.values(node).flatMap(linksIn)]
  }
  if (Object.values(node).includes('Natural')) return [['']]
  const { op, left, right, lexpr, rexpr } = tree(node['BinaryOp'] ?? node['A_Expr'])
  const isJoined = op === 'And' || op === 'Or'
  const sides = [left ?? lexpr, right ?? rexpr]
  if (!isJoined && sides.every((side) => side !== undefined)) {
    const names = sides.map(tablesOf)
    if (names.every((one) => one.length > 0)) return [names.flat()]
  }
  // Anything else that reads columns of several tables: BETWEEN, IN, a function.
  const isOther = ['Between', 'InList', 'InSubquery', 'Like', 'Function', 'FuncCall', 'SubLink'].some(
    (kind) => kind in node,
  )
  if (isOther) return [tablesOf(node)].filter((names) => names.length > 1)
  return Object.values(node).flatMap(linksIn)
}

function tablesOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(tablesOf)
  if (!isTree(node)) return []
  const { Identifier, CompoundIdentifier, ColumnRef } = node
  if (Identifier !== undefined) return ['']
  if (CompoundIdentifier !== undefined) return [String(tree(list(CompoundIdentifier).at(-2))['value']).toLowerCase()]
  if (ColumnRef !== undefined) {
    const name = tree(tree(list(tree(ColumnRef)['fields']).at(-2))['String'])['sval']
    return [typeof name === 'string' ? name.toLowerCase() : '']
  }
  return Object.entries(node).flatMap(([key, inner]) => (key === 'name' || key === 'funcname' ? [] : tablesOf(inner)))
}

/** Tables of which one part of a UNION says which rows, and another one lists all. */
function wholeIn(node: Tree): string[] {
  const { op, left, right, larg, rarg } = tree(
    node['SetOperation'] ?? (node['op'] === 'SETOP_UNION' ? node : undefined),
  )
  if (op !== 'Union' && op !== 'SETOP_UNION') return []
  const parts = [left ?? larg, right ?? rarg].map((part) => {
    const select = tree(tree(part)['Select'] ?? part)
    const sources = list(select['fromClause'] ?? select['from']).flatMap((one) => sourcesIn(one, new Set()))
    const group = tree(select['group_by'])['Expressions'] ?? select['groupClause']
    const isGrouped = list(list(group)[0]).length > 0 || 'groupClause' in select
    const isBare = (select['selection'] ?? select['whereClause'] ?? select['having']) == null && !isGrouped
    const counts = /"(?:Function|FuncCall)"/.test(JSON.stringify(select['projection'] ?? select['targetList'] ?? []))
    return { tables: sources.flatMap(({ table }) => table ?? []), isBare: isBare && !counts && sources.length === 1 }
  })
  return parts.flatMap((part) => {
    const other = parts.find((one) => one !== part)!
    return part.isBare && !other.isBare ? part.tables.filter((table) => other.tables.includes(table)) : []
  })
}

function isCount(node: unknown): boolean {
  const { Nested, Function: call, FuncCall } = tree(node)
  if (Nested !== undefined) return isCount(Nested)
  const last = tree(list(tree(call ?? FuncCall)['name'] ?? tree(FuncCall)['funcname']).at(-1))
  const name = tree(last['Identifier'])['value'] ?? tree(last['String'])['sval']
  return String(name).toLowerCase() === 'count'
}

function numberOf(node: unknown): number | undefined {
  const { Nested, Value, A_Const } = tree(node)
  if (Nested !== undefined) return numberOf(Nested)
  const [digits] = list(tree(tree(Value)['value'])['Number'])
  const { ival, fval } = tree(A_Const)
  const own = digits ?? (ival === undefined ? tree(fval)['fval'] : (tree(ival)['ival'] ?? 0))
  return own === undefined ? undefined : Number(own)
}
