import { isObject, pickDefined } from '../shared/json.ts'
import type { ExactNumber } from '../shared/exact-number.ts'
import { currentKeys } from './job.ts'
import type { RunState } from './state.ts'
import type { ArtifactRef } from './artifacts.ts'

/** Name of the tool whose outputs are the charts of an answer. */
export const CHART_TOOL = 'chart'

export const CHART_TYPES = ['bar', 'line', 'pie'] as const

/** A chart as data: the web app draws it, the command line describes it. */
export interface Chart {
  readonly type: (typeof CHART_TYPES)[number]
  readonly title: string
  /** Column of the categories or the times. */
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
    return kind === 'tool' && name === CHART_TOOL && isChart(output)
      ? [pickDefined(output, ['type', 'title', 'x', 'series', 'unit', 'rows'])]
      : []
  })
  return [...new Map(drawn.map((chart) => [chart.title, chart])).values()]
}

/** Another tool may have the same name. */
function isChart(output: unknown): output is Chart {
  if (!isObject(output) || !(CHART_TYPES as readonly unknown[]).includes(output['type'])) return false
  const { title, x, series, rows } = output
  return typeof title === 'string' && typeof x === 'string' && Array.isArray(series) && Array.isArray(rows)
}

/** Media types of pictures that browsers show. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'] as const

export function isPicture({ mediaType }: Pick<ArtifactRef, 'mediaType'>): boolean {
  return (PICTURE_TYPES as readonly string[]).includes(mediaType)
}

/** Files that the tools of a run stored, in their order; of several with the same name the last. */
export function filesIn(state: Pick<RunState, 'jobs' | 'files' | 'transcripts'>): ArtifactRef[] {
  const stored = currentKeys(state).flatMap((key) => state.files.get(key) ?? [])
  return [...new Map(stored.map((file) => [file.name, file])).values()]
}

/** Files that the output of a tool names in its fields, alone or in a list. */
export function filesOfOutput(output: unknown): ArtifactRef[] {
  return isObject(output) ? Object.values(output).flat().filter(isArtifactRef) : []
}

/** Every artifact store begins its ids with 32 hexadecimal digits. */
function isArtifactRef(value: unknown): value is ArtifactRef {
  if (!isObject(value)) return false
  const { id, name, mediaType, bytes } = value
  const isId = typeof id === 'string' && /^[0-9a-f]{32}(?:-|$)/.test(id)
  return isId && typeof name === 'string' && typeof mediaType === 'string' && typeof bytes === 'number'
}
