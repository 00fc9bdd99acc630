import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { tableFromArrays, type Table } from '../../../core/table.ts'
import { numeric } from '../../../language/figures/derive.ts'
import type { AnswerColumn, LinkedQuery } from '../../../question-to-sql/index.ts'
import { describeAnswer } from '../answer.ts'
import type { ProposedQuery } from '../proposal.ts'
import { proposeByRules } from '../propose.ts'
import type { SqlTools } from '../tools.ts'

/** What the rules make of a question, without the model. */
export interface SecondReading {
  readonly linked: LinkedQuery
  readonly sql: string
  readonly table: Table
}

type Row = Table['rows'][number]

/** A column that names rows by numbers. */
const KEY = /(?:^|_)(?:id|no|key)$|Id$|_ID$/

/** The rules' reading of what a model wrote a query for. They account for every word of a question, or refuse it. */
export async function secondReading(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  { database, by }: ProposedQuery,
): Promise<SecondReading | undefined> {
  if (by === 'rules') return undefined
  const ruled = await proposeByRules(task, ctx, tools, [database])
  if (ruled.kind !== 'query' || ruled.linked === undefined) return undefined
  const { linked, sql } = ruled
  const { result } = await ctx.call(tools.query, { database: database.source.name, sql })
  const table = tableFromArrays(result.columns, result.data, result.truncated)
  const isCut = table.truncated === true || table.rowCount === linked.list?.limit
  return result.success && !isCut ? { linked, sql, table } : undefined
}

/** For whoever reads the answer: what else the question may mean. */
export function remarkOnSecond({ linked, table }: SecondReading, locale: string | undefined): string {
  return `By the words of the question alone, without the model, the answer is another one: ${describeAnswer(linked, table, locale)}`
}

/** For a second look at the query. */
export function doubtOfSecond({ sql }: SecondReading): string {
  return `Rules that go by the words of the question run this, and does it come to the same: ${sql}`
}

/** Whether two tables say the same, though one may show more of it, or round; undefined where rows are named by other columns. */
export function agrees(
  { linked, table: ruled }: SecondReading,
  { columns, rows, rowCount }: Table,
): boolean | undefined {
  const { shape } = linked
  const shown = linked.columns.filter(({ name }) => ruled.columns.includes(name))
  // What a list tells beside each name is more than was asked.
  const labels = shown.filter(({ role }) => role === 'label').slice(0, shape === 'grouped' ? undefined : 1)
  const figures = shape === 'rows' ? [] : shown.filter(({ role }) => role !== 'label')
  const told = columns.filter((name) => !KEY.test(name))
  const cellsOf = (row: Row): unknown[] => told.map((name) => row[name])
  const isTold = (row: Row, cells: readonly unknown[]): boolean => {
    const has = ({ name, role }: AnswerColumn): boolean =>
      cells.some((cell) => isSame(row[name], cell, role === 'percent'))
    // Of two figures and what comes of them, either may be told.
    const [one, other, ...derived] = labels.length === 0 ? figures : []
    return figures.every(has) || (derived.length > 0 && ((has(one!) && has(other!)) || derived.some(has)))
  }
  const [first = {}] = ruled.rows
  if (labels.length + figures.length === 0) return undefined
  if (labels.length === 0) {
    // The rows that were to be counted, or “how many in Berlin and how many in Dublin” below each other.
    if (rowCount > 1 && rowCount !== figures.length)
      return figures.length === 1 && isSame(first[figures[0]!.name], rowCount)
    const cells = rows.flatMap(cellsOf)
    return isTold(first, cells.length === 0 ? [0] : cells)
  }
  // A list may be counted.
  if (rowCount === 1 && columns.length === 1 && figures.length === 0 && isSame(ruled.rowCount, rows[0]![columns[0]!]))
    return true
  // Of what there is nothing of, a join has no row.
  const isNothing = (row: Row): boolean =>
    shape === 'grouped' && figures.every(({ name }) => Number(row[name] ?? 0) === 0)
  const wanted = ruled.rows.filter((row) => figures.length === 0 || !isNothing(row))
  const isOf = (row: Row, own: Row): boolean => labels.every(({ name }) => isNamed(row[name], Object.values(own)))
  const cells = rows.flatMap(cellsOf)
  const hasFigures = cells.some((cell) => cell === null || numeric(cell) !== undefined)
  const isSaid = (row: Row): boolean => rows.some((own) => isOf(row, own) && (!hasFigures || isTold(row, cellsOf(own))))
  const found = wanted.filter(isSaid).length
  // Of equal ones, some may be taken.
  const isTied = linked.isTied === true || linked.top !== undefined
  const least = isTied ? Math.min(linked.top ?? 1, ruled.rowCount) : wanted.length
  const isCounted = rowCount >= least && rowCount <= ruled.rowCount
  if (isCounted && found >= (isTied ? rowCount : least)) return true
  const isText = (cell: unknown): boolean => cell !== null && numeric(cell) === undefined
  const isNameless = (row: Row): boolean => !labels.some(({ name }) => isText(row[name]))
  // Names against numbers of rows.
  const isUnnamed =
    rows.length > 0 && (cells.some(isText) ? !hasFigures && ruled.rows.every(isNameless) : !ruled.rows.some(isNameless))
  const isKnown =
    cells.some(isText) ||
    cells.every((cell) => ruled.rows.some((row) => shown.some(({ name }) => isSame(row[name], cell))))
  return isUnnamed && isCounted && isKnown ? undefined : false
}

function isNamed(label: unknown, cells: readonly unknown[]): boolean {
  const [said, ...own] = [label, ...cells].map(plain) as [string, ...string[]]
  return (
    own.includes(said) ||
    (/\p{L}/u.test(said) && own.join(' ').includes(said)) ||
    own.some((one) => one.length > 3 && said.startsWith(one))
  )
}

function plain(cell: unknown): string {
  return String(cell ?? '')
    .trim()
    .toLowerCase()
}

/** Rounded to as many digits as the other one has; a share may be one of a hundred. */
function isSame(cell: unknown, other: unknown, isShare = false): boolean {
  const [a, b] = [Number(cell ?? 0), Number(other ?? 0)]
  if (Number.isNaN(a) || Number.isNaN(b)) return plain(cell) === plain(other)
  const digits = Math.min(/\.(\d+)/.exec(String(b))?.[1]!.length ?? 0, 9)
  return (isShare ? [a, a / 100] : [a]).some(
    (one) => Math.abs(one - b) <= Math.max(Math.abs(one) * 1e-9, 0.5001 * 10 ** -digits) && (one === a || digits > 0),
  )
}
