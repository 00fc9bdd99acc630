import { FUNCTIONS } from '../functions.ts'
import { isTree, list, text, tree, type Tree } from '../json.ts'
import { checkSize, type LiteralArgument } from '../size.ts'
import type { TableCatalog } from '../tables.ts'
import { listNames, quoteName, refuse } from '../verdict.ts'
import { NODES, OPERATORS, POSITION_FIELD, SYSTEM_COLUMNS, TYPES, VALUE_FUNCTIONS, type Field } from './nodes.ts'
import * as scopes from './scope.ts'
import type { Columns, Scope } from './scope.ts'

/** Deepest nesting of nodes that is followed; beyond it the walk itself could run out of stack. */
const MAX_DEPTH = 600

export interface Walk {
  readonly catalog: TableCatalog
  readonly tables: Set<string>
  readonly functions: Set<string>
  /** Columns of all allowed tables. */
  readonly columns: Columns
  depth: number
}

/**
 * Walks a SELECT and everything in it; returns the names of its columns. Refuses by throwing. `onLeft` is told the columns of
 * the left side of a UNION before the right side is walked: that is where a recursive CTE reads itself.
 */
export function walkSelect(
  walk: Walk,
  node: Tree,
  parent: Scope | undefined,
  onLeft?: (columns: Columns) => void,
): Columns {
  descend(walk)
  if (node['intoClause'] !== undefined) {
    refuse('into', 'SELECT … INTO creates a table; only reading is allowed. Leave INTO out.')
  }
  if (list(node['lockingClause']).length > 0) {
    refuse('lock', 'FOR UPDATE and FOR SHARE lock rows; only reading is allowed. Leave the clause out.')
  }
  const scope = scopes.openScope(parent)
  if (node['withClause'] !== undefined) walkWith(walk, tree(node['withClause']), scope)
  const left = node['larg'] === undefined ? undefined : walkSelect(walk, tree(node['larg']), scope)
  if (left !== undefined) onLeft?.(left)
  if (node['rarg'] !== undefined) walkSelect(walk, tree(node['rarg']), scope)
  for (const item of list(node['fromClause'])) walkFrom(walk, item, scope)
  walkFields(walk, 'SelectStmt', node, scope, ['withClause', 'larg', 'rarg', 'fromClause'])
  walk.depth -= 1
  const rows = list(tree(tree(list(node['valuesLists'])[0])['List'])['items'])
  if (rows.length > 0) return rows.map((_, index) => `column${index + 1}`)
  return left ?? scopes.targetColumns(node['targetList'], scope)
}

/** A CTE sees those before it, and itself when the list is RECURSIVE: `WITH x AS (SELECT * FROM x)` reads the real table x. */
function walkWith(walk: Walk, clause: Tree, scope: Scope): void {
  walkFields(walk, 'WithClause', clause, scope, ['ctes'])
  for (const item of list(clause['ctes'])) {
    const cte = tree(tree(item)['CommonTableExpr'])
    const name = text(cte['ctename']) ?? ''
    const query = tree(tree(cte['ctequery'])['SelectStmt'])
    if (!('SelectStmt' in tree(cte['ctequery']))) {
      refuse('statement-kind', `WITH may only hold SELECT; ${quoteName(name)} is ${statementName(cte['ctequery'])}.`)
    }
    const newNames = scopes.names(cte['aliascolnames'])
    const extra = extraColumns(cte)
    const shown = (columns: Columns) => [...scopes.rename(columns, newNames), ...extra]
    const inner = scopes.openScope(scope)
    const onLeft = clause['recursive'] === true ? (left: Columns) => inner.ctes.set(name, shown(left)) : undefined
    const columns = walkSelect(walk, query, inner, onLeft)
    walkFields(walk, 'CommonTableExpr', cte, scope, ['ctequery'])
    scope.ctes.set(name, shown(columns))
  }
}

function extraColumns(cte: Tree): Columns {
  const search = tree(cte['search_clause'])
  const cycle = tree(cte['cycle_clause'])
  return [search['search_seq_column'], cycle['cycle_mark_column'], cycle['cycle_path_column']].flatMap(
    (name) => text(name) ?? [],
  )
}

/** One item of FROM: makes its name known to what comes after it, and returns its columns. */
function walkFrom(walk: Walk, item: unknown, scope: Scope): Columns {
  const [kind = '', value] = Object.entries(tree(item))[0] ?? []
  const body = tree(value)
  const alias = tree(body['alias'])
  const known = (name: string | undefined, columns: Columns): Columns => {
    const renamed = scopes.rename(columns, scopes.names(alias['colnames']))
    const shown = text(alias['aliasname']) ?? name
    if (shown !== undefined) scope.relations.set(shown, renamed)
    return renamed
  }
  switch (kind) {
    case 'RangeVar':
      return known(text(body['relname']), walkTable(walk, body, scope))
    case 'RangeSubselect': {
      const subquery = tree(tree(body['subquery'])['SelectStmt'])
      walkFields(walk, kind, body, scope, ['subquery'])
      return known(undefined, walkSelect(walk, subquery, scope))
    }
    case 'RangeFunction':
      walkFields(walk, kind, body, scope)
      return known(scopes.functionColumns(body)[0], scopes.functionColumns(body))
    case 'RangeTableSample': {
      const method = scopes.names(body['method'])
      if (method.length !== 1 || !['bernoulli', 'system'].includes(method[0] ?? '')) {
        refuse('function', `TABLESAMPLE ${quoteName(method.join('.'))} is not allowed; use BERNOULLI or SYSTEM.`)
      }
      walkFields(walk, kind, body, scope, ['relation'])
      return walkFrom(walk, body['relation'], scope)
    }
    case 'JoinExpr': {
      const columns = [...walkFrom(walk, body['larg'], scope), ...walkFrom(walk, body['rarg'], scope)]
      walkFields(walk, kind, body, scope, ['larg', 'rarg'])
      const using = text(tree(body['join_using_alias'])['aliasname'])
      if (using !== undefined) scope.relations.set(using, scopes.names(body['usingClause']))
      return known(undefined, columns)
    }
    default:
      return refuse('node', `${kind} is not allowed in FROM; use tables, subqueries and functions of the allow-list.`)
  }
}

function walkTable(walk: Walk, body: Tree, scope: Scope): Columns {
  walkFields(walk, 'RangeVar', body, scope)
  const name = text(body['relname']) ?? ''
  const schema = text(body['schemaname'])
  if (body['catalogname'] !== undefined) {
    refuse('table', `Table ${quoteName(name)} is named with its database; write it as table or schema.table.`)
  }
  const cte = schema === undefined ? scopes.findCte(scope, name) : undefined
  if (cte !== undefined) return cte
  const table = walk.catalog.resolve(name, schema)
  walk.tables.add(walk.catalog.label(table))
  return scopes.tableColumns(table)
}

function walkNode(walk: Walk, value: unknown, scope: Scope): void {
  if (Array.isArray(value)) {
    for (const item of value) walkNode(walk, item, scope)
    return
  }
  if (!isTree(value)) return
  for (const [kind, body] of Object.entries(value)) walkKind(walk, kind, tree(body), scope)
}

function walkKind(walk: Walk, kind: string, body: Tree, scope: Scope): void {
  if (kind === 'SelectStmt') {
    walkSelect(walk, body, scope)
    return
  }
  CHECKS[kind]?.(walk, body, scope)
  walkFields(walk, kind, body, scope)
}

/** Every field must be on the node's list; children are walked, `done` has been walked already. */
function walkFields(walk: Walk, kind: string, body: Tree, scope: Scope, done: readonly string[] = []): void {
  const fields = NODES.get(kind) ?? refuse('node', `${kind} is not among the parts of a query that are allowed.`)
  descend(walk)
  for (const [name, value] of Object.entries(body)) {
    if (done.includes(name) || (typeof value === 'number' && POSITION_FIELD.test(name))) continue
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) refuse('node', `The part ${quoteName(`${kind}.${name}`)} of a query is not allowed.`)
    if (field === 'node') walkNode(walk, value, scope)
    else if (typeof field === 'object') walkKind(walk, field.kind, tree(value), scope)
  }
  walk.depth -= 1
}

function descend(walk: Walk): void {
  walk.depth += 1
  if (walk.depth > MAX_DEPTH) refuse('length', 'The query is nested too deeply; write it with fewer nested parts.')
}

type Check = (walk: Walk, body: Tree, scope: Scope) => void

const CHECKS: Readonly<Record<string, Check>> = {
  FuncCall: checkFunction,
  ColumnRef: checkColumn,
  A_Indirection: checkIndirection,
  TypeName: checkType,
  A_Expr: (_, body) => checkOperator(body['name']),
  SubLink: (_, body) => checkOperator(body['operName']),
  SortBy: (_, body) => checkOperator(body['useOp']),
  SQLValueFunction: (_, body) => {
    const name = String(body['op'])
    if (!VALUE_FUNCTIONS.has(name)) {
      refuse('function', `${name.replace('SVFOP_', '')} is not allowed; it tells about the server, not about the data.`)
    }
  },
}

/** A built-in name: alone, or under `pg_catalog`. */
function builtIn(path: readonly string[]): string | undefined {
  if (path.length === 1) return path[0]
  return path.length === 2 && path[0] === 'pg_catalog' ? path[1] : undefined
}

function checkFunction(walk: Walk, body: Tree): void {
  const path = scopes.names(body['funcname'])
  const name = builtIn(path)
  if (name === undefined || !FUNCTIONS.postgres.has(name)) {
    refuse('function', `Function ${quoteName(path.join('.'))} is not on the allow-list of read-only functions.`)
  }
  walk.functions.add(name)
  checkSize('postgres', name, list(body['args']).map(literal))
}

function literal(value: unknown): LiteralArgument {
  const constant = tree(tree(value)['A_Const'])
  if ('sval' in constant) return text(tree(constant['sval'])['sval']) ?? ''
  if ('fval' in constant) return Number(tree(constant['fval'])['fval'])
  if ('ival' in constant) return Number(tree(constant['ival'])['ival'] ?? 0)
  const expression = tree(tree(value)['A_Expr'])
  if (scopes.names(expression['name'])[0] === '-' && expression['lexpr'] === undefined) {
    const inner = literal(expression['rexpr'])
    return typeof inner === 'number' ? -inner : undefined
  }
  return undefined
}

function checkOperator(value: unknown): void {
  const path = scopes.names(value)
  if (path.length === 0) return
  const name = builtIn(path)
  // `IS DISTINCT FROM`, BETWEEN and others carry their keywords in place of an operator.
  const isKeyword = name !== undefined && /^[A-Z ]+$/.test(name)
  if (name === undefined || !(isKeyword || OPERATORS.has(name))) {
    refuse(
      'operator',
      `Operator ${quoteName(path.join('.'))} is not on the allow-list; allowed: ${listNames(OPERATORS)}.`,
    )
  }
}

function checkType(_: Walk, body: Tree): void {
  const path = scopes.names(body['names'])
  const name = builtIn(path)
  if (name === undefined || !TYPES.has(name) || body['setof'] === true || body['pct_type'] === true) {
    refuse('type', `Type ${quoteName(path.join('.'))} is not on the allow-list; allowed: ${listNames(TYPES)}.`)
  }
}

/** `t.f` calls the function f where t has no column f, so the column must be known. An unqualified name cannot call anything. */
function checkColumn(walk: Walk, body: Tree, scope: Scope): void {
  const path = scopes.names(body['fields'])
  if (path.length > 3) refuse('column', `Column ${quoteName(path.join('.'))} has too many parts; write table.column.`)
  if (scopes.hasStar(body['fields'])) return
  const column = path.at(-1) ?? ''
  const relation = path.at(-2)
  if (relation !== undefined)
    return checkKnown(column, `${relation}.${column}`, scopes.findRelation(scope, relation) ?? walk.columns)
  if (SYSTEM_COLUMNS.has(column) && !walk.columns.includes(column)) {
    refuse('column', `Column ${quoteName(column)} is a system column; only the tables' own columns are allowed.`)
  }
}

/** `(t).f`: where t is a relation its columns are known; of any other value only the tables' columns and record fields pass. */
function checkIndirection(walk: Walk, body: Tree, scope: Scope): void {
  const path = scopes.names(body['indirection'])
  const target = scopes.names(tree(tree(body['arg'])['ColumnRef'])['fields'])
  const relation = target.length === 1 && target[0] !== undefined ? scopes.findRelation(scope, target[0]) : undefined
  for (const field of path) {
    checkKnown(field, `(…).${field}`, relation ?? [...walk.columns, 'key', 'value', 'ordinality'])
  }
}

function checkKnown(column: string, written: string, known: Columns): void {
  if (known.includes(column)) return
  refuse('column', `${quoteName(written)} is not a known column; known there: ${listNames(known)}.`)
}

/** `DELETE`, `CREATE TABLE AS`: the statement's kind in words, from its node's name. */
export function statementName(node: unknown): string {
  const kind = Object.keys(tree(node))[0] ?? 'nothing'
  return kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
}
