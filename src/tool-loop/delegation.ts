import { tagged } from '../domain/prompt-text.ts'
import type { TaskInput } from '../domain/actor.ts'
import { describeSource, withIds } from '../domain/answer.ts'
import type { ErrorDetails } from '../domain/errors.ts'
import { omitUndefined, truncate, isObject } from '../shared/json.ts'
import { statusText } from '../domain/result.ts'
import { csvLines, type Table } from '../domain/table.ts'
import type { CallAnswer } from '../domain/transcript.ts'
import { lackLines } from './messages.ts'
import { textOfOutput } from './result-text.ts'

/** Maximum number of listed results per task; those that its answer rests on come first. */
const MAX_LISTED = 30
const MAX_DETAIL = 160
/** Rows that stand below the line of a table, and their characters. */
const FIRST_ROWS = { rows: 20, chars: 4_000 }
/** For readers without tools to fetch the remaining rows. */
const MAX_ROWS = { rows: Infinity, chars: 16_000 }

/**
 * Results of other jobs as a transcript shows them: those that a task depends on, and those of delegated tasks. Each
 * finding has a line with the id to cite, read and chart it by. Undefined without any.
 * @param hasTools whether the reader has tools to fetch the remaining rows
 */
export function delegatedResult(inputs: readonly TaskInput[], hasTools = true): CallAnswer | undefined {
  if (inputs.length === 0) return undefined
  const text = inputs.map((input) => {
    return tagged('result', givenResult(input, hasTools), {
      task: input.key,
      agent: input.actor,
      status: statusText(input.result),
    })
  })
  const sources = inputs.flatMap(({ found = [] }) => found.slice(0, MAX_LISTED).map(({ source }) => source))
  const failed = inputs.every(({ result }) => result.status !== 'succeeded') ? inputs[0]?.result.error : undefined
  return {
    text: text.join('\n\n'),
    ...(sources.length === 0 ? {} : { sources }),
    ...omitUndefined({ error: failed }),
  }
}

/** A job's answer or error, and a line for each thing that it found: `[s1] database shop: SELECT … (country, sales; 12 rows)`. */
export function givenResult({ result, found }: Pick<TaskInput, 'result' | 'found'>, hasTools: boolean): string {
  const { data, error, sources = [], tabular } = result
  // A text that rules derive from a table is omitted, since the rows are given.
  const isOfRules = tabular !== undefined && isObject(data) && data['by'] === 'rules'
  const answer = isOfRules ? '' : (result.answer ?? '')
  const all = found ?? sources.map((source) => ({ source, ...omitUndefined({ table: tabular }) }))
  const { reason } = (error?.details ?? {}) as ErrorDetails<'ApprovalDenied'>
  const isBare = answer === '' && tabular === undefined && error === undefined && all.length === 0
  const shown = new Set<Table>()
  const lines = all.slice(0, MAX_LISTED).map(({ source, table }) => {
    const line = `[${source.id}] ${describeSource(source, MAX_DETAIL)}`
    return table === undefined || shown.has(table)
      ? line
      : shown.add(table) && `${line} ${rowsText(table, hasTools, source.id)}`
  })
  return [
    withIds(
      answer,
      sources.map(({ id }) => id),
    ),
    error === undefined ? '' : `Error ${reason ?? error.type}: ${error.message}`,
    ...lines,
    tabular === undefined || shown.size > 0 ? '' : `Rows ${rowsText(tabular, hasTools)}`,
    isBare ? truncate(textOfOutput(data), FIRST_ROWS.chars) : '',
    ...lackLines(result),
    all.length > MAX_LISTED ? `${all.length - MAX_LISTED} more results are not listed.` : '',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** `(country, sales; 12 rows)` with the first rows below. @param id to read all rows by */
function rowsText({ columns, rows, rowCount, truncated }: Table, hasTools: boolean, id?: string): string {
  const limits = hasTools ? FIRST_ROWS : MAX_ROWS
  const size = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}${truncated === true ? '; the source has more' : ''}`
  let used = 0
  const lines = csvLines({ columns, rows: rows.slice(0, limits.rows) }).slice(1)
  const shown = lines.filter((row) => (used += row.length + 1) <= limits.chars)
  const hint = id === undefined || !hasTools ? '' : `; read_result with id ${id} shows all`
  const rest = shown.length === rows.length ? [] : [`[The first ${shown.length} of ${rowCount} rows${hint}.]`]
  return [`(${columns.join(', ')}; ${size})`, ...shown, ...rest].join('\n')
}
