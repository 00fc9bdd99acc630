import { isTree, list, tree, type Tree } from './json.ts'
import { isDistinct, joinedIn, type Joined } from './joined.ts'
import { repeatsOf, type Repeats } from './repeats.ts'

export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'null' | 'not null'

/** One comparison of a query; a NOT around it is part of its operator. */
export interface Condition {
  readonly operator: Operator
  /** Names of the columns that it reads, in lower case. */
  readonly columns: readonly string[]
  readonly values: readonly (string | number | boolean)[]
  /** It is one of several alternatives. */
  readonly isAlternative: boolean
  /** The OR of which it is a whole branch: the same object for all branches of one. */
  readonly branchOf?: object
  /** It says which rows are taken: it stands in a WHERE, ON, HAVING or FILTER. */
  readonly isFilter: boolean
  /** The rows that fulfil it are taken out: NOT IN (SELECT …), NOT EXISTS, EXCEPT. */
  readonly isOut: boolean
}

/** What a query does to its rows, as its syntax tree says it. */
export interface Effects {
  readonly conditions: readonly Condition[]
  /** How the rows lie of which the first ones are taken; undefined where the sign of the figure is turned round. */
  readonly orders: readonly ('asc' | 'desc' | undefined)[]
  readonly aggregates: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly isDistinct: boolean
  }[]
  readonly subtracts: boolean
  /** How many rows are taken at most. */
  readonly limit?: number
  readonly repeats: Repeats
  readonly joined: readonly Joined[]
}

const OPPOSITE: Readonly<Record<Operator, Operator>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  null: 'not null',
  'not null': 'null',
}
const OPERATORS: Readonly<Record<string, Operator>> = {
  Eq: '=',
  NotEq: '<>',
  Lt: '<',
  LtEq: '<=',
  Gt: '>',
  GtEq: '>=',
  Spaceship: '=',
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '~~': '=',
  '~~*': '=',
  '!~~': '<>',
  '!~~*': '<>',
}
const AGGREGATE = /^(?:sum|total|avg|min|max|count)$/
/** Where a column alone is a condition. */
const TESTS = new Set(['selection', 'having', 'filter', 'whereClause', 'havingClause', 'agg_filter', 'quals', 'On'])

/** What one part of a tree says of rows, in either parser's words. */
type Part =
  | { readonly kind: 'all' | 'any' | 'not'; readonly of: readonly unknown[] }
  | { readonly kind: 'compare'; readonly with: readonly [Operator, readonly unknown[]][] }
  | { readonly kind: 'query'; readonly isOut: boolean; readonly of: readonly unknown[] }

interface Place {
  readonly isTest?: boolean
  readonly isNot?: boolean
  readonly isAlternative?: boolean
  readonly branchOf?: object | undefined
  readonly isOut?: boolean
}

/** Reads sqlparser's tree of a query, or libpg-query's. */
export function effectsOf(query: Tree): Effects {
  const found = {
    conditions: [] as Condition[],
    orders: [] as Effects['orders'][number][],
    aggregates: [] as Effects['aggregates'][number][],
    subtracts: false,
  }
  const add = (operator: Operator, sides: readonly unknown[], place: Place): void => {
    const { isNot = false, isAlternative = false, isOut = false, isTest: isFilter = false, branchOf } = place
    const read = { columns: sides.flatMap(columnsIn), values: sides.flatMap(valuesIn) }
    const branch = branchOf === undefined ? {} : { branchOf }
    found.conditions.push({
      operator: isNot ? OPPOSITE[operator] : operator,
      ...read,
      isAlternative,
      isOut,
      isFilter,
      ...branch,
    })
  }
  const visit = (node: unknown, place: Place): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, place))
    if (!isTree(node)) return
    const { isNot = false, isAlternative = false, isOut = false } = place
    const part = partOf(node)
    if (part === undefined) {
      if (place.isTest === true && isValue(node)) return add('=', [node, true], place)
      note(node, found)
      for (const [key, value] of Object.entries(node)) {
        const isTaken = key === 'right' && tree(node)['op'] === 'Except'
        const isPgTaken = key === 'rarg' && node['op'] === 'SETOP_EXCEPT'
        if (isTaken || isPgTaken) add('<>', [], { isOut })
        visit(value, { isOut: isOut !== (isTaken || isPgTaken), isTest: TESTS.has(key) })
      }
      return
    }
    if (part.kind === 'compare') {
      const isSplit = part.with.length > 1 && isNot
      for (const [operator, sides] of part.with) {
        // The ends of a BETWEEN are one branch; those of its opposite are two.
        const branchOf = isSplit ? (place.branchOf ?? part) : part.with.length > 1 ? undefined : place.branchOf
        add(operator, sides, { ...place, isAlternative: isAlternative || isSplit, branchOf })
        visit(sides, { isOut })
      }
      return
    }
    if (part.kind === 'query') {
      add(part.isOut ? '<>' : '=', [], place)
      return visit(part.of, { isOut: isOut !== (part.isOut !== isNot) })
    }
    const isOne = (part.kind === 'any') !== isNot && part.of.length > 1
    const turned = part.kind === 'not' ? !isNot : isNot
    // A bracket or a NOT around a branch is still that branch; parts that are joined by AND are none.
    const branchOf = isOne ? (place.branchOf ?? part) : part.of.length > 1 ? undefined : place.branchOf
    visit(part.of, { isTest: true, isNot: turned, isAlternative: isAlternative || isOne, branchOf, isOut })
  }
  visit(query, {})
  const [limit] = valuesIn(query['limit_clause'] ?? query['fetch'] ?? query['limitCount'])
  return {
    ...found,
    ...(typeof limit === 'number' ? { limit } : {}),
    repeats: repeatsOf(query),
    joined: joinedIn(query),
  }
}

function partOf(node: Tree): Part | undefined {
  const [kind = ''] = Object.keys(node)
  const inner = tree(node[kind])
  const { op, left, right, expr, negated, boolop, args, lexpr, rexpr, name } = inner
  const no = negated === true
  const compare = (operator: Operator, ...sides: unknown[]): Part => ({ kind: 'compare', with: [[operator, sides]] })
  const between = (value: unknown, [low, high]: readonly unknown[], isNot: boolean): Part => {
    const ends: Part = {
      kind: 'compare',
      with: [
        ['>=', [value, low]],
        ['<=', [value, high]],
      ],
    }
    return isNot ? { kind: 'not', of: [ends] } : ends
  }
  switch (kind) {
    case 'kind':
      // The two ends of a NOT BETWEEN, read already.
      return 'with' in node ? (node as unknown as Part) : undefined
    case 'Nested':
      return { kind: 'all', of: [node[kind]] }
    case 'UnaryOp':
      return op === 'Not' ? { kind: 'not', of: [expr] } : undefined
    case 'BinaryOp': {
      if (op === 'And' || op === 'Or') return { kind: op === 'And' ? 'all' : 'any', of: [left, right] }
      const operator = OPERATORS[String(op)]
      return operator === undefined ? undefined : compare(operator, left, right)
    }
    case 'IsNull':
    case 'IsNotNull':
      return compare(kind === 'IsNull' ? 'null' : 'not null', inner)
    case 'IsTrue':
    case 'IsFalse':
    case 'IsNotTrue':
    case 'IsNotFalse':
      return compare(kind.includes('Not') ? '<>' : '=', inner, kind.endsWith('True'))
    case 'InList':
      return compare(no ? '<>' : '=', expr, ...list(inner['list']))
    case 'Like':
    case 'ILike':
      return compare(no ? '<>' : '=', expr, inner['pattern'])
    case 'Between':
      return between(expr, [inner['low'], inner['high']], no)
    case 'Exists':
    case 'InSubquery':
      return { kind: 'query', isOut: no, of: [inner['subquery']] }
    case 'BoolExpr': {
      const kinds = { AND_EXPR: 'all', OR_EXPR: 'any', NOT_EXPR: 'not' } as const
      return { kind: kinds[String(boolop) as keyof typeof kinds] ?? 'all', of: list(args) }
    }
    case 'A_Expr': {
      const form = String(inner['kind'])
      const items = list(tree(tree(rexpr)['List'])['items'])
      if (form.includes('BETWEEN')) return between(lexpr, items, form.includes('NOT_'))
      const operator = OPERATORS[String(tree(tree(list(name)[0])['String'])['sval'])]
      if (operator === undefined) return undefined
      return compare(form === 'AEXPR_DISTINCT' ? '<>' : operator, lexpr, ...(items.length > 0 ? items : [rexpr]))
    }
    case 'NullTest':
      return compare(inner['nulltesttype'] === 'IS_NULL' ? 'null' : 'not null', inner['arg'])
    case 'BooleanTest': {
      const test = String(inner['booltesttype'])
      return compare(test.includes('NOT') ? '<>' : '=', inner['arg'], test.endsWith('TRUE'))
    }
    case 'SubLink':
      return /EXISTS|ANY/.test(String(inner['subLinkType']))
        ? { kind: 'query', isOut: false, of: [inner['subselect']] }
        : undefined
    default:
      return undefined
  }
}

/** What else a part does: aggregates, and which rows come first. */
function note(
  node: Tree,
  found: { orders: Effects['orders'][number][]; aggregates: Effects['aggregates'][number][]; subtracts: boolean },
): void {
  const call = tree(node['Function'] ?? node['FuncCall'])
  const last = tree(list(call['name'] ?? call['funcname']).at(-1))
  const name = String(tree(last['Identifier'])['value'] ?? tree(last['String'])['sval'] ?? '').toLowerCase()
  if (AGGREGATE.test(name))
    found.aggregates.push({ name, columns: columnsIn(call['args']), isDistinct: isDistinct(call) })
  const window = tree(tree(call['over'])['WindowSpec'] ?? call['over'])
  const isCut = node['limit_clause'] != null || node['fetch'] != null || node['limitCount'] != null
  const own = isCut ? list(tree(tree(node['order_by'])['kind'])['Expressions'] ?? node['sortClause']) : []
  const [first] = own.length > 0 ? own : list(window['order_by'] ?? window['orderClause'])
  if (first !== undefined) {
    const { expr, options, SortBy } = tree(first)
    const key = tree(expr ?? tree(SortBy)['node'])
    const isDown = tree(options)['asc'] === false || tree(SortBy)['sortby_dir'] === 'SORTBY_DESC'
    const isPlain = !('UnaryOp' in key || 'Case' in key || 'CaseExpr' in key || 'BinaryOp' in key || 'A_Expr' in key)
    found.orders.push(isPlain ? (isDown ? 'desc' : 'asc') : undefined)
  }
  const sign = tree(tree(list(tree(node['A_Expr'])['name'])[0])['String'])['sval']
  if (tree(node['BinaryOp'])['op'] === 'Minus' || sign === '-') found.subtracts = true
}

/** A column alone, or a value. */
function isValue(node: Tree): boolean {
  return ['Identifier', 'CompoundIdentifier', 'ColumnRef', 'Value', 'A_Const'].some((kind) => kind in node)
}

function columnsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(columnsIn)
  if (!isTree(node) || 'subquery' in node || 'Subquery' in node || 'SubLink' in node) return []
  const { Identifier, CompoundIdentifier, ColumnRef } = node
  const named = tree(Identifier ?? list(CompoundIdentifier).at(-1))['value']
  const column = named ?? tree(tree(list(tree(ColumnRef)['fields']).at(-1))['String'])['sval']
  if (typeof column === 'string') return [column.toLowerCase()]
  // The name of a function is no column.
  return Object.entries(node).flatMap(([key, inner]) => (key === 'name' || key === 'funcname' ? [] : columnsIn(inner)))
}

function valuesIn(node: unknown): (string | number | boolean)[] {
  if (typeof node === 'boolean') return [node]
  if (Array.isArray(node)) return node.flatMap(valuesIn)
  if (!isTree(node) || 'subquery' in node || 'Subquery' in node || 'SubLink' in node) return []
  const { Value, A_Const, Function: call, FuncCall } = node
  const {
    SingleQuotedString: text,
    DoubleQuotedString: quoted,
    Number: digits,
    Boolean: yes,
  } = tree(tree(Value)['value'])
  const { sval, ival, fval, boolval } = tree(A_Const)
  if (typeof (text ?? quoted) === 'string') return [String(text ?? quoted)]
  if (digits !== undefined) return [Number(list(digits)[0])]
  if (typeof yes === 'boolean') return [yes]
  if (sval !== undefined) return [String(tree(sval)['sval'])]
  if (ival !== undefined) return [Number(tree(ival)['ival'] ?? 0)]
  if (fval !== undefined) return [Number(tree(fval)['fval'])]
  if (boolval !== undefined) return [tree(boolval)['boolval'] === true]
  // Of a call, what its result is compared with counts, and no setting: strftime('%Y', …).
  if (call !== undefined || FuncCall !== undefined) {
    const args = tree(tree(tree(call)['args'])['List'])['args'] ?? tree(FuncCall)['args']
    return columnsIn(args).length > 0 ? [] : valuesIn(args)
  }
  return Object.values(node).flatMap((inner) => (typeof inner === 'object' ? valuesIn(inner) : []))
}
