import { z } from 'zod'
import { iso, moment } from '../schemas.ts'
import type { Outcome } from './outcomes.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Lengths of time that people think in. */
const STEPS = [HOUR / 12, HOUR / 4, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY]

/** Nothing earlier can be written. */
const FIRST = Date.parse('0000-01-01T00:00:00Z')

export const countsSchema = z
  .object({
    from: moment,
    until: moment,
    stepMs: z.number().int(),
    items: z
      .array(
        z.object({
          from: moment.describe('It goes on for `stepMs`'),
          runs: z.number().int(),
          declined: z.number().int(),
          failed: z.number().int(),
        }),
      )
      .readonly()
      .describe('Stretches in which there were runs, the first first'),
    isCut: z.boolean().describe('Whether earlier ones are not counted'),
  })
  .meta({ id: 'RunCounts' })

interface Counted {
  readonly createdAt: number
  readonly status: string
  readonly outcome?: Outcome | undefined
}

interface Stretch {
  /** Milliseconds since the epoch, as all times here. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly now: number
  /** Of the time of day where it is looked at, to that of UTC. */
  readonly offsetMs: number
  /** Into how many parts it is cut at most. */
  readonly most: number
}

/** How many runs were begun when: in stretches of one length, which begin where hours and days do. */
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
