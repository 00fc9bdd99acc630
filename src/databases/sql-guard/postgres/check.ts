import { joinsOf, type JoinedSelect } from '../joins.ts'
import { list, tree } from '../json.ts'
import type { TableCatalog } from '../tables.ts'
import { rejectQuery } from '../verdict.ts'
import type { CallableNames } from '../../schema.ts'
import type { Walk } from './checks.ts'
import { checkCountedRows, openRows } from './rows.ts'
import { statementName, walkSelect } from './walk.ts'

/**
 * Checks libpg-query's tree of a PostgreSQL query. Throws to reject it, else returns the tables and functions it uses.
 */
export function checkPostgres(
  parsed: unknown,
  catalog: TableCatalog,
  callable: CallableNames | undefined,
): { tables: string[]; functions: string[]; joins: JoinedSelect[] } {
  checkDepth(parsed)
  const statements = list(tree(parsed)['stmts'])
  if (statements.length !== 1) {
    rejectQuery('statement-count', `The query has ${statements.length} statements; write exactly one SELECT.`)
  }
  const statement = tree(tree(statements[0])['stmt'])
  if (!('SelectStmt' in statement)) {
    const name = statementName(statement)
    rejectQuery('statement-kind', `Only SELECT is allowed; this is a ${name} statement.`, { name })
  }
  const callableNames = callable === undefined ? undefined : new Set(callable.any)
  const walk: Walk = {
    catalog,
    tables: new Set(),
    functions: new Set(),
    isCallable: (name) => callableNames?.has(name) ?? true,
    own: new Set(callable?.own),
    rows: openRows(),
    largest: 0,
    hasDataSeries: false,
    widest: 1,
    depth: 0,
    weight: 0,
  }
  const { rows } = walkSelect(walk, tree(statement['SelectStmt']), undefined)
  checkCountedRows(walk, rows)
  return { tables: [...walk.tables], functions: [...walk.functions], joins: joinsOf(tree(statement['SelectStmt'])) }
}

/** Maximum nesting of objects and lists; a node of the walk consists of two or three of them. */
const MAX_TREE_DEPTH = 2500

/** Checks the whole tree without recursion, so that later steps cannot overflow the stack. */
function checkDepth(parsed: unknown): void {
  let level: readonly unknown[] = [parsed]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_TREE_DEPTH)
      rejectQuery('length', 'The query is nested too deeply; write it with fewer nested parts.')
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? Object.values(value).filter((inner) => typeof inner === 'object')
        : [],
    )
  }
}
