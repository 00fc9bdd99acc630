import Libsql from 'libsql'
import { FUNCTIONS } from '../functions.ts'
import { createTableCatalog } from '../tables.ts'
import type { TableSchema } from '../../schema.ts'
import { offenceOf, type Instruction, type ProgramLists } from './sqlite-program.ts'

type Sqlite = InstanceType<typeof Libsql>

/** A query is refused by what SQLite itself makes of it. */
export class BlockedQuery extends Error {
  override readonly name = 'BlockedQuery'
}

/** Functions of the allow-list that are in FROM. */
const TABLE_FUNCTIONS = ['json_each', 'json_tree']

interface Shadow {
  readonly database: Sqlite
  readonly tables: ReadonlyMap<TableSchema, number>
  readonly virtualTables: ReadonlySet<string>
}

/**
 * SQLite's reading: EXPLAIN lists the steps of a query without running them, including the functions it calls and the
 * tables it opens. It runs on an empty copy of the schema in which views are tables, so that a view is distinguished
 * from the tables behind it.
 */
export class SqliteAnalysis {
  #shadow: Shadow | undefined
  #version: number | undefined

  /**
   * @param version of the schema, to detect changes
   * @throws BlockedQuery with the names that are not listed; otherwise SQLite's error
   */
  check(sql: string, version: number, readSchema: () => TableSchema[], allowedTables?: readonly string[]): void {
    if (this.#shadow === undefined || this.#version !== version) {
      this.#shadow?.database.close()
      this.#shadow = undefined
      this.#shadow = makeShadow(readSchema())
      this.#version = version
    }
    const { database } = this.#shadow
    const program = database.prepare(`EXPLAIN ${sql}`).all([]) as Instruction[]
    const offence = offenceOf(program, listsOf(this.#shadow, allowedTables))
    if (offence !== undefined)
      throw new BlockedQuery(`SQLite would ${offence} for this query; that is not on the allow-list.`)
  }
}

/** Tables without rows, types and keys: what names mean depends on none of these. */
function makeShadow(schema: readonly TableSchema[]): Shadow {
  const database = new Libsql(':memory:')
  for (const { name, columns } of schema) {
    database.exec(`CREATE TABLE ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})`)
  }
  const roots = new Map(
    (database.prepare('SELECT name, rootpage FROM sqlite_schema').all([]) as { name: string; rootpage: number }[]).map(
      (row) => [row.name, row.rootpage],
    ),
  )
  const virtualTables = TABLE_FUNCTIONS.filter((name) => !roots.has(name)).flatMap((name) =>
    (database.prepare(`EXPLAIN SELECT 1 FROM ${name}('[]')`).all([]) as Instruction[])
      .filter(({ opcode }) => opcode === 'VOpen')
      .map(({ p4 }) => p4 ?? ''),
  )
  return {
    database,
    tables: new Map(schema.map((table) => [table, roots.get(table.name) ?? 0])),
    virtualTables: new Set(virtualTables),
  }
}

function listsOf({ tables, virtualTables }: Shadow, allowedTables?: readonly string[]): ProgramLists {
  const schema = { name: '', dialect: 'sqlite' as const, tables: [...tables.keys()] }
  const allowed = new Set(createTableCatalog(schema, allowedTables).allowed)
  return {
    functions: FUNCTIONS.sqlite,
    tables: new Map([...tables].map(([table, root]) => [root, { name: table.name, isAllowed: allowed.has(table) }])),
    virtualTables,
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
