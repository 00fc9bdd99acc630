import type { RunResponse } from '../core/response.ts'
import type { Source } from '../core/result.ts'
import { csvLines, type Table } from '../core/table.ts'

/** Answers of a conversation whose results the next question is given. */
export const MAX_RESULTS = 3
const MAX_SOURCES = 8
const MAX_DETAIL = 1_500
/** Characters of the table of the last answer, and of those before it. */
const MAX_TABLE = 6_000
const MAX_EARLIER_TABLE = 1_500

/** What an answer rests on: its sources with what was asked of them, and its table as CSV. @param isLast of the conversation */
export function resultText(
  { data, agentResults }: Pick<RunResponse, 'data' | 'agentResults'>,
  isLast: boolean,
): string {
  const sources = agentResults.flatMap((result) => result.sources).filter(({ detail }) => detail !== undefined)
  const lines = [...new Set(sources.map(sourceLine))].slice(0, MAX_SOURCES)
  return [...lines, ...(data === undefined ? [] : [tableText(data, isLast ? MAX_TABLE : MAX_EARLIER_TABLE)])].join('\n')
}

function sourceLine({ kind, name, detail = '' }: Source): string {
  return `${kind} ${name}: ${detail.slice(0, MAX_DETAIL)}`
}

function tableText(table: Table, max: number): string {
  let used = 0
  const [header, ...rows] = csvLines(table)
  const shown = rows.filter((row) => (used += row.length + 1) <= max)
  const more = shown.length < table.rowCount ? `, the first ${shown.length} of them` : ''
  return [`[${table.rowCount} rows${more}]`, header, ...shown].join('\n')
}
