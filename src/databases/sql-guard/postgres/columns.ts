import { wordSet } from '../../../shared/word-set.ts'
import { list, text, tree, type Tree } from '../json.ts'
import { builtIn, hasStar, impliedName, names } from './names.ts'
import {
  closed,
  concat,
  findRelation,
  mayBeColumn,
  rename,
  unknownColumns,
  weightOf,
  type Columns,
  type Relation,
  type Scope,
} from './scope.ts'

/** The columns of a SELECT list. */
export function targetColumns(targets: unknown, scope: Scope, weights: readonly number[]): Columns {
  return concat(
    list(targets).map((item, at) => {
      const target = tree(tree(item)['ResTarget'])
      const alias = text(target['name'])
      const weight = weights[at] ?? 1
      return alias === undefined ? impliedColumns(tree(target['val']), scope, weight) : closed([alias], [weight])
    }),
  )
}

function impliedColumns(value: Tree, scope: Scope, weight: number): Columns {
  const path = tree(value['ColumnRef'])['fields']
  if (hasStar(path)) {
    const relation = relationOf(path, scope)
    if (relation !== undefined) return relation.columns
    return concat(scope.relations.filter(({ starred }) => starred).map(({ columns }) => columns))
  }
  const field = tree(value['A_Indirection'])
  if (hasStar(field['indirection'])) {
    const row = names(field['indirection']).length > 0 ? undefined : rowColumns(field['arg'], scope)
    return row === undefined ? unknownColumns(weight) : { ...row, weights: row.weights.map(() => weight) }
  }
  return closed([impliedName(value)], [weight])
}

/** The relation before a star or a column: `x` of `x.*`, `s.x` of `s.x.*`. */
function relationOf(path: unknown, scope: Scope): Relation | undefined {
  const [relation, schema] = names(path).reverse()
  return relation === undefined ? undefined : findRelation(scope, relation, schema)
}

/** The fields of an expression that is known to be a row; undefined for all others. */
export function rowColumns(value: unknown, scope: Scope): Columns | undefined {
  const path = tree(tree(value)['ColumnRef'])['fields']
  const [name, ...more] = names(path)
  if (name !== undefined && (hasStar(path) || (more.length === 0 && !mayBeColumn(scope, name)))) {
    const relation = hasStar(path) ? relationOf(path, scope) : findRelation(scope, name)
    return relation === undefined || relation.plain === true ? undefined : relation.columns
  }
  const fields = NAMED_RESULTS.get(builtIn(names(tree(tree(value)['FuncCall'])['funcname'])) ?? '')
  return fields !== undefined && fields.length > 1 ? closed(fields) : undefined
}

/** Functions whose result has its own column name, which an alias of the call does not replace. */
const NAMED_RESULTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['json_each', ['key', 'value']],
  ['jsonb_each', ['key', 'value']],
  ['json_each_text', ['key', 'value']],
  ['jsonb_each_text', ['key', 'value']],
  ['json_array_elements', ['value']],
  ['jsonb_array_elements', ['value']],
  ['json_array_elements_text', ['value']],
  ['jsonb_array_elements_text', ['value']],
])

/** Functions that return one column of a plain type, named by the alias or else by the function. */
const ONE_COLUMN: ReadonlySet<string> = wordSet(
  'generate_series generate_subscripts json_object_keys jsonb_object_keys jsonb_path_query regexp_matches regexp_split_to_table string_to_table',
)

/** The relation of a function in FROM (`addRangeTableEntryForFunction` in PostgreSQL's sources). */
export function functionRelation(body: Tree, weight: number): Relation {
  const [call] = list(tree(tree(list(body['functions'])[0])['List'])['items'])
  const alias = text(tree(body['alias'])['aliasname'])
  const parts = [callColumns(call, alias, list(body['coldeflist']))]
  if (body['ordinality'] === true) parts.push(closed(['ordinality']))
  const columns = rename(concat(parts), names(tree(body['alias'])['colnames']))
  return {
    name: alias ?? impliedName(call),
    columns: { ...columns, weights: columns.weights.map(() => weight) },
    starred: true,
    plain: true,
  }
}

function callColumns(call: unknown, alias: string | undefined, declared: readonly unknown[]): Columns {
  if (declared.length > 0) {
    return closed(declared.flatMap((item) => text(tree(tree(item)['ColumnDef'])['colname']) ?? []))
  }
  const node = tree(tree(call)['FuncCall'])
  const name = builtIn(names(node['funcname'])) ?? ''
  const result = NAMED_RESULTS.get(name)
  if (result !== undefined) return closed(result)
  // Other functions may return a row: `unnest` does for an array of rows or a tsvector.
  return ONE_COLUMN.has(name) ? closed([alias ?? name]) : unknownColumns()
}

/** The columns of a join: the merged ones, then the other ones of the left and the right side. */
export function joinColumns(join: Tree, left: Columns, right: Columns): Columns {
  const merged = names(join['usingClause'])
  // In some joins a merged column is `coalesce(left, right)`.
  const sumOfSides = (name?: string): number =>
    [left, right].reduce(
      (sum, side) => sum + (name === undefined ? Math.max(1, ...side.weights) : (weightOf(side, name) ?? 0)),
      0,
    )
  if (join['isNatural'] === true) {
    // A column that this role may not read can be merged, too, so the positions are uncertain.
    const all = [...new Set([...left.names, ...right.names])]
    return concat([closed(all, all.map(sumOfSides)), unknownColumns(sumOfSides())])
  }
  const rest = ({ names: all, open, weights }: Columns): Columns => ({
    names: all.filter((name) => !merged.includes(name)),
    open,
    weights: weights.filter((_, at) => at >= all.length || !merged.includes(all[at] ?? '')),
  })
  return concat([closed(merged, merged.map(sumOfSides)), rest(left), rest(right)])
}
