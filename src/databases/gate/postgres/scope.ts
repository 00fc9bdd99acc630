import type { TableSchema } from '../../schema.ts'
import { isTree, list, text, tree } from '../json.ts'

/** Names of the columns a relation has, in order. */
export type Columns = readonly string[]

/** What names mean at one level of a query: the relations in FROM and the CTEs that may be read. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly relations: Map<string, Columns>
  readonly ctes: Map<string, Columns>
}

export function openScope(parent?: Scope): Scope {
  return { parent, relations: new Map(), ctes: new Map() }
}

/** The nearest relation of that name, as PostgreSQL looks it up: this level first, then outwards. */
export function findRelation(scope: Scope | undefined, name: string): Columns | undefined {
  for (let level = scope; level !== undefined; level = level.parent) {
    const columns = level.relations.get(name)
    if (columns !== undefined) return columns
  }
  return undefined
}

export function findCte(scope: Scope | undefined, name: string): Columns | undefined {
  for (let level = scope; level !== undefined; level = level.parent) {
    const columns = level.ctes.get(name)
    if (columns !== undefined) return columns
  }
  return undefined
}

export function tableColumns(table: TableSchema): Columns {
  return table.columns.map((column) => column.name)
}

/** The values of a list of `String` nodes: names of a function, an operator, a column. */
export function names(value: unknown): string[] {
  return list(value).flatMap((item) => text(tree(tree(item)['String'])['sval']) ?? [])
}

/** `AS x(a, b)` renames the first columns and keeps the rest. */
export function rename(columns: Columns, newNames: Columns): Columns {
  return [...newNames, ...columns.slice(newNames.length)]
}

/** Columns of `(expression).*` and of functions that give rows. */
const RECORD_COLUMNS: Columns = ['key', 'value', 'ordinality']

/** The names of the columns that a SELECT list gives, by PostgreSQL's rules for columns without an alias. */
export function targetColumns(targets: unknown, scope: Scope): Columns {
  return list(targets).flatMap((item) => {
    const target = tree(tree(item)['ResTarget'])
    const alias = text(target['name'])
    return alias === undefined ? impliedColumns(target['val'], scope) : [alias]
  })
}

function impliedColumns(value: unknown, scope: Scope): Columns {
  const [kind = '', body] = Object.entries(tree(value))[0] ?? []
  const node = tree(body)
  switch (kind) {
    case 'ColumnRef': {
      const path = names(node['fields'])
      if (!hasStar(node['fields'])) return path.slice(-1)
      const relation = path.at(-1)
      return relation === undefined ? [...scope.relations.values()].flat() : (findRelation(scope, relation) ?? [])
    }
    case 'A_Indirection': {
      const path = names(node['indirection'])
      if (hasStar(node['indirection'])) return RECORD_COLUMNS
      return path.length > 0 ? path.slice(-1) : impliedColumns(node['arg'], scope)
    }
    case 'FuncCall':
      return names(node['funcname']).slice(-1)
    case 'TypeCast': {
      const inner = impliedColumns(node['arg'], scope)
      return inner.length === 1 && inner[0] !== UNNAMED ? inner : names(tree(node['typeName'])['names']).slice(-1)
    }
    case 'CollateClause':
      return impliedColumns(node['arg'], scope)
    case 'CaseExpr': {
      const inner = impliedColumns(node['defresult'], scope)
      return inner.length === 1 && inner[0] !== UNNAMED ? inner : ['case']
    }
    case 'SubLink': {
      if (node['subLinkType'] === 'EXISTS_SUBLINK') return ['exists']
      if (node['subLinkType'] === 'ARRAY_SUBLINK') return ['array']
      const inner = tree(tree(node['subselect'])['SelectStmt'])
      return targetColumns(inner['targetList'], openScope()).slice(0, 1)
    }
    case 'SQLValueFunction':
      return [String(node['op']).replace('SVFOP_', '').replace(/_N$/, '').toLowerCase()]
    case 'MinMaxExpr':
      return [node['op'] === 'IS_LEAST' ? 'least' : 'greatest']
    default:
      return [FIXED_NAMES[kind] ?? UNNAMED]
  }
}

const UNNAMED = '?column?'

const FIXED_NAMES: Readonly<Record<string, string>> = {
  CoalesceExpr: 'coalesce',
  A_ArrayExpr: 'array',
  RowExpr: 'row',
  GroupingFunc: 'grouping',
  JsonObjectConstructor: 'json_object',
  JsonArrayConstructor: 'json_array',
  JsonArrayQueryConstructor: 'json_array',
  JsonObjectAgg: 'json_objectagg',
  JsonArrayAgg: 'json_arrayagg',
}

export function hasStar(path: unknown): boolean {
  return list(path).some((item) => isTree(item) && 'A_Star' in item)
}

/** The columns that a function in FROM gives: those it declares, else its alias or name. */
export function functionColumns(body: Readonly<Record<string, unknown>>): Columns {
  const alias = tree(body['alias'])
  const declared = list(body['coldeflist']).flatMap((item) => text(tree(tree(item)['ColumnDef'])['colname']) ?? [])
  const calls = list(body['functions']).flatMap((item) => {
    const [call, columns] = list(tree(tree(item)['List'])['items'])
    const columnNames = list(tree(tree(columns)['List'])['items'])
    return [
      ...names(tree(tree(call)['FuncCall'])['funcname']).slice(-1),
      ...columnNames.flatMap((column) => text(tree(tree(column)['ColumnDef'])['colname']) ?? []),
    ]
  })
  return [...names(alias['colnames']), ...declared, ...calls, text(alias['aliasname']) ?? '', ...RECORD_COLUMNS]
}
