import Libsql from 'libsql'
import { FUNCTIONS } from '../functions.ts'
import { createTableCatalog } from '../tables.ts'
import type { TableSchema } from '../../schema.ts'
import { wordSet } from '../../../shared/word-set.ts'

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
 * SQLite's analysis: EXPLAIN lists the steps of a query without running them, including the functions it calls and the
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
    const violation = violationOf(program, listsOf(this.#shadow, allowedTables))
    if (violation !== undefined)
      throw new BlockedQuery(`SQLite would ${violation} for this query; that is not on the allow-list.`)
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

/** One instruction of the program that SQLite makes of a query, as EXPLAIN lists it. */
export interface Instruction {
  readonly opcode: string
  readonly p1: number
  readonly p2: number
  readonly p3: number
  readonly p4: string | null
}

/**
 * Allowed instructions of queries, from the list of SQLite 3.45. Instructions that insert or delete affect only the
 * query's own temporary tables, since none that opens a stored table for writing is listed. `Variable` is missing
 * because there are no parameters.
 */
const READING = wordSet(`
  Init Transaction TableLock Goto Gosub Return InitCoroutine EndCoroutine Yield Halt HaltIfNull Once Jump Noop Explain Trace
  ReleaseReg Abortable Integer Int64 Real String String8 Null SoftNull Blob BeginSubrtn Move Copy SCopy IntCopy CollSeq ResultRow
  Concat Add Subtract Multiply Divide Remainder BitAnd BitOr BitNot ShiftLeft ShiftRight AddImm MustBeInt RealAffinity Cast Affinity
  Eq Ne Lt Le Gt Ge ElseEq ElseNotEq Permutation Compare And Or Not IsTrue If IfNot IsNull NotNull IsType ZeroOrNull IfNullRow
  IfPos IfNotZero DecrJumpZero OffsetLimit Offset Column ColumnsUsed MakeRecord TypeCheck Count Sequence SequenceTest NewRowid
  OpenRead ReopenIdx OpenDup OpenAutoindex OpenEphemeral OpenPseudo SorterOpen Close
  SeekLT SeekLE SeekGE SeekGT SeekScan SeekHit SeekRowid SeekEnd IfNotOpen IfNoHope IfEmpty IfSizeBetween NoConflict NotFound Found
  NotExists Last IfSmaller Rewind Sort SorterSort Next Prev SorterNext SorterInsert SorterCompare SorterData ResetSorter
  Insert Delete IdxInsert IdxDelete RowData RowCell Rowid NullRow DeferredSeek FinishSeek IdxRowid IdxLE IdxGT IdxLT IdxGE
  RowSetAdd RowSetRead RowSetTest Filter FilterAdd
  Function PureFunc AggStep AggStep1 AggInverse AggValue AggFinal ClrSubtype GetSubtype SetSubtype
  VOpen VFilter VColumn VNext VInitIn VPreparedSql
`)

const CALLING = wordSet('Function PureFunc AggStep AggStep1 AggInverse AggValue AggFinal')
/** Operators that SQLite carries out by functions of these names. */
const OPERATOR_FUNCTIONS = wordSet('like glob -> ->>')

/** What the program of a query may use, and how things are called. */
interface ProgramLists {
  readonly functions: ReadonlySet<string>
  /** By root page of the main database. */
  readonly tables: ReadonlyMap<number, { readonly name: string; readonly isAllowed: boolean }>
  /** As EXPLAIN names what VOpen opens. */
  readonly virtualTables: ReadonlySet<string>
}

/** Says what a program would do that it may not; undefined when there is nothing. */
export function violationOf(program: readonly Instruction[], lists: ProgramLists): string | undefined {
  for (const { opcode, p2, p3, p4 } of program) {
    if (!READING.has(opcode)) return `take the step ${opcode}, which reading does not need`
    if (opcode === 'Transaction' && p2 !== 0) return 'write'
    if (CALLING.has(opcode)) {
      const name = /^(.+)\(-?\d+\)$/.exec(p4 ?? '')?.[1] ?? ''
      if (!lists.functions.has(name) && !OPERATOR_FUNCTIONS.has(name)) return `call the function "${name}"`
    }
    if (opcode === 'OpenRead' || opcode === 'ReopenIdx') {
      const table = p3 === 0 ? lists.tables.get(p2) : undefined
      if (table === undefined) return "read a table of SQLite's own"
      if (!table.isAllowed) return `read the table "${table.name}"`
    }
    if (opcode === 'VOpen' && !lists.virtualTables.has(p4 ?? '')) return 'read from a table-valued function'
  }
  return undefined
}
