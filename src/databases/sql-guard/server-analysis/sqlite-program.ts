import { wordSet } from '../../../shared/word-set.ts'

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
export interface ProgramLists {
  readonly functions: ReadonlySet<string>
  /** By root page of the main database. */
  readonly tables: ReadonlyMap<number, { readonly name: string; readonly isAllowed: boolean }>
  /** As EXPLAIN names what VOpen opens. */
  readonly virtualTables: ReadonlySet<string>
}

/** Says what a program would do that it may not; undefined when there is nothing. */
export function offenceOf(program: readonly Instruction[], lists: ProgramLists): string | undefined {
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
