import { placeOf } from '../../core/artifacts.ts'
import { isYear, localeProfile } from '../../core/locale.ts'
import type { Source } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import type { PythonResult } from './run.ts'

/** Code that ran and failed, as it is kept in the history. */
export interface FailedRun {
  readonly code: string
  readonly error: string
}

const OUTPUT_KEPT = 4000
const LISTED_ROWS = 10

export function pythonSource(code: string): Source {
  return { kind: 'computation', name: 'Python', detail: code }
}

/** What came of a run, in words: its value, else what it printed, else its table. */
export function outcomeText(result: PythonResult, locale: string | undefined): string {
  const { value, stdout, images } = result
  const table = mainTable(result)
  const printed = stdout.trim().slice(0, OUTPUT_KEPT)
  const parts = [
    ...(table === undefined ? (value === undefined ? [] : [valueText(value, locale)]) : [tableText(table, locale)]),
    ...(printed === '' ? [] : [printed]),
    ...images.map((image) => `Image: ${image.name}, kept ${placeOf(image)}`),
  ]
  if (parts.length === 0) return 'The code ran and gave nothing back.'
  return parts.join('\n') + (result.truncated ? '\n(The output was cut off.)' : '')
}

function valueText(value: unknown, locale: string | undefined): string {
  if (typeof value === 'number') return localeProfile(locale).number(value)
  return typeof value === 'string' ? value.slice(0, OUTPUT_KEPT) : JSON.stringify(value).slice(0, OUTPUT_KEPT)
}

function cellText(column: string, value: unknown, locale: string | undefined): string {
  return isYear(column, value) ? String(value) : valueText(value, locale)
}

function tableText({ columns, rows }: Table, locale: string | undefined): string {
  const lines = rows
    .slice(0, LISTED_ROWS)
    .map((row) => columns.map((column) => cellText(column, row[column] ?? null, locale)).join(', '))
  const more = rows.length > LISTED_ROWS ? [`… ${rows.length} rows in all`] : []
  return [columns.join(', '), ...lines, ...more].join('\n')
}

/** The table that answers: the value of the code, or the one it calls so; others are intermediate steps. */
export function mainTable({ tables }: PythonResult): Table | undefined {
  const found = tables.find(({ name }) => ['value', 'result', 'table'].includes(name))
  if (found === undefined) return undefined
  const { columns, rows, rowCount, truncated } = found
  return { columns, rows, rowCount, ...(truncated === true ? { truncated } : {}) }
}

/** The error of the code, with the line it is about. */
export function errorText({ error, stdout }: PythonResult): string {
  const trace = error?.traceback.trim() || `${error?.type}: ${error?.message}`
  const message = trace.includes(error?.message ?? '') ? trace : `${trace}\n${error?.message}`
  return stdout.trim() === '' ? message : `${message}\nPrinted before: ${stdout.trim().slice(-500)}`
}
