import type { ActorContext } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import { localeProfile } from '../../shared/locale.ts'
import type { Outcome, Source } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import type { PythonError, SandboxTable } from '../../sandbox/types.ts'
import { textOfOutput } from '../../tool-loop/result-text.ts'
import { succeededCalls } from '../succeeded-calls.ts'
import { tableAnswerText } from '../plain-answer.ts'
import type { PythonInput, PythonOutput } from './tools.ts'

const MAX_OUTPUT_CHARS = 4000

export function pythonSource(code: string): Source {
  return { kind: 'computation', name: 'Python', detail: code }
}

/** The result of a run for its user: its table or value, and its printed output. */
function outcomeText(result: PythonOutput, locale: string | undefined): string {
  const { value, stdout, images, tabular: table } = result
  const printed = stdout.trim().slice(0, MAX_OUTPUT_CHARS)
  const parts = [
    ...(table === undefined
      ? value === undefined
        ? []
        : [valueText(value, locale)]
      : [tableAnswerText(table, locale)]),
    ...(printed === '' ? [] : [printed]),
    ...images.map(({ name }) => `Image: ${name}`),
  ]
  if (parts.length === 0) return 'The code ran and gave nothing back.'
  return parts.join('\n') + (result.truncated ? '\n(The output was cut off.)' : '')
}

function valueText(value: unknown, locale: string | undefined): string {
  if (typeof value === 'number') return localeProfile(locale).number(value)
  return typeof value === 'string' ? value.slice(0, MAX_OUTPUT_CHARS) : JSON.stringify(value).slice(0, MAX_OUTPUT_CHARS)
}

/** The table that is the result; others are intermediate steps. */
export function mainTable(tables: readonly SandboxTable[]): Table | undefined {
  const found = tables.find(({ name }) => ['value', 'result', 'table'].includes(name))
  if (found === undefined) return undefined
  const { columns, rows, rowCount, truncated } = found
  return { columns, rows, rowCount, ...(truncated === true ? { truncated } : {}) }
}

/** The result of a run for the model. @param ids of its source */
export function pythonText(output: PythonOutput, ids: readonly string[] = []): string {
  const { ok, error, value, tables, tabular, stdout, stderr, images, truncated } = output
  const isTable = tables[0]?.name === 'value'
  const parts = [
    ...(ok ? [] : [`The code failed:\n${errorText(error)}`]),
    ...(isTable || value === undefined || value === null ? [] : [`Value: ${plainText(value)}`]),
    ...(tabular === undefined ? [] : [textOfOutput(tabular)]),
    ...(stdout === '' ? [] : [`Printed:\n${stdout.trimEnd()}`]),
    ...(stderr === '' ? [] : [`Standard error:\n${stderr.trimEnd()}`]),
    ...images.map(({ name }) => `The user sees the image ${name} below the answer.`),
    ...(truncated ? ['The output was cut to the limits of the sandbox.'] : []),
  ]
  const text = parts.length === 0 ? 'The code ran and returned nothing.' : parts.join('\n')
  return [...ids.map((id) => `[${id}]`), text].join('\n')
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The `data` of a result that Python ran for. */
export function pythonData(code: string, output: PythonOutput) {
  const { ok, stdout, stderr, value, locals, images, truncated, elapsedMs, error } = output
  return {
    code,
    stdout,
    stderr: [stderr, error?.traceback].filter(Boolean).join('\n'),
    exit_code: ok ? 0 : 1,
    value,
    locals,
    images,
    truncated,
    elapsedMs,
  }
}

/** An outcome with the data of the last completed run of a Python tool, if there was one. */
export function withPythonData(ctx: ActorContext, name: string, outcome: Outcome): Outcome {
  const last = succeededCalls(ctx).findLast(({ tool }) => tool === name)
  if (last === undefined) return outcome
  const data = pythonData((last.input as PythonInput).code, last.output as PythonOutput)
  return { ...outcome, data: { ...data, ...(outcome.data as object) } }
}

/** The outcome of code that a user gave, without a model. */
export function userCodeOutcome(code: string, output: PythonOutput, locale: string | undefined): Outcome {
  const { ok, error, tabular, sources } = output
  const common = { data: pythonData(code, output), sources }
  if (ok) return { ...common, answer: outcomeText(output, locale), ...omitUndefined({ tabular }) }
  const message = `The code failed: ${error?.type}: ${error?.message}`
  return { ...common, status: 'failed', error: { type: 'ToolError', message } }
}

/** The error of the code, with the line it is about. */
function errorText(error: PythonError | undefined): string {
  const { type, message = '', traceback = '' } = error ?? {}
  const trace = traceback.trim() || `${type}: ${message}`
  const lines = [trace, ...(trace.includes(message) ? [] : [message])]
  // The id of a result that the call does not hand over.
  if (type === 'KeyError' && /^'[rs]\d+/.test(message))
    lines.push(`Name ${message} under results to read it from data.`)
  return lines.join('\n')
}
