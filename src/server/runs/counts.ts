import { z } from 'zod'
import { iso, moment } from '../schemas.ts'
import type { Outcome } from './outcomes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Lengths of intervals to choose from. */
const STEPS = [HOUR / 12, HOUR / 4, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY]

/** The earliest date that can be formatted. */
const FIRST = Date.parse('0000-01-01T00:00:00Z')

export const countsSchema = z
  .object({
    from: moment,
    until: moment,
    stepMs: z.number().int(),
    items: z
      .array(
        z.object({
          from: moment.describe('Start of the interval, which is `stepMs` long'),
          runs: z.number().int(),
          declined: z.number().int(),
          failed: z.number().int(),
        }),
      )
      .readonly()
      .describe('Intervals with runs, earliest first'),
    isCut: z.boolean().describe('Whether earlier runs are left out'),
  })
  .meta({ id: 'RunCounts' })

interface Counted {
  readonly createdAt: number
  readonly status: string
  readonly outcome?: Outcome | undefined
}

interface Stretch {
  /** Milliseconds since the epoch, as all times in this file. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly now: number
  /** Offset of the client's time zone from UTC. */
  readonly offsetMs: number
  /** Maximum of intervals. */
  readonly most: number
}

/** Number of runs by start time, in intervals of equal length that are aligned to hours and days. */
export function countsOf(
  runs: readonly Counted[],
  { offsetMs, most, now, ...span }: Stretch,
): Omit<z.infer<typeof countsSchema>, 'isCut'> {
  const from = span.from ?? Math.min((span.until ?? now) - DAY, ...runs.map(({ createdAt }) => createdAt))
  const until = Math.max(span.until ?? now, from)
  const stepMs = STEPS.find((one) => (until - from) / one < most) ?? Math.ceil((until - from) / most / DAY + 1) * DAY
  const beginOf = (at: number): number => Math.floor((at + offsetMs) / stepMs) * stepMs - offsetMs
  const items = new Map<number, { runs: number; declined: number; failed: number }>()
  for (const { createdAt, status, outcome } of runs) {
    const begin = beginOf(createdAt)
    const item = items.get(begin) ?? { runs: 0, declined: 0, failed: 0 }
    items.set(begin, item)
    item.runs++
    if (status === 'failed') item.failed++
    else if (outcome === 'declined') item.declined++
  }
  return {
    from: iso(Math.max(beginOf(from), FIRST)),
    until: iso(until),
    stepMs,
    items: [...items].toSorted(([a], [b]) => a - b).map(([begin, item]) => ({ from: iso(begin), ...item })),
  }
}
