import { exactNumber, isExactNumber } from '../../core/exact-number.ts'
import { isObject } from '../../core/outside.ts'
import type { AgentTask, TaskInput } from '../../core/actor.ts'
import type { Table } from '../../core/table.ts'

/** A table that an earlier agent came back with. */
export interface GivenTable {
  readonly name: string
  readonly table: Table
}

/** Tables that earlier agents came back with, each under a name of its own: `sql`, `sql_2`, `api`. */
export function givenTables(task: AgentTask): readonly GivenTable[] {
  return named(
    task.inputs().flatMap(({ actor, result }) => {
      return result.status !== 'succeeded' || result.tabular === undefined ? [] : [{ actor, table: result.tabular }]
    }),
  )
}

/** What earlier agents found in documents, mails and pages, as rows of `source`, `page`, `section`, `url` and `text`. */
export function givenPassages(task: AgentTask): readonly GivenTable[] {
  const found = task.inputs().flatMap((input) => {
    const rows = input.result.status === 'succeeded' ? passagesOf(input) : []
    if (rows.length === 0) return []
    const columns = ['source', 'page', 'section', 'url', 'text']
    return [{ actor: `${input.actor}_passages`, table: { columns, rows, rowCount: rows.length } }]
  })
  return named(found)
}

/** The variable `data` of the code: rows by the name of their table. */
export function dataOf(tables: readonly GivenTable[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(tables.map(({ name, table }) => [name, table.rows]))
}

const SAMPLE_ROWS = 3
const SAMPLE_CHARACTERS = 1500

/** What the model is told of `data`: names, columns, how many rows, and the first of them. */
export function describeData(tables: readonly GivenTable[]): string {
  if (tables.length === 0) return 'an empty dict; there are no earlier results.'
  const lines = tables.map(({ name, table: { columns, rows, truncated } }) => {
    const sample = JSON.stringify(rows.slice(0, SAMPLE_ROWS)).slice(0, SAMPLE_CHARACTERS)
    const size = `${rows.length} rows${truncated === true ? ' (the source has more, which were cut off)' : ''}`
    return `data[${JSON.stringify(name)}]: list of dicts, ${size}, keys ${columns.join(', ')}; it begins ${sample}`
  })
  const cells = tables.flatMap(({ table }) => table.rows.flatMap((row) => Object.values(row)))
  const isLong = (cell: unknown): boolean =>
    typeof cell === 'string' && isExactNumber(cell) && exactNumber(cell) === cell
  const hint = cells.some(isLong) ? ' Numbers that a float does not hold are strings: use int() or Decimal().' : ''
  return `a dict.${hint}\n${lines.join('\n')}`
}

function named(found: readonly { readonly actor: string; readonly table: Table }[]): GivenTable[] {
  const taken = new Set<string>()
  return found.map(({ actor, table }) => {
    const base = actor.replace(/\W+/g, '_')
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return { name, table }
  })
}

type Row = Readonly<Record<string, unknown>>

/** Whole passages where the agent gives them (`chunks`), else the excerpts of its sources. */
function passagesOf({ result }: TaskInput): Row[] {
  const chunks = chunksIn(result.data)
  if (chunks.length > 0) return chunks
  return (result.sources ?? []).flatMap(({ name, url = null, excerpt, passage }) => {
    if (excerpt === undefined) return []
    return [{ source: name, page: passage?.page ?? null, section: passage?.section ?? null, url, text: excerpt }]
  })
}

function chunksIn(data: unknown): Row[] {
  const chunks = isObject(data) && Array.isArray(data['chunks']) ? (data['chunks'] as unknown[]) : []
  return chunks.flatMap((chunk) => {
    if (!isObject(chunk) || typeof chunk['text'] !== 'string') return []
    const about = isObject(chunk['metadata']) ? chunk['metadata'] : {}
    const { filename = null, page = null, section_title: section = null } = about
    return [{ source: filename, page, section, url: null, text: chunk['text'] }]
  })
}
