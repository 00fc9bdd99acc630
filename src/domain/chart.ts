import { isObject } from '../shared/safe-json.ts'
import type { ExactNumber } from '../shared/exact-number.ts'
import { currentKeys } from './attempts.ts'
import type { RunState } from './state.ts'

/** Name of the tool whose outputs are the charts of an answer. */
export const CHART_TOOL = 'chart'

export const CHART_TYPES = ['bar', 'line', 'area', 'pie', 'scatter'] as const

/** A chart as data: the web app draws it, the command line describes it. */
export interface Chart {
  readonly type: (typeof CHART_TYPES)[number]
  readonly title: string
  /** Column of the categories, the times or, in a scatter chart, the numbers along the axis. */
  readonly x: string
  /** Columns of numbers, each drawn in a colour of its own. */
  readonly series: readonly string[]
  /** Of the numbers, such as `EUR` or `%`. */
  readonly unit?: string
  /** Cells of `x` and `series`; null is unknown. */
  readonly rows: readonly Readonly<Record<string, ExactNumber | null>>[]
}

/** Charts that the jobs of a run drew, in their order; of several with the same title the last. */
export function chartsIn(state: Pick<RunState, 'jobs' | 'calls' | 'transcripts'>): Chart[] {
  const records = currentKeys(state).flatMap((key) => [...(state.calls.get(key)?.values() ?? [])])
  const drawn = records.flatMap(({ kind, name, output }) => {
    return kind === 'tool' && name === CHART_TOOL && isChart(output) ? [chartOf(output)] : []
  })
  return [...new Map(drawn.map((chart) => [chart.title, chart])).values()]
}

/** Another tool may have the same name. */
function isChart(output: unknown): output is Chart {
  if (!isObject(output) || !(CHART_TYPES as readonly unknown[]).includes(output['type'])) return false
  const { title, x, series, rows } = output
  return typeof title === 'string' && typeof x === 'string' && Array.isArray(series) && Array.isArray(rows)
}

function chartOf({ type, title, x, series, unit, rows }: Chart): Chart {
  return { type, title, x, series, rows, ...(unit === undefined ? {} : { unit }) }
}
