import { isTree, list, text, tree, type Tree } from '../json.ts'
import { printableName, rejectQuery } from '../verdict.ts'
import { addWeight, CHECKS, descend, type Walk } from './checks.ts'
import { functionRelation, joinColumns, targetColumns } from './columns.ts'
import { names } from './names.ts'
import { NODES, POSITION_FIELD, type Field } from './nodes.ts'
import { checkGrowth, nestedRows, openRows } from './rows.ts'
import {
  closed,
  concat,
  findCte,
  openScope,
  rename,
  seeing,
  type Columns,
  type Cte,
  type Relation,
  type Scope,
} from './scope.ts'

/** What a query gives: its columns, and the rows that its generators make at most. */
interface Result {
  readonly columns: Columns
  readonly rows: number
}

/**
 * Walks a SELECT and everything in it. Throws to reject it. `onLeft` gets the columns of the left side of a UNION
 * before the right side is walked, where a recursive CTE references itself.
 */
export function walkSelect(
  walk: Walk,
  node: Tree,
  parent: Scope | undefined,
  onLeft?: (columns: Columns) => void,
): Result {
  descend(walk)
  if (node['intoClause'] !== undefined) {
    rejectQuery('into', 'SELECT … INTO creates a table; only reading is allowed. Leave INTO out.')
  }
  if (list(node['lockingClause']).length > 0) {
    rejectQuery('lock', 'FOR UPDATE and FOR SHARE lock rows; only reading is allowed. Leave the clause out.')
  }
  const outer = walk.rows
  walk.rows = openRows()
  const level = openScope(parent)
  if (node['withClause'] !== undefined) walkWith(walk, tree(node['withClause']), level)
  const leftColumns = node['larg'] === undefined ? undefined : walkSelect(walk, tree(node['larg']), level)
  if (leftColumns !== undefined && onLeft !== undefined) {
    onLeft(leftColumns.columns)
    checkGrowth(node['rarg'])
  }
  const right = node['rarg'] === undefined ? undefined : walkSelect(walk, tree(node['rarg']), level)
  const relations: Relation[] = []
  for (const item of list(node['fromClause'])) relations.push(...walkFrom(walk, item, level, relations))
  const scope = seeing(level, relations)
  const weights = list(node['targetList']).map((item) => weigh(walk, () => walkNode(walk, item, scope)))
  const valuesWeight = weigh(walk, () => walkNode(walk, node['valuesLists'], scope))
  const done = ['withClause', 'larg', 'rarg', 'fromClause', 'targetList', 'valuesLists']
  walkFields(walk, 'SelectStmt', node, scope, done)
  walk.depth -= 1
  const values = list(node['valuesLists'])
  walk.rows.made *= Math.max(1, values.length, (leftColumns?.rows ?? 0) + (right?.rows ?? 0))
  const rows = nestedRows(walk.rows)
  walk.rows = outer
  if (values.length > 0) {
    const all = list(tree(tree(values[0])['List'])['items']).map((_, i) => `column${i + 1}`)
    // A list of one row is put in the place of its columns.
    return {
      columns: closed(
        all,
        all.map(() => (values.length === 1 ? valuesWeight : 1)),
      ),
      rows,
    }
  }
  if (leftColumns === undefined) return { columns: targetColumns(node['targetList'], scope, weights), rows }
  const heaviest = Math.max(1, ...(right?.columns.weights ?? []))
  const added = leftColumns.columns.weights.map(
    (weight, at) => weight + (right?.columns.open === false ? (right.columns.weights[at] ?? 1) : heaviest),
  )
  return { columns: { ...leftColumns.columns, weights: added }, rows }
}

/** What a part of the query adds to its weight; never nothing. */
function weigh(walk: Walk, part: () => void): number {
  const before = walk.weight
  part()
  return Math.max(1, walk.weight - before)
}

/** A CTE sees those before it, and itself when the list is RECURSIVE: `WITH x AS (SELECT * FROM x)` reads the real table x. */
function walkWith(walk: Walk, clause: Tree, level: Scope): void {
  walkFields(walk, 'WithClause', clause, level, ['ctes'])
  const ctes = list(clause['ctes']).map((item) => tree(tree(item)['CommonTableExpr']))
  const isRecursive = clause['recursive'] === true
  const nameOf = (cte: Tree) => text(cte['ctename']) ?? ''
  for (const cte of isRecursive ? ctes : []) level.future.add(nameOf(cte))
  for (const cte of ctes) {
    const name = nameOf(cte)
    if (!('SelectStmt' in tree(cte['ctequery']))) {
      const statement = statementName(cte['ctequery'])
      const reason = `WITH may only hold SELECT; ${printableName(name)} is ${statement}.`
      rejectQuery('statement-kind', reason, { name: statement })
    }
    const query = tree(tree(cte['ctequery'])['SelectStmt'])
    const createCte = (columns: Columns, rows: number, weight: Cte['weight']): Cte => ({
      columns: rename(columns, names(cte['aliascolnames'])),
      rows,
      weight,
    })
    level.future.delete(name)
    const inner = openScope(level)
    const onLeft = isRecursive
      ? (left: Columns) =>
          inner.ctes.set(
            name,
            createCte(left, 1, () => 1),
          )
      : undefined
    const before = walk.weight
    const { columns, rows } = walkSelect(walk, query, inner, onLeft)
    const totalWeight = walk.weight - before
    walkFields(walk, 'CommonTableExpr', cte, level, ['ctequery'])
    // A CTE that is read once, or is NOT MATERIALIZED, is put in the place where it is read.
    let readings = 0
    const weight = (): number =>
      (readings += 1) === 1 || cte['ctematerialized'] === 'CTEMaterializeNever' ? totalWeight : 1
    level.ctes.set(name, createCte(columns, rows, weight))
  }
}

/**
 * Walks one FROM item and returns the names it defines. `before` are the items to its left: functions and LATERAL
 * subqueries can reference them, other subqueries only the outer queries.
 */
function walkFrom(walk: Walk, item: unknown, level: Scope, before: readonly Relation[]): readonly Relation[] {
  const [kind = '', value] = Object.entries(tree(item))[0] ?? []
  const body = tree(value)
  const alias = tree(body['alias'])
  const name = text(alias['aliasname'])
  const renamed = (columns: Columns): Columns => rename(columns, names(alias['colnames']))
  switch (kind) {
    case 'RangeVar': {
      const relation = walkTable(walk, body, level)
      if (name === undefined) return [relation]
      return [{ name, columns: renamed(relation.columns), starred: true }]
    }
    case 'RangeSubselect': {
      walkFields(walk, kind, body, level, ['subquery'])
      const inner = body['lateral'] === true ? seeing(level, before) : level
      const { columns, rows } = walkSelect(walk, tree(tree(body['subquery'])['SelectStmt']), inner)
      walk.rows.made *= rows
      return [{ name, columns: renamed(columns), starred: true }]
    }
    case 'RangeFunction':
      return [
        functionRelation(
          body,
          weigh(walk, () => walkFields(walk, kind, body, seeing(level, before))),
        ),
      ]
    case 'JoinExpr':
      return walkJoin(walk, body, level, before)
    default:
      return rejectQuery(
        'node',
        `${kind} is not allowed in FROM; use tables, subqueries and functions of the allow-list.`,
      )
  }
}

/** The condition of a join sees its two sides alone. An alias of the join hides them from there on. */
function walkJoin(walk: Walk, body: Tree, level: Scope, before: readonly Relation[]): readonly Relation[] {
  const left = walkFrom(walk, body['larg'], level, before)
  const right = walkFrom(walk, body['rarg'], level, [...before, ...left])
  walkFields(walk, 'JoinExpr', body, seeing(level, [...left, ...right]), ['larg', 'rarg'])
  CHECKS['JoinExpr']?.(walk, body, level)
  const starred = (side: readonly Relation[]) => concat(side.filter((one) => one.starred).map((one) => one.columns))
  const alias = tree(body['alias'])
  const name = text(alias['aliasname'])
  const columns = rename(joinColumns(body, starred(left), starred(right)), names(alias['colnames']))
  const join: Relation = { name, columns, starred: true }
  if (name !== undefined) return [join]
  const inside = [...left, ...right].map((one) => ({ ...one, starred: false }))
  const using = text(tree(body['join_using_alias'])['aliasname'])
  if (using !== undefined) inside.push({ name: using, columns: closed(names(body['usingClause'])), starred: false })
  return [...inside, join]
}

function walkTable(walk: Walk, body: Tree, level: Scope): Relation {
  walkFields(walk, 'RangeVar', body, level)
  const name = text(body['relname']) ?? ''
  const schema = text(body['schemaname'])
  if (body['catalogname'] !== undefined) {
    const reason = `Table ${printableName(name)} is named with its database; write it as table or schema.table.`
    rejectQuery('table', reason, { name })
  }
  const cte = schema === undefined ? findCte(level, name) : undefined
  if (cte === 'later') {
    const reason = `${printableName(name)} is read before it is defined; put its definition first in WITH RECURSIVE.`
    rejectQuery('table', reason, { name })
  }
  if (cte !== undefined) {
    walk.rows.made *= cte.rows
    addWeight(walk, cte.weight())
    return { name, columns: cte.columns, starred: true }
  }
  const table = walk.catalog.resolve(name, schema)
  walk.tables.add(walk.catalog.label(table))
  return { name, table, columns: closed(table.columns.map((column) => column.name)), starred: true }
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
    walk.rows.beside += walkSelect(walk, body, scope).rows
    return
  }
  CHECKS[kind]?.(walk, body, scope)
  const weight = weigh(walk, () => walkFields(walk, kind, body, scope))
  if (kind === 'A_Expr') addWeight(walk, weight * (copies(body) - 1))
}

/** How often the server writes down an operand: `x BETWEEN a AND b` is `x >= a AND x <= b`, and so on for a list of columns. */
function copies(expression: Tree): number {
  const kind = String(expression['kind'])
  if (kind.endsWith('BETWEEN_SYM')) return 4
  if (kind.endsWith('BETWEEN')) return 2
  const items = list(tree(tree(expression['rexpr'])['List'])['items'])
  return kind === 'AEXPR_IN' ? Math.max(1, items.filter((item) => !('A_Const' in tree(item))).length) : 1
}

/** Every field must be on the node's list; children are walked, `done` has been walked already. */
function walkFields(walk: Walk, kind: string, body: Tree, scope: Scope, done: readonly string[] = []): void {
  const fields = NODES.get(kind) ?? rejectQuery('node', `${kind} is not among the parts of a query that are allowed.`)
  descend(walk)
  for (const [name, value] of Object.entries(body)) {
    if (done.includes(name) || (typeof value === 'number' && POSITION_FIELD.test(name))) continue
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined)
      rejectQuery('node', `The part ${printableName(`${kind}.${name}`)} of a query is not allowed.`)
    if (field === 'node') walkNode(walk, value, scope)
    else if (typeof field === 'object') walkKind(walk, field.kind, tree(value), scope)
  }
  walk.depth -= 1
}

/** `DELETE`, `CREATE TABLE AS`: the statement's kind in words, from its node's name. */
export function statementName(node: unknown): string {
  const kind = Object.keys(tree(node))[0] ?? 'nothing'
  return kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
}
