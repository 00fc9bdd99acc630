import { wordSet } from '../../../shared/word-set.ts'
import { isTree, list, tree } from '../json.ts'
import { checkMade, MAX_REPEAT, MAX_SERIES } from '../size.ts'
import { rejectQuery } from '../verdict.ts'
import { foldConstant, literalArgument, NOW, type Constant } from './constants.ts'
import { builtIn, names } from './names.ts'

/** Minimum step, in seconds, of a series of times whose ends depend on data. */
const MIN_DATA_STEP = 3600

/** Rows that are made from nothing in one SELECT; what a table holds is not counted. */
export interface Rows {
  /** Product of the rows of FROM items and of the column list, as in a cross join. */
  made: number
  /** By subqueries in expressions, which may run once for each row. */
  beside: number
}

export function openRows(): Rows {
  return { made: 1, beside: 0 }
}

export function nestedRows({ made, beside }: Rows): number {
  return made * Math.max(1, beside)
}

interface Counted {
  readonly rows: Rows
  largest: number
  hasDataSeries: boolean
  readonly widest: number
}

/** Records the largest number that is a literal or is computed from literals. */
export function noteConstant(counted: Counted, value: unknown): void {
  const constant = foldConstant(value)
  if (constant?.kind === 'number') counted.largest = Math.max(counted.largest, Math.abs(constant.value))
}

/** Functions that make rows from one value. */
const GENERATORS: ReadonlySet<string> = wordSet(
  'generate_subscripts json_array_elements json_array_elements_text json_each json_each_text json_object_keys json_to_recordset jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query jsonb_to_recordset regexp_matches regexp_split_to_table string_to_table unnest',
)

/** Counts the rows of a call, if it makes any. */
export function countRows(counted: Counted, name: string, args: readonly unknown[]): void {
  if (name === 'generate_series') counted.rows.made *= seriesRows(counted, args)
  else if (GENERATORS.has(name)) counted.rows.made *= Math.max(1, ...args.map(writtenItems))
}

/** How many items a value can hold that is written in the query. */
function writtenItems(value: unknown): number {
  if (Array.isArray(value)) return Math.max(value.length, ...value.map(writtenItems))
  if (!isTree(value)) return 0
  const written = literalArgument(value)
  if (typeof written === 'string') return written.length / 2
  const functionName = builtIn(names(tree(value['FuncCall'])['funcname'])) ?? ''
  if (['repeat', 'lpad', 'rpad'].includes(functionName)) {
    const length = literalArgument(list(tree(value['FuncCall'])['args'])[1])
    return typeof length === 'number' ? Math.abs(length) : MAX_REPEAT
  }
  return Math.max(0, ...Object.values(value).map(writtenItems))
}

/** Ends the count of the whole query. */
export function checkCountedRows({ largest, hasDataSeries, widest }: Counted, rows: number): void {
  checkMade(rows)
  if (rows * widest > MAX_TEXT) {
    rejectQuery('size', `The query would build more than ${MAX_TEXT} characters; choose shorter texts or fewer rows.`)
  }
  if (hasDataSeries && largest > MAX_SERIES) {
    rejectQuery(
      'size',
      `Beside a series whose ends come from data no number may be above ${MAX_SERIES}; write the series' ends as plain numbers.`,
    )
  }
}

const MAX_TEXT = 100_000_000

function seriesRows(counted: Counted, args: readonly unknown[]): number {
  const [start, stop] = args.map(foldConstant)
  const step = args.length > 2 ? foldConstant(args[2]) : ONE
  if (step === undefined) return refuseSeries("its step must be a constant, such as 1 or interval '1 day'")
  const span = start === undefined || stop === undefined ? undefined : stop.value - start.value
  if (span !== undefined) {
    const rows = Math.abs(span / step.value)
    if (!(rows <= MAX_SERIES))
      refuseSeries(`it may give at most ${MAX_SERIES} rows; choose a shorter range or a larger step`)
    return rows + 1
  }
  if ([start, stop].some((end) => end !== undefined && !Number.isFinite(end.value))) refuseSeries('it must end')
  for (const [at, end] of [start, stop].entries()) {
    if (end === undefined && !hasData(args[at])) {
      refuseSeries('its ends must be plain numbers or times, or come from data; write what each end comes to')
    }
    // The data are taken for being of our time.
    if (end?.kind === 'time' && !(Math.abs((end.value - NOW) / step.value) <= MAX_SERIES)) {
      refuseSeries('an end of it is too far from today; choose a nearer one or a larger step')
    }
  }
  checkDataSeries(counted, args, step)
  return 1
}

const ONE: Constant = { kind: 'number', value: 1 }

/** A series between values of the data is as long as the data says, so nothing in the query may make it longer. */
function checkDataSeries(counted: Counted, args: readonly unknown[], step: Constant): void {
  if (step.kind !== 'number') {
    if (!(Math.abs(step.value) >= MIN_DATA_STEP)) {
      refuseSeries('between times from data its step must be an hour or more')
    }
    return
  }
  if (!(Math.abs(step.value) >= 1)) refuseSeries('between numbers from data its step must be 1 or more')
  if (args.slice(0, 2).some(multiplies)) refuseSeries('its ends must be columns or plain numbers, not products')
  counted.hasDataSeries = true
}

/** Whether a column or a table has a part in a value. */
function hasData(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasData)
  return isTree(value) && Object.entries(value).some(([kind, body]) => DATA.has(kind) || hasData(body))
}

const DATA = new Set(['ColumnRef', 'RangeVar'])

/** What makes a number larger than those it is made from; digits that are put together are such a number, too. */
const MULTIPLYING = wordSet(
  '* ^ << power pow exp repeat || concat concat_ws format lpad rpad replace translate to_char to_number string_agg',
)

function multiplies(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(multiplies)
  if (!isTree(value)) return false
  const [called = ''] = [...names(value['funcname']), ...names(value['name'])].slice(-1)
  return MULTIPLYING.has(called) || Object.values(value).some(multiplies)
}

const JOINING = wordSet('|| concat concat_ws format replace array_append array_cat array_prepend')

/** Refuses a recursive part that puts a column together with itself: each turn would double it. */
export function checkGrowth(value: unknown): void {
  if (Array.isArray(value)) value.forEach(checkGrowth)
  if (!isTree(value)) return
  const [called = ''] = [...names(value['funcname']), ...names(value['name'])].slice(-1)
  const used = JOINING.has(called) ? columnNames(value) : []
  if (new Set(used).size < used.length) {
    rejectQuery(
      'size',
      `The recursive part of a CTE puts a column together with itself by ${called}, which doubles it in each turn; use the column once.`,
    )
  }
  Object.values(value).forEach(checkGrowth)
}

function columnNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(columnNames)
  if (!isTree(value)) return []
  const column = names(tree(value['ColumnRef'])['fields']).at(-1)
  return column === undefined ? Object.values(value).flatMap(columnNames) : [column]
}

function refuseSeries(why: string): never {
  rejectQuery('size', `A call of generate_series() is not bounded: ${why}.`)
}
