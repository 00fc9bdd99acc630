import { isTree, list, text, tree, type Tree } from '../json.ts'
import { foldAscii } from '../tables.ts'
import { rejectQuery } from '../verdict.ts'

const MAX_COPIES = 10_000

/** Copies that the CTEs in sight make at most of a column. */
type Copies = ReadonlyMap<string, number>

/**
 * Rejects a query with nested subqueries that each use a column of the inner one twice: the database replaces the
 * column by its expression, which doubles at each level.
 */
export function checkDoubling(query: Tree): void {
  if (copiesOf(query, new Map()) <= MAX_COPIES) return
  rejectQuery(
    'size',
    `Columns of subqueries and CTEs are used in each other more than ${MAX_COPIES} times; use each column fewer times.`,
  )
}

function copiesOf(query: Tree, outer: Copies): number {
  const inner = new Map(outer)
  for (const item of list(tree(query['with'])['cte_tables'])) {
    const name = foldAscii(text(tree(tree(tree(item)['alias'])['name'])['value']) ?? '')
    inner.delete(name)
    inner.set(name, copiesOf(tree(tree(item)['query']), inner))
  }
  return Math.max(copiesOfBody(tree(query['body']), inner), ...inner.values())
}

function copiesOfBody(body: Tree, known: Copies): number {
  if ('Query' in body) return copiesOf(tree(body['Query']), known)
  if ('SetOperation' in body) {
    const { left, right } = tree(body['SetOperation'])
    return Math.max(copiesOfBody(tree(left), known), copiesOfBody(tree(right), known))
  }
  const { from, projection } = tree(body['Select'])
  return (
    Math.max(1, ...list(projection).map(mostUses)) * Math.max(1, ...list(from).map((item) => copiesBelow(item, known)))
  )
}

/** The most that anything in FROM makes, a subquery or a CTE. */
function copiesBelow(value: unknown, known: Copies): number {
  if (Array.isArray(value)) return Math.max(1, ...value.map((item) => copiesBelow(item, known)))
  if (!isTree(value)) return 1
  if ('body' in value) return copiesOf(value, known)
  const name = text(tree(tree(list(tree(value['Table'])['name']).at(-1))['Identifier'])['value'])
  if (name !== undefined) return known.get(foldAscii(name)) ?? 1
  return Math.max(1, ...Object.values(value).map((item) => copiesBelow(item, known)))
}

/** How often the column is used that an expression uses most. */
function mostUses(expression: unknown): number {
  const uses = new Map<string, number>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isTree(value)) return
    const path = 'CompoundIdentifier' in value ? list(value['CompoundIdentifier']).at(-1) : value['Identifier']
    const name = foldAscii(text(tree(path)['value']) ?? '')
    if (name === '') Object.values(value).forEach(visit)
    else uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  visit(expression)
  return Math.max(1, ...uses.values())
}
