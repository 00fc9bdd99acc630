import { localeProfile } from '../../core/locale.ts'
import type { TuttiError } from '../../core/errors.ts'
import type { Outcome, Source } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import type { SandboxResult } from '../../sandbox/types.ts'
import type { Finding } from './rules/index.ts'

/** Code that ran and failed, as it is kept in the history. */
export interface FailedRun {
  readonly code: string
  readonly error: string
}

const OUTPUT_KEPT = 4000
const LISTED_ROWS = 10

function sourceOf(code: string): Source {
  return { kind: 'computation', name: 'Python', detail: code }
}

/** What came of a run, in words: its value, else what it printed, else its table. */
export function outcomeText(result: SandboxResult, locale: string | undefined): string {
  const { value, stdout, images } = result
  const table = mainTable(result)
  const printed = stdout.trim().slice(0, OUTPUT_KEPT)
  const parts = [
    ...(table === undefined ? (value === undefined ? [] : [valueText(value, locale)]) : [tableText(table, locale)]),
    ...(printed === '' ? [] : [printed]),
    ...images.map(({ name }) => `Image: ${name}`),
  ]
  if (parts.length === 0) return 'The code ran and gave nothing back.'
  return parts.join('\n') + (result.truncated ? '\n(The output was cut off.)' : '')
}

function valueText(value: unknown, locale: string | undefined): string {
  if (typeof value === 'number') return localeProfile(locale).number(value)
  return typeof value === 'string' ? value.slice(0, OUTPUT_KEPT) : JSON.stringify(value).slice(0, OUTPUT_KEPT)
}

function tableText({ columns, rows }: Table, locale: string | undefined): string {
  const lines = rows
    .slice(0, LISTED_ROWS)
    .map((row) => columns.map((column) => valueText(row[column] ?? null, locale)).join(', '))
  const more = rows.length > LISTED_ROWS ? [`… ${rows.length} rows in all`] : []
  return [columns.join(', '), ...lines, ...more].join('\n')
}

/** The table that answers: the value of the code, or the one it calls so; others are intermediate steps. */
function mainTable({ tables }: SandboxResult): Table | undefined {
  const found = tables.find(({ name }) => ['value', 'result', 'table'].includes(name))
  if (found === undefined) return undefined
  const { columns, rows, rowCount, truncated } = found
  return { columns, rows, rowCount, ...(truncated === true ? { truncated } : {}) }
}

/** A run that succeeded, worded by `answer`. */
export function success(
  code: string,
  result: SandboxResult,
  answer: string,
  plan: string,
  failed: readonly FailedRun[],
): Outcome {
  const { value, stdout, stderr, locals, images, truncated, elapsedMs } = result
  const table = mainTable(result)
  return {
    answer,
    ...(table === undefined ? {} : { tabular: table }),
    data: { code, plan, value, stdout, stderr, locals, images, truncated, elapsedMs, attempts: failed },
    sources: [sourceOf(code)],
  }
}

/** The error of the code, with the line it is about. */
export function errorText({ error, stdout }: SandboxResult): string {
  const trace = error?.traceback.trim() || `${error?.type}: ${error?.message}`
  const message = trace.includes(error?.message ?? '') ? trace : `${trace}\n${error?.message}`
  return stdout.trim() === '' ? message : `${message}\nPrinted before: ${stdout.trim().slice(-500)}`
}

export function failure(failed: readonly FailedRun[], { error }: SandboxResult): Outcome {
  const { code } = failed.at(-1)!
  const message = `The computation failed: ${error?.type}: ${error?.message}`
  return {
    status: 'failed',
    data: { code, attempts: failed },
    sources: [sourceOf(code)],
    error: { type: 'ToolError', message, details: { traceback: error?.traceback } },
  }
}

/** The sandbox stopped the code. */
export function stopped(code: string, error: TuttiError): Outcome {
  return {
    status: 'failed',
    data: { code },
    sources: [sourceOf(code)],
    error: { type: error.code, message: error.message },
  }
}

export function refusal(reason: string): Outcome {
  return { status: 'failed', error: { type: 'PlanningDeclined', message: reason } }
}

/** What the rules worked out, with the formula as its source. */
export function byRules({ answer, code, value, table }: Finding): Outcome {
  return {
    answer,
    ...(table === undefined ? {} : { tabular: { ...table, rowCount: table.rows.length } }),
    data: { code, value, by: 'rules' },
    sources: [{ kind: 'computation', name: 'Calculation', detail: code }],
    confidence: 0.95,
  }
}
