import { isTree, list, text, tree } from '../json.ts'

/** The values of a list of `String` nodes: names of a function, an operator, a column. */
export function names(value: unknown): string[] {
  return list(value).flatMap((item) => text(tree(tree(item)['String'])['sval']) ?? [])
}

export function hasStar(path: unknown): boolean {
  return list(path).some((item) => isTree(item) && 'A_Star' in item)
}

/** A built-in name: alone, or under `pg_catalog`. */
export function builtIn(path: readonly string[]): string | undefined {
  if (path.length === 1) return path[0]
  return path.length === 2 && path[0] === 'pg_catalog' ? path[1] : undefined
}

const UNNAMED = '?column?'

/** The name of a column without an alias, as PostgreSQL makes it up (`FigureColname` in its sources). */
export function impliedName(value: unknown): string {
  return figure(value)?.name ?? UNNAMED
}

/** `weak`: a surrounding type or CASE may replace the name. */
interface Figured {
  readonly name: string
  readonly weak?: true
}

function figure(value: unknown): Figured | undefined {
  const [kind = '', body] = Object.entries(tree(value))[0] ?? []
  const node = tree(body)
  switch (kind) {
    case 'ColumnRef':
      return namedFigure(names(node['fields']).at(-1))
    case 'A_Indirection':
      return namedFigure(names(node['indirection']).at(-1)) ?? figure(node['arg'])
    case 'FuncCall':
      return namedFigure(names(node['funcname']).at(-1))
    case 'A_Expr':
      return node['kind'] === 'AEXPR_NULLIF' ? { name: 'nullif' } : undefined
    case 'TypeCast':
      return strong(figure(node['arg'])) ?? weak(names(tree(node['typeName'])['names']).at(-1))
    case 'CaseExpr':
      return strong(figure(node['defresult'])) ?? weak('case')
    case 'CollateClause':
      return figure(node['arg'])
    case 'SubLink':
      return figureSublink(node['subLinkType'], node['subselect'])
    case 'SQLValueFunction':
      return { name: String(node['op']).replace('SVFOP_', '').replace(/_N$/, '').toLowerCase() }
    case 'MinMaxExpr':
      return { name: node['op'] === 'IS_LEAST' ? 'least' : 'greatest' }
    default:
      return namedFigure(FIXED_NAMES[kind])
  }
}

function figureSublink(type: unknown, subselect: unknown): Figured | undefined {
  if (type === 'EXISTS_SUBLINK') return { name: 'exists' }
  if (type === 'ARRAY_SUBLINK') return { name: 'array' }
  if (type !== 'EXPR_SUBLINK') return undefined
  let inner = tree(tree(subselect)['SelectStmt'])
  while (isTree(inner['larg'])) inner = inner['larg']
  if (list(inner['valuesLists']).length > 0) return { name: 'column1' }
  const target = tree(tree(list(inner['targetList'])[0])['ResTarget'])
  const value = tree(target['val'])
  const isStar = hasStar(tree(value['ColumnRef'])['fields']) || hasStar(tree(value['A_Indirection'])['indirection'])
  // The name that a star brings is not known here; no column is called ''.
  return { name: text(target['name']) ?? (isStar ? '' : impliedName(value)) }
}

function namedFigure(name: string | undefined): Figured | undefined {
  return name === undefined ? undefined : { name }
}

function weak(name: string | undefined): Figured | undefined {
  return name === undefined ? undefined : { name, weak: true }
}

function strong(figured: Figured | undefined): Figured | undefined {
  return figured?.weak === true ? undefined : figured
}

/** Names of columns that expressions with their own grammar give. */
const FIXED_NAMES: Readonly<Record<string, string>> = {
  CoalesceExpr: 'coalesce',
  A_ArrayExpr: 'array',
  RowExpr: 'row',
  GroupingFunc: 'grouping',
}
