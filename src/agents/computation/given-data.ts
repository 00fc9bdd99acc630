import type { AgentTask } from '../../core/actor.ts'
import type { GivenTable } from './rules/index.ts'

/** Tables that earlier agents came back with, each under a name of its own: `sql`, `sql_2`, `api`. */
export function givenTables(task: AgentTask): readonly GivenTable[] {
  const taken = new Set<string>()
  return task.inputs().flatMap(({ actor, result }) => {
    if (result.status !== 'succeeded' || result.tabular === undefined) return []
    const base = actor.replace(/\W+/g, '_')
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return [{ name, table: result.tabular }]
  })
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
  return `a dict.\n${lines.join('\n')}`
}
