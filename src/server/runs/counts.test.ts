import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countsOf, countsSchema } from './list.ts'

const DAY = 86_400_000
const at = fc.integer({ min: 0, max: 400 * DAY })
const run = fc.record({ createdAt: at, status: fc.constantFrom('finished', 'failed', 'running') })

it('each run is in exactly one interval of the period, with a limited number of intervals', () => {
  fc.assert(
    fc.property(
      fc.array(run, { maxLength: 30 }),
      fc.option(at, { nil: undefined }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: -24 * 60, max: 24 * 60 }),
      (all, since, most, offset) => {
        const now = 401 * DAY
        const runs = all.filter(({ createdAt }) => createdAt >= (since ?? 0))
        const { from, until, stepMs, items } = countsOf(runs, { from: since, now, offsetMs: offset * 60_000, most })
        const begins = items.map((item) => Date.parse(item.from))
        for (const begin of begins) {
          expect((begin - Date.parse(from)) % stepMs).toBe(0)
          expect(begin).toBeGreaterThanOrEqual(Date.parse(from))
          expect(begin).toBeLessThan(Date.parse(until))
        }
        expect((Date.parse(until) - Date.parse(from)) / stepMs).toBeLessThan(most + 1)
        for (const [n, begin] of begins.entries()) {
          const there = runs.filter(({ createdAt }) => createdAt >= begin && createdAt < begin + stepMs)
          const failed = there.filter(({ status }) => status === 'failed').length
          expect(items[n]).toMatchObject({ runs: there.length, failed, declined: 0 })
        }
        expect(items.reduce((sum, item) => sum + item.runs, 0)).toBe(runs.length)
      },
    ),
  )
})

it('any requested time is serialisable', () => {
  const any = fc.option(fc.constantFrom('0000-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'))
  const most = fc.integer({ min: 1, max: 200 })
  fc.assert(
    fc.property(any, any, fc.integer({ min: -1440, max: 1440 }), most, (from, until, offset, parts) => {
      const read = (said: string | null) => (said === null ? undefined : Date.parse(said))
      const span = { from: read(from), until: read(until), now: 401 * DAY, offsetMs: offset * 60_000, most: parts }
      const told = countsOf([], span)
      expect(countsSchema.safeParse({ ...told, isCut: false }).error).toBeUndefined()
    }),
    { seed: 3 },
  )
})
