import type { Reading } from '../reading.ts'
import type { LinkedQuery } from '../types.ts'
import type { PlanContext } from './scope.ts'

/** A finished query, before assumptions are counted. */
export type Planned = Omit<LinkedQuery, 'kind' | 'confidence' | 'assumptions'>

/** Rows of a ranking that gives no number. */
const DEFAULT_TOP = 10

/** How many rows a ranking shows: the number asked for, one for a singular, else ten, and says so. */
export function topLimit(context: PlanContext, reading: Reading): number {
  if (reading.limit !== undefined) return Math.min(reading.limit, context.maxRows)
  if (!reading.plural) return 1
  context.assumptions.add(`the first ${DEFAULT_TOP} are shown, since the question gives no number`)
  return Math.min(DEFAULT_TOP, context.maxRows)
}
