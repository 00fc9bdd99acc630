import type { AgentTask } from '../domain/actor.ts'
import { TuttiError } from '../domain/errors.ts'
import { tableIn, tableOfLines, type Table } from '../domain/table.ts'
import type { ToolIo } from '../domain/tool.ts'
import { outputText } from './tool-sources.ts'

/** A table in the result of an earlier agent. */
export interface InputTable {
  readonly name: string
  readonly table: Table
}

/** Tables of earlier agents, each with a unique name: `sql`, `sql_2`, `api`. */
export function inputTables(task: AgentTask): readonly InputTable[] {
  return withUniqueNames(
    task.inputs().flatMap(({ actor, result }) => {
      return result.status !== 'succeeded' || result.tabular === undefined ? [] : [{ actor, table: result.tabular }]
    }),
  )
}

/**
 * The variable `data` of the code: tables by name, and earlier results by id, as rows if they have any, or
 * as text.
 * @param result see `ToolIo.result`
 * @throws TuttiError `ToolError` as `result`
 */
export function dataFor(
  tables: readonly InputTable[],
  ids: readonly string[],
  result: ToolIo['result'],
): Readonly<Record<string, unknown>> {
  const own = tables.map(({ name, table }) => [name, table.rows] as const)
  const results = ids
    .filter((id) => !tables.some(({ name }) => name === id))
    .map((id) => {
      const output = result(id)
      return [id, tableOf(output)?.rows ?? outputText(output) ?? output] as const
    })
  return Object.fromEntries([...own, ...results])
}

/** The table of an earlier task or result. @throws TuttiError `ToolError` if there is none, and as `result` */
export function resolveTable(name: string, tables: readonly InputTable[], result: ToolIo['result']): Table {
  const own = tables.find((table) => table.name === name)?.table
  if (own !== undefined) return own
  const table = tableOf(result(name))
  if (table === undefined) throw new TuttiError('ToolError', `The result "${name}" has no rows.`)
  return table
}

/** The table of a result; of a text, such as an attached CSV file, where its lines are the rows of one. */
function tableOf(output: unknown): Table | undefined {
  const text = outputText(output)
  return tableIn(output) ?? (text === undefined ? undefined : tableOfLines(text))
}

/** Names, columns and sizes of tables, for a model. */
export function describeData(tables: readonly InputTable[]): string {
  const lines = tables.map(({ name, table: { columns, rows, truncated } }) => {
    const suffix = truncated === true ? ', the source has more' : ''
    return `data[${JSON.stringify(name)}] (${rows.length} rows${suffix}; ${columns.join(', ')})`
  })
  return lines.join(', ')
}

function withUniqueNames(found: readonly { readonly actor: string; readonly table: Table }[]): InputTable[] {
  const used = new Set<string>()
  return found.map(({ actor, table }) => {
    const base = actor.replace(/\W+/g, '_')
    let name = base
    for (let n = 2; used.has(name); n++) name = `${base}_${n}`
    used.add(name)
    return { name, table }
  })
}
