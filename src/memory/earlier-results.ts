import type { EarlierResult } from '../core/conversation.ts'
import { given } from '../core/given.ts'
import type { RunResponse } from '../core/response.ts'
import type { Source } from '../core/result.ts'
import { csvLines, type Table } from '../core/table.ts'

/** Answers of a conversation whose results the next question is given. */
export const MAX_RESULTS = 5
const MAX_SOURCES = 8
const MAX_DETAIL = 1_500
/** Characters of the table of the last answer, and of those before it. */
const MAX_TABLE = 6_000
const MAX_EARLIER_TABLE = 1_500
/** Rows of a table that tools of a later run can read. */
const MAX_ROWS = 200

type Response = Pick<RunResponse, 'data' | 'agentResults' | 'citations'>

/** What an answer rests on, by an id that stays the same in the conversation; undefined for an answer without a table. */
export function earlierResult(response: Response, turn: number, isLast: boolean): EarlierResult | undefined {
  const { data, agentResults, citations } = response
  if (data === undefined) return undefined
  const sources = [...citations.map(({ source }) => source), ...agentResults.flatMap((result) => result.sources)]
  const lines = [...new Set(sources.flatMap(sourceLine))].slice(0, MAX_SOURCES)
  const own = sources.find(({ kind }) => kind === 'database' || kind === 'api' || kind === 'computation') ?? sources[0]
  const source: Source = { kind: 'database', name: 'an earlier answer', ...own, id: `s${turn}` }
  const rest = lines.filter((line) => !sourceLine(source).includes(line))
  const shown = tableText(data, isLast ? MAX_TABLE : MAX_EARLIER_TABLE)
  const text = [...rest, `[${source.id}] ${sourceLine(source)[0] ?? source.name}`, shown].join('\n')
  const cited = citations.find((citation) => citation.source === own)?.n
  return { turn, text, source, ...given({ cited }), table: { ...data, rows: data.rows.slice(0, MAX_ROWS) } }
}

function sourceLine({ kind, name, detail }: Source): string[] {
  return detail === undefined ? [] : [`${kind} ${name}: ${detail.slice(0, MAX_DETAIL)}`]
}

function tableText(table: Table, max: number): string {
  let used = 0
  const [header, ...rows] = csvLines(table)
  const shown = rows.filter((row) => (used += row.length + 1) <= max)
  const more = shown.length < table.rowCount ? `, the first ${shown.length} of them` : ''
  return [`[${table.rowCount} rows${more}]`, header, ...shown].join('\n')
}
