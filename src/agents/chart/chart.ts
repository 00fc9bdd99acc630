import { z } from 'zod'
import { CHART_TOOL, CHART_TYPES, type Chart } from '../../domain/answer-files.ts'
import { TuttiError } from '../../domain/errors.ts'
import { compareNumbers, exactNumber, isExactNumber, type ExactNumber } from '../../shared/exact-number.ts'
import { omitUndefined } from '../../shared/json.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { Table } from '../../domain/table.ts'
import { defineTool, type ToolInfo, loopTool, type LoopTool } from '../../domain/tool.ts'
import { resolveTable, type InputTable } from '../../tool-loop/input-tables.ts'

/** More points are indistinguishable on a screen. */
const MAX_POINTS = 200
/** More colours are hard to tell apart. */
const MAX_SERIES = 8

/** The tool as planners and users see it. */
export const CHART = {
  name: CHART_TOOL,
  description: 'Shows a chart to the user, below the answer.',
  effect: 'read',
} as const satisfies ToolInfo

const chartInput = z.object({
  type: z.enum(CHART_TYPES),
  title: z.string().min(1).max(200),
  x: z.string(),
  series: z.array(z.string()).min(1).max(MAX_SERIES),
  unit: z.string().max(20).optional(),
  result: z.string().optional(),
  rows: z.array(z.record(z.string(), z.unknown())).optional(),
})

type ChartInput = z.infer<typeof chartInput>

/** The tool that draws charts of the results of one job. @param tables of earlier tasks, by name */
export function chartTool(tables: readonly InputTable[] = []): LoopTool {
  const tool = defineTool({
    ...CHART,
    description: `${CHART.description} Draw one when the user asks for it, from a result such as s1 or from \`rows\`: at most ${MAX_POINTS}, one for each value of column \`x\`. Series are columns of numbers.`,
    reach: 'inside',
    provenance: BY_USER,
    input: chartInput,
    run: async (input, { result }) => {
      if ((input.result === undefined) === (input.rows === undefined)) {
        throw new TuttiError('ToolError', 'Give the rows either as result or as rows.')
      }
      const table = input.result === undefined ? tableOf(input.rows!) : resolveTable(input.result, tables, result)
      // The rows come from other results, which have sources of their own.
      return { ...chartOf(input, table), sources: [] }
    },
  })
  return loopTool(tool, { kind: 'computation', name: 'Chart' }, confirmation)
}

function confirmation({ type, title, series, rows }: Chart): string {
  return `The user sees the ${type} chart "${title}" below the answer: ${rows.length} rows, ${series.join(', ')}.`
}

function tableOf(rows: Table['rows']): Table {
  return { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows, rowCount: rows.length }
}

/** @throws TuttiError `ToolError` naming the problem of the data */
function chartOf({ type, title, x, series, unit }: ChartInput, { columns, rows }: Table): Chart {
  if (rows.length === 0) throw new TuttiError('ToolError', 'There are no rows to draw.')
  if (rows.length > MAX_POINTS) {
    throw new TuttiError('ToolError', `${rows.length} rows are too many for a chart: aggregate them to ${MAX_POINTS}.`)
  }
  const unknown = [x, ...series].find((column) => !columns.includes(column))
  if (unknown !== undefined) {
    throw new TuttiError('ToolError', `Unknown column "${unknown}". Available: ${columns.join(', ')}.`)
  }
  if (type === 'pie' && series.length > 1) throw new TuttiError('ToolError', 'A pie chart has one series.')
  const drawn = rows.map((row, at) => {
    const figures = series.map((column) => [column, figureIn(row, column, at)] as const)
    return Object.fromEntries([...figures, [x, label(row[x])]])
  })
  const places = drawn.map((row) => String(row[x]))
  const twice = places.find((place, at) => places.indexOf(place) < at)
  if (twice !== undefined) {
    throw new TuttiError(
      'ToolError',
      `"${twice}" is in several rows of "${x}". Give one row for each ${x}, with a column for each series.`,
    )
  }
  if (type === 'pie' && drawn.some((row) => row[series[0]!] === null || isNegative(row[series[0]!]!))) {
    throw new TuttiError('ToolError', 'The parts of a pie chart are numbers from zero on. Draw bars instead.')
  }
  return { type, title, x, series, rows: drawn, ...omitUndefined({ unit }) }
}

function figureIn(row: Table['rows'][number], column: string, at: number): ExactNumber | null {
  const cell = row[column] ?? null
  if (cell === null) return null
  if (isExactNumber(cell)) return exactNumber(String(cell))
  throw new TuttiError('ToolError', `Row ${at + 1} of "${column}" is no number: ${JSON.stringify(cell)}.`)
}

function isNegative(figure: ExactNumber): boolean {
  return compareNumbers(figure, 0) < 0
}

function label(cell: unknown): string | number | null {
  if (cell === undefined || cell === null) return null
  return typeof cell === 'string' || typeof cell === 'number' ? cell : JSON.stringify(cell)
}
