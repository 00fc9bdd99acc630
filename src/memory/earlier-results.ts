import { describeSource } from '../domain/answer.ts'
import type { EarlierResult } from '../domain/conversation.ts'
import { omitUndefined, truncate } from '../shared/json.ts'
import type { RunResponse } from '../domain/response.ts'
import type { Source } from '../domain/result.ts'
import { csvLines, type Table } from '../domain/table.ts'
import { pluralize } from '../shared/pluralize.ts'

const MAX_SOURCES = 20
const MAX_DETAIL = 1_500
/** Maximum length of each table and text in the prompt, in characters: for the last answer, and for earlier ones. */
const MAX_SHOWN = { last: { table: 6_000, text: 600 }, earlier: { table: 1_500, text: 200 } }
/** Maximum of table rows and of text characters that tools of a later run can read. */
const MAX_ROWS = 200
const MAX_CONTENT = 8_000

export interface EarlierAnswer extends Pick<RunResponse, 'data' | 'agentResults' | 'citations' | 'replies'> {
  /** The content that a source returned. */
  readonly contentOf: (source: Source) => { readonly table?: Table; readonly text?: string }
  /** The highest number of a source ID. */
  readonly lastId: number
}

/**
 * The sources that an answer cites, or else all of its sources, with their IDs in the conversation.
 * @param idOf returns the ID of the source, or another one if that is taken
 */
export function earlierResults(
  answer: EarlierAnswer,
  turn: number,
  isLast: boolean,
  idOf: (source: Source) => string,
): readonly EarlierResult[] {
  const { data, agentResults, citations, contentOf } = answer
  const all = citations.length > 0 ? [] : agentResults.flatMap((result) => result.sources)
  const uncited = new Map(all.map((source) => [source.id ?? JSON.stringify(source), source]))
  const found = [...citations, ...[...uncited.values()].map((source) => ({ source, n: undefined }))]
  const isUnnamed = found.length === 0 && data !== undefined
  const named = isUnnamed ? [{ source: EARLIER_ANSWER, n: undefined }] : found
  return named.slice(0, MAX_SOURCES).map(({ source: own, n }) => {
    const source = { ...own, id: idOf(own) }
    const { text: said, table = named.length === 1 && said === undefined ? data : undefined } = contentOf(own)
    const max = MAX_SHOWN[isLast ? 'last' : 'earlier']
    const content = table === undefined ? truncate(withoutId(said), MAX_CONTENT) : ''
    const shown = table === undefined ? truncate(content, max.text) : tableText(table, max.table)
    const heading = `[${source.id}] ${describeSource(source, MAX_DETAIL)}`
    const text = shown === '' ? heading : `${heading}\n${shown}`
    const isCut = (table?.rows.length ?? 0) > MAX_ROWS
    const firstRows = table && { ...table, rows: table.rows.slice(0, MAX_ROWS), ...(isCut ? { truncated: true } : {}) }
    return { turn, text, source, ...omitUndefined({ cited: n, table: firstRows, content: content || undefined }) }
  })
}

/** Removes the ID from a text: it is in the heading already, or differs in the conversation. */
function withoutId(text = ''): string {
  return text.replace(/^\[s\d+\]\s*/, '')
}

const EARLIER_ANSWER: Source = { kind: 'database', name: 'an earlier answer' }

function tableText(table: Table, max: number): string {
  let used = 0
  const [header, ...rows] = csvLines(table)
  const shown = rows.filter((row) => (used += row.length + 1) <= max)
  const suffix = shown.length < table.rowCount ? `, the first ${shown.length} of them` : ''
  return [`[${pluralize(table.rowCount, 'row')}${suffix}]`, header, ...shown].join('\n')
}
