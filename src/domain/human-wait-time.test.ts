import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RunEvent } from './events.ts'
import { humanWaitMs } from './human-wait-time.ts'

/** A job with start and end, and its approvals in between, its own or those of a nested run. */
const span = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
const job = fc.record({ at: span, asks: fc.array(span, { maxLength: 2 }), isNested: fc.boolean() })

type Told = [at: number, order: number, event: object]

it('counts the time in which a user is awaited and no job runs', () => {
  fc.assert(
    fc.property(fc.array(job, { maxLength: 4 }), (jobs) => {
      const spans = jobs.map(({ at: [from, to], asks, isNested }) => {
        const within = (t: number): number => Math.min(Math.max(t, from), to)
        return { from, to, isNested, asks: asks.map(([a, b]) => [within(a), within(b)] as const) }
      })
      const told = spans.flatMap(({ from, to, asks, isNested }, n): Told[] => [
        [from, 0, { type: 'job.started', key: `j${n}` }],
        ...(isNested
          ? ([
              [from, 1, { type: 'child.started', key: `j${n}`, childId: `c${n}` }],
              [to, 2, { type: 'child.finished', key: `j${n}`, childId: `c${n}`, waits: asks }],
            ] as Told[])
          : asks.flatMap(([a, b], i): Told[] => [
              [a, 1, { type: 'approval.requested', key: `j${n}`, approvalId: `${n}.${i}` }],
              [b, 2, { type: 'approval.decided', approvalId: `${n}.${i}` }],
            ])),
        [to, 3, { type: 'job.settled', key: `j${n}` }],
      ])
      const events = told
        .toSorted(([a, first], [b, second]) => a - b || first - second)
        .map(([at, , event]) => ({ ...event, at: new Date(at).toISOString() }) as RunEvent)
      const moments = Array.from({ length: 41 }, (_, t) => t).filter((t) => {
        const running = spans.filter(({ from, to }) => from <= t && t < to)
        const waits = running.map(({ asks }) => asks.some(([a, b]) => a <= t && t < b))
        return waits.length > 0 && waits.every(Boolean)
      })
      expect(humanWaitMs(events)).toBe(moments.length)
    }),
  )
})
