import { isTree, list, text, tree, type Tree } from '../json.ts'
import { checkMade } from '../size.ts'
import { foldAscii } from '../tables.ts'

/** Rows that the CTEs in sight make at most. */
type CteRows = ReadonlyMap<string, number>

/** Rejects a query whose lists multiply to too many rows. Rows of tables and recursions of a CTE are not counted. */
export function checkRows(query: Tree): void {
  checkMade(rowsOf(query, new Map()))
}

function rowsOf(query: Tree, outer: CteRows): number {
  const made = new Map(outer)
  for (const item of list(tree(query['with'])['cte_tables'])) {
    const name = foldAscii(text(tree(tree(tree(item)['alias'])['name'])['value']) ?? '')
    made.set(name, 1)
    made.set(name, rowsOf(tree(tree(item)['query']), made))
  }
  return rowsOfBody(tree(query['body']), made)
}

function rowsOfBody(body: Tree, made: CteRows): number {
  if ('Query' in body) return rowsOf(tree(body['Query']), made)
  if ('Values' in body) return list(tree(body['Values'])['rows']).length
  if ('SetOperation' in body) {
    const { left, right } = tree(body['SetOperation'])
    return rowsOfBody(tree(left), made) + rowsOfBody(tree(right), made)
  }
  const { from, ...others } = tree(body['Select'])
  return product(list(from), (item) => rowsOfJoin(tree(item), made)) * Math.max(1, rowsBeside(others, made))
}

function rowsOfJoin({ relation, joins }: Tree, made: CteRows): number {
  return (
    rowsOfItem(tree(relation), made) * product(list(joins), (join) => rowsOfItem(tree(tree(join)['relation']), made))
  )
}

function rowsOfItem(item: Tree, made: CteRows): number {
  if ('Derived' in item) return rowsOf(tree(tree(item['Derived'])['subquery']), made)
  if ('NestedJoin' in item) return rowsOfJoin(tree(tree(item['NestedJoin'])['table_with_joins']), made)
  if ('JsonTable' in item) return Math.max(1, longestText(tree(item['JsonTable'])['json_expr']) / 2)
  const { name, args } = tree(item['Table'])
  if (isTree(args)) return Math.max(1, longestText(args) / 2)
  const path = list(name)
  const last = text(tree(tree(path[0])['Identifier'])['value']) ?? ''
  return path.length === 1 ? (made.get(foldAscii(last)) ?? 1) : 1
}

/** Subqueries in expressions, which may run for each row. */
function rowsBeside(value: unknown, made: CteRows): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + rowsBeside(item, made), 0)
  if (!isTree(value)) return 0
  if ('body' in value) return rowsOf(value, made)
  return Object.values(value).reduce<number>((sum, item) => sum + rowsBeside(item, made), 0)
}

/** A text in the query holds an item for every two characters at most: `[1,1,1]`. */
function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return Math.max(0, ...value.map(longestText))
  return isTree(value) ? Math.max(0, ...Object.values(value).map(longestText)) : 0
}

function product(items: readonly unknown[], rows: (item: unknown) => number): number {
  return items.reduce<number>((made, item) => made * rows(item), 1)
}
