import type { Agent } from '../../domain/actor.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import type { Outcome } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'

export const EMPTY = 'There is no result: no answer, no table, no data. Do the task, or say why it cannot be done.'

/** Deterministic checks of a result: it is not empty and fits its schema. Returns sentences that say what to fix. */
export function faultsOf(agent: Agent, { answer = '', tabular, data }: Outcome): readonly string[] {
  if (answer.trim() === '' && tabular === undefined && data === undefined) return [EMPTY]
  return [...schemaFaults(agent, data), ...(tabular === undefined ? [] : tableFaults(tabular))]
}

function schemaFaults({ output }: Agent, data: unknown): string[] {
  const read = output?.safeParse(data)
  if (read === undefined || read.success) return []
  return problemsIn(read.error, output!).map(({ path, message }) => `data.${path.join('.')}: ${message}.`)
}

/** Whether each row has the columns of the table and no others. */
function tableFaults({ columns, rows, rowCount }: Table): string[] {
  const known = new Set(columns)
  const isRow = (row: object): boolean => Object.keys(row).every((name) => known.has(name))
  const isWhole = known.size === columns.length && columns.length > 0 && rows.every(isRow) && rowCount >= rows.length
  return isWhole ? [] : ['The table is none: its rows do not fit its columns. Give each row a value for each column.']
}
