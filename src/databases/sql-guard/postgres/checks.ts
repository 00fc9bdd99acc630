import { FUNCTIONS } from '../functions.ts'
import { list, tree, type Tree } from '../json.ts'
import { checkValueSize, type Bulk } from '../size.ts'
import type { TableCatalog } from '../tables.ts'
import { listNames, printableName, rejectQuery } from '../verdict.ts'
import { rowColumns } from './columns.ts'
import { literalArgument } from './constants.ts'
import { builtIn, hasStar, names } from './names.ts'
import { OPERATORS, SYSTEM_COLUMNS, TYPES, VALUE_FUNCTIONS } from './nodes.ts'
import { countRows, noteConstant, type Rows } from './rows.ts'
import { findRelation, totalWeight, unknownColumns, weightOf, weightOfName, type Columns, type Scope } from './scope.ts'

/** Deepest nesting of nodes that is followed; beyond it the walk itself could run out of stack. */
const MAX_DEPTH = 600

export interface Walk extends Bulk {
  readonly catalog: TableCatalog
  readonly tables: Set<string>
  readonly functions: Set<string>
  /** Whether the server has a function or type of that name, so that `x.name` might call it. */
  readonly isCallable: (name: string) => boolean
  /** Functions and operators of the database's own; the server may prefer one to the built-in one of that name. */
  readonly own: ReadonlySet<string>
  /** Rows that generators make in the SELECT that is being walked. */
  rows: Rows
  /** The largest number that is written or computed from constants anywhere. */
  largest: number
  /** A series whose ends depend on data. */
  hasDataSeries: boolean
  depth: number
  /** Parts of the query as the planner sees it, in which a column of a subquery is the expression that it means. */
  weight: number
}

export function descend(walk: Walk): void {
  walk.depth += 1
  addWeight(walk, 1)
  if (walk.depth > MAX_DEPTH) rejectQuery('length', 'The query is nested too deeply; write it with fewer nested parts.')
}

/** Planning has no time limit, and no other bound to its memory. */
const MAX_WEIGHT = 100_000
/** Characters of a text that weigh as much as one part of the query. */
const CHARACTERS = 16

export function addWeight(walk: Walk, weight: number): void {
  walk.weight += weight
  if (walk.weight <= MAX_WEIGHT) return
  rejectQuery(
    'size',
    `Columns of subqueries and CTEs are used in each other so often that the query grows to more than ${MAX_WEIGHT} parts; use each column fewer times.`,
  )
}

type Check = (walk: Walk, body: Tree, scope: Scope) => void

/** Checks of a node in addition to its fields. */
export const CHECKS: Readonly<Record<string, Check>> = {
  FuncCall: checkFunction,
  ColumnRef: checkColumn,
  A_Indirection: checkFields,
  TypeName: checkType,
  A_Const: (walk, body) => {
    noteConstant(walk, { A_Const: body })
    const written = literalArgument({ A_Const: body })
    if (typeof written === 'string') addWeight(walk, Math.floor(written.length / CHARACTERS))
  },
  TypeCast: (walk, body) => noteConstant(walk, { TypeCast: body }),
  A_Expr: (walk, body) => {
    checkOperator(walk, body['name'])
    if (String(body['kind']).includes('BETWEEN'))
      for (const name of ['<', '<=', '>', '>=']) checkOwnOperator(walk, name)
    noteConstant(walk, { A_Expr: body })
  },
  SubLink: (walk, body) => {
    checkOperator(walk, body['operName'])
    if (body['testexpr'] !== undefined && body['operName'] === undefined) checkOwnOperator(walk, '=')
  },
  SortBy: (walk, body) => checkOperator(walk, body['useOp']),
  CaseExpr: (walk, body) => {
    if (body['arg'] !== undefined) checkOwnOperator(walk, '=')
  },
  JoinExpr: (walk, body) => {
    if (body['isNatural'] === true || body['usingClause'] !== undefined) checkOwnOperator(walk, '=')
  },
  SQLValueFunction: (_, body) => {
    const name = String(body['op'])
    if (!VALUE_FUNCTIONS.has(name)) {
      rejectQuery(
        'function',
        `${name.replace('SVFOP_', '')} is not allowed; it tells about the server, not about the data.`,
      )
    }
  },
}

function checkFunction(walk: Walk, body: Tree): void {
  const path = names(body['funcname'])
  const name = builtIn(path)
  if (name === undefined || !FUNCTIONS.postgres.has(name)) {
    const written = path.join('.')
    const reason = `Function ${printableName(written)} is not on the allow-list of read-only functions.`
    rejectQuery('function', reason, { name: written })
  }
  if (path.length === 1 && walk.own.has(name)) {
    const reason = `The database has a function ${printableName(name)} of its own; write pg_catalog.${name}(…).`
    rejectQuery('function', reason, { name })
  }
  walk.functions.add(name)
  const args = list(body['args'])
  checkValueSize(walk, 'postgres', name, args.map(literalArgument))
  countRows(walk, name, args)
  noteConstant(walk, { FuncCall: body })
}

function checkOperator(walk: Walk, value: unknown): void {
  const path = names(value)
  if (path.length === 0) return
  const name = builtIn(path)
  // `IS DISTINCT FROM`, BETWEEN and others carry their keywords in place of an operator.
  const isKeyword = name !== undefined && /^[A-Z ]+$/.test(name)
  if (name === undefined || !(isKeyword || OPERATORS.has(name))) {
    const written = path.join('.')
    const reason = `Operator ${printableName(written)} is not on the allow-list; allowed: ${listNames(OPERATORS)}.`
    rejectQuery('operator', reason, { name: written })
  }
  if (path.length === 1) checkOwnOperator(walk, name)
}

function checkOwnOperator(walk: Walk, name: string): void {
  if (!walk.own.has(name)) return
  rejectQuery('operator', `The database has an operator ${name} of its own; write a OPERATOR(pg_catalog.${name}) b.`)
}

function checkType(_: Walk, body: Tree): void {
  const path = names(body['names'])
  const name = builtIn(path)
  if (name === undefined || !TYPES.has(name) || body['setof'] === true || body['pct_type'] === true) {
    const written = path.join('.')
    const reason = `Type ${printableName(written)} is not on the allow-list; allowed: ${listNames(TYPES)}.`
    rejectQuery('type', reason, { name: written })
  }
}

/** `t.f` calls the function f where t has no column f, so the column must be known. An unqualified name cannot call anything. */
function checkColumn(walk: Walk, body: Tree, scope: Scope): void {
  const path = names(body['fields'])
  const written = path.join('.')
  const [relation, schema] = (hasStar(body['fields']) ? path : path.slice(0, -1)).reverse()
  if (path.length > 3 || (hasStar(body['fields']) && path.length > 2)) {
    rejectQuery('column', `Column ${printableName(written)} has too many parts; write table.column.`, { name: written })
  }
  if (relation === undefined) {
    const column = path[0] ?? ''
    if (!SYSTEM_COLUMNS.has(column) || isColumnOf(scope, column)) {
      const all = scope.relations.filter(({ starred }) => starred).map((one) => totalWeight(one.columns))
      addWeight(walk, path.length === 0 ? all.reduce((sum, weight) => sum + weight, 0) : weightOfName(scope, column))
      return
    }
    const reason = `Column ${printableName(column)} is a system column; only the tables' own columns are allowed.`
    rejectQuery('column', reason, { name: column })
  }
  const found = findRelation(scope, relation, schema)
  if (found === undefined) {
    const name = schema === undefined ? relation : `${schema}.${relation}`
    rejectQuery('column', `${printableName(name)} is no table or alias that can be named here; look at FROM.`, { name })
  }
  const { columns } = found
  addWeight(walk, (hasStar(body['fields']) ? undefined : weightOf(columns, path.at(-1) ?? '')) ?? totalWeight(columns))
  if (!hasStar(body['fields'])) checkKnown(walk, path.at(-1) ?? '', written, columns)
}

function isColumnOf(scope: Scope, name: string): boolean {
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    if (level.relations.some((one) => one.columns.names.includes(name))) return true
  }
  return false
}

/** `(x).f`: where x is surely a row its fields are known; of any other value f may be a field, or a call of the function f. */
function checkFields(walk: Walk, body: Tree, scope: Scope): void {
  const [first, ...more] = names(body['indirection'])
  const isDirect = 'String' in tree(list(body['indirection'])[0])
  const known = isDirect ? rowColumns(body['arg'], scope) : undefined
  if (first !== undefined) checkKnown(walk, first, `(…).${first}`, known ?? unknownColumns())
  for (const field of more) checkKnown(walk, field, `(…).${field}`, unknownColumns())
}

/** A name that is not surely a column passes only where nothing could be called by it. */
function checkKnown(walk: Walk, column: string, written: string, { names: known, open }: Columns): void {
  if (known.includes(column)) return
  if (open && !walk.isCallable(column)) return
  const reason = open
    ? `${printableName(written)} may be a call of the function ${printableName(column)}; name the columns with AS t(a, b), and choose other names.`
    : `${printableName(written)} is not a known column; known there: ${listNames(known)}.`
  rejectQuery('column', reason, { name: written })
}
