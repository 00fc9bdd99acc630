import { type JoinedSelect, joinsOf } from '../joins.ts'
import { isTree, list, text, tree, type Tree } from '../json.ts'
import { foldAscii, type TableCatalog } from '../tables.ts'
import { rejectQuery } from '../verdict.ts'
import { checkDoubling } from './expression-blowup.ts'
import type { LexedDialect, WordCount } from './lexer.ts'
import { type Walk, walkQuery } from './walk.ts'
import { checkMade } from '../size.ts'

/**
 * Judges sqlparser's tree of a MySQL or SQLite query; refuses by throwing, else says what the query reads and calls.
 * `words` is what the lexer counted in the text: a SELECT, FROM or JOIN that the tree does not account for means that parser and
 * text were read differently, and the database may side with the text.
 */
export function checkSqlparser(
  parsed: unknown,
  dialect: LexedDialect,
  words: WordCount,
  catalog: TableCatalog,
  own: readonly string[],
): { tables: string[]; functions: string[]; joins: JoinedSelect[] } {
  const statements = list(parsed)
  if (statements.length !== 1) {
    rejectQuery('statement-count', `The query has ${statements.length} statements; write exactly one SELECT.`)
  }
  const query = tree(statements[0])['Query']
  if (query === undefined) {
    const kind = typeof statements[0] === 'string' ? statements[0] : (Object.keys(tree(statements[0]))[0] ?? 'nothing')
    const statement = kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()
    rejectQuery('statement-kind', `Only SELECT is allowed; this is a ${statement} statement.`, { name: statement })
  }
  const walk: Walk = {
    dialect,
    catalog,
    tables: new Set(),
    functions: new Set(),
    seen: { select: 0, from: 0, join: 0 },
    own: new Set(own.map(foldAscii)),
    widest: 1,
    depth: 0,
  }
  walkQuery(walk, tree(query), new Set())
  checkRows(tree(query))
  checkDoubling(tree(query))
  for (const word of ['select', 'from', 'join'] as const) {
    if (words[word] !== walk.seen[word]) {
      rejectQuery(
        'ambiguous',
        `The text has ${words[word]} ${word.toUpperCase()} but was read with ${walk.seen[word]}; quote names that are keywords.`,
      )
    }
  }
  return {
    tables: [...walk.tables],
    functions: [...walk.functions],
    joins: joinsOf(tree(query)),
  }
}

/** Rows that the CTEs in sight make at most. */
type CteRows = ReadonlyMap<string, number>

/** Rejects a query whose lists multiply to too many rows. Rows of tables and recursions of a CTE are not counted. */
function checkRows(query: Tree): void {
  checkMade(rowsOf(query, new Map()))
}

function rowsOf(query: Tree, outer: CteRows): number {
  const inner = new Map(outer)
  for (const item of list(tree(query['with'])['cte_tables'])) {
    const name = foldAscii(text(tree(tree(tree(item)['alias'])['name'])['value']) ?? '')
    inner.set(name, 1)
    inner.set(name, rowsOf(tree(tree(item)['query']), inner))
  }
  return rowsOfBody(tree(query['body']), inner)
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
