import { list, tree } from '../json.ts'
import type { TableCatalog } from '../tables.ts'
import { refuse } from '../verdict.ts'
import { tableColumns } from './scope.ts'
import { statementName, walkSelect, type Walk } from './walk.ts'

/** Judges libpg-query's tree of a PostgreSQL query; refuses by throwing, else says what the query reads and calls. */
export function checkPostgres(parsed: unknown, catalog: TableCatalog): { tables: string[]; functions: string[] } {
  const statements = list(tree(parsed)['stmts'])
  if (statements.length !== 1) {
    refuse('statement-count', `The query has ${statements.length} statements; write exactly one SELECT.`)
  }
  const statement = tree(tree(statements[0])['stmt'])
  if (!('SelectStmt' in statement)) {
    refuse('statement-kind', `Only SELECT is allowed; this is a ${statementName(statement)} statement.`)
  }
  const columns = catalog.allowed.flatMap(tableColumns)
  const walk: Walk = { catalog, tables: new Set(), functions: new Set(), columns, depth: 0 }
  walkSelect(walk, tree(statement['SelectStmt']), undefined)
  return { tables: [...walk.tables], functions: [...walk.functions] }
}
