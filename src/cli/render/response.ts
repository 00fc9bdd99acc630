import { pageLabel } from '../../shared/page-label.ts'
import type { ArtifactRef } from '../../domain/artifacts.ts'
import type { Chart } from '../../domain/answer-files.ts'
import type { Citation } from '../../domain/answer.ts'
import { uncitedSources, type RunResponse } from '../../domain/response.ts'
import type { Passage, Source } from '../../domain/result.ts'
import type { TraceEvent } from '../../domain/trace.ts'
import type { Cli } from '../cli.ts'
import { renderTable } from './table.ts'
import { indent, safeLine, safeText } from './text.ts'
import { duration, shortId, usageText } from './units.ts'
import { truncate } from '../../shared/json.ts'

/** Rows of a table on a terminal; a pipe gets all of them. */
const MAX_ROWS_ON_TERMINAL = 50

export interface PrintOptions {
  /** The answer is on the screen already. */
  readonly isShown?: boolean
  readonly trace?: boolean
}

/** Answer, table and sources on standard output; notes, cost and trace on standard error. */
export function printResponse(cli: Cli, response: RunResponse, options: PrintOptions = {}): void {
  const { answer, charts = [], data, files = [], metadata } = response
  const blocks = [
    ...(options.isShown === true || answer === '' ? [] : [safeText(answer).trimEnd()]),
    ...charts.map((chart) => chartText(cli, chart)),
    ...(data === undefined || data.columns.length === 0 || isDrawn(data, charts) ? [] : [tableText(cli, data)]),
    ...(files.length === 0 ? [] : [files.map((file) => fileText(file, metadata.runId)).join('\n')]),
    ...response.citations.map(citationText),
    ...uncitedSources(response).map(sourceText),
  ]
  if (options.isShown === true && blocks.length > 0) cli.out.line()
  if (blocks.length > 0) cli.out.line(blocks.join('\n\n'))
  const { finalReasoningTrace = '' } = response
  if (finalReasoningTrace !== '' && finalReasoningTrace !== answer) {
    cli.err.line(`\nHow the answer was reached:\n${indent(safeText(finalReasoningTrace).trim())}\n`)
  }
  printNotices(cli, response)
  if (options.trace === true) for (const event of response.trace ?? []) cli.err.line(traceLine(event))
}

/** Notices in addition to the answer. */
function printNotices(cli: Cli, response: RunResponse): void {
  const { actions, basis, metadata, error, agentResults, notices } = response
  const { style } = cli.err
  const { status, usage, latencyMs, runId } = metadata
  // That the run was cancelled is said once, not for each agent that stopped.
  const stopped = agentResults.flatMap(({ error }) => (error?.type === 'Cancelled' ? [error.message] : []))
  for (const { code, severity, text } of notices.filter(({ text }) => !stopped.some((part) => text.endsWith(part)))) {
    const undo = code === 'remembered' ? ` Undo: tutti memory undo ${shortId(runId)}` : ''
    const line = `Note: ${safeLine(text)}${undo}`
    cli.err.line(severity === 'warning' ? style.yellow(line) : style.dim(line))
  }
  if (status === 'cancelled') cli.err.line(`The run was cancelled.`)
  if (status === 'failed') cli.err.line(style.red(`tutti: The run failed: ${safeLine(error?.message ?? status)}`))
  if (status === 'waiting' || status === 'running') {
    cli.err.line(`The run is not over; continue it with: tutti runs resume ${shortId(runId)}`)
  }
  const isSaid = notices.some(({ code }) => code === 'no_source')
  const isUnsourced = basis !== 'sources' && usage.calls > 0 && !isSaid
  const facts = [
    duration(latencyMs),
    ...(isUnsourced ? ['no source used'] : []),
    changesText(actions),
    usageText(usage),
  ]
  cli.err.line(style.dim(`Run ${shortId(runId)}, ${facts.filter((fact) => fact !== '').join(', ')}`))
}

/** What the run has changed by its log, whatever its answer says. */
function changesText(actions: RunResponse['actions']): string {
  const names = actions.map(({ tool, error }) => (error === undefined ? tool : `${tool} (not certain)`))
  return names.length === 0 ? 'nothing changed' : safeLine(`changed by ${names.join(', ')}`)
}

function tableText(cli: Cli, table: NonNullable<RunResponse['data']>): string {
  const { out } = cli
  const maxRows = out.isTty ? MAX_ROWS_ON_TERMINAL : Infinity
  return renderTable(table, { width: out.width(), maxRows, bold: out.style.bold, dim: out.style.dim })
}

/** Whether a chart shows the same rows. */
function isDrawn({ columns, rows }: NonNullable<RunResponse['data']>, charts: readonly Chart[]): boolean {
  return charts.some(
    ({ x, series, rows: drawn }) =>
      drawn.length === rows.length && columns.every((name) => [x, ...series].includes(name)),
  )
}

/** A chart in words, with the table behind it. The web app draws it. */
function chartText(cli: Cli, { type, title, x, series, unit, rows }: Chart): string {
  const head = `Chart: ${title} (${type}, ${series.join(', ')} by ${x}${unit === undefined ? '' : `, in ${unit}`})`
  return `${safeLine(head)}\n${tableText(cli, { columns: [x, ...series], rows, rowCount: rows.length })}`
}

function fileText({ id, name }: ArtifactRef, runId: string): string {
  return safeLine(`File: ${name} (GET /runs/${runId}/files/${id}, or the web app)`)
}

function citationText({ n, source }: Citation): string {
  return withPassage(`[${n}] ${placeText(source)}`, source)
}

function sourceText(source: Source): string {
  return withPassage(`Source: ${placeText(source)}`, source)
}

function withPassage(head: string, { detail, passage }: Source): string {
  const open = passage === undefined ? [] : [showCommand(passage)]
  const lines = [...open, ...(detail === undefined ? [] : [safeText(detail)])]
  return lines.length === 0 ? head : `${head}\n${indent(lines.join('\n'))}`
}

function placeText({ name, url, passage }: Source): string {
  const { page, section } = passage ?? {}
  const place = [
    name,
    ...(page === undefined ? [] : [pageLabel(name, page)]),
    ...(section === undefined ? [] : [section]),
  ]
  return `${safeLine(place.join(', '))}${url === undefined ? '' : ` (${safeLine(url)})`}`
}

/** The command that shows the very passage. */
function showCommand({ documentId, start, end }: Passage): string {
  return `tutti docs show ${documentId} --passage ${start}-${end}`
}

/** A schema or a result would fill screens; `--json` has the whole. */
const MAX_TRACE_DATA = 300

/** `12:30:01.250 TOOL sql Called "mcp_db_query" {…}`. */
function traceLine({ timestamp, eventType, agent, message, data }: TraceEvent): string {
  const time = timestamp.slice(11, 23)
  const json = Object.keys(data).length === 0 ? '' : ` ${JSON.stringify(data)}`
  return safeLine(
    `${time} ${eventType.padEnd(8)} ${(agent ?? 'run').padEnd(8)} ${message}${truncate(json, MAX_TRACE_DATA)}`,
  )
}
