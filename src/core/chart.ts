import { z } from 'zod'
import type { RunState } from './state.ts'
import { transcriptKeys } from './transcript.ts'

/** Name of the tool whose outputs are the charts of an answer. */
export const CHART_TOOL = 'chart'

export const CHART_TYPES = ['bar', 'line', 'area', 'pie', 'scatter'] as const

/** A number as a cell holds it (`exact-number.ts`), or null for one that is unknown. */
const figure = z.union([z.number(), z.string(), z.null()])

/** A chart as data: the web app draws it, the command line describes it. */
const chartSchema = z.object({
  type: z.enum(CHART_TYPES),
  title: z.string(),
  /** Column of the categories, the times or, in a scatter chart, the numbers along the axis. */
  x: z.string(),
  /** Columns of numbers, each drawn in a colour of its own. */
  series: z.array(z.string()),
  /** Of the numbers, such as `EUR` or `%`. */
  unit: z.string().optional(),
  /** Cells of `x` and `series`. */
  rows: z.array(z.record(z.string(), figure)),
})

export type Chart = z.infer<typeof chartSchema>

/** Charts that the jobs of a run drew, in their order; of several with the same title the last. */
export function chartsIn({ jobs, calls, transcripts }: Pick<RunState, 'jobs' | 'calls' | 'transcripts'>): Chart[] {
  const current = [...jobs.values()].filter(({ supersededBy, isOutdated }) => !supersededBy && isOutdated !== true)
  const keys = new Set(current.flatMap(({ key }) => transcriptKeys(key, transcripts)))
  const drawn = [...keys].flatMap((key) => [...(calls.get(key)?.values() ?? [])].flatMap(chartOf))
  return [...new Map(drawn.map((chart) => [chart.title, chart])).values()]
}

function chartOf({ kind, name, output }: { readonly kind: string; readonly name: string; readonly output?: unknown }) {
  const parsed = kind === 'tool' && name === CHART_TOOL ? chartSchema.safeParse(output) : undefined
  return parsed?.success === true ? [parsed.data] : []
}
