// Soak test: checks every day around the changes of clocks.
import { describe, expect, it } from 'vitest'
import { nextAfter } from './timing.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/** Two days around each change of the clocks of 2026, and of 2027 in the south. */
const CHANGES: readonly (readonly [zone: string, day: string])[] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Sydney', '2026-04-05'],
  ['Australia/Sydney', '2026-10-04'],
  ['Asia/Kolkata', '2026-03-29'],
]

interface Local {
  readonly day: string
  readonly hour: number
  readonly minute: number
}

function localAt(zone: string, at: number): Local {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const value = (type: string): string => parts.find((part) => part.type === type)!.value
  const day = `${value('year')}-${value('month')}-${value('day')}`
  return { day, hour: Number(value('hour')), minute: Number(value('minute')) }
}

const all = async (cron: string, zone: string, from: number, until: number): Promise<number[]> => {
  const times: number[] = []
  for (let at = from - 1; ;) {
    const next = await nextAfter({ cron, zone }, at)
    if (next === undefined || next >= until) return times
    times.push((at = next))
  }
}

describe.each(CHANGES)('in %s around %s', (zone, day) => {
  const from = Date.parse(`${day}T00:00:00Z`) - DAY
  const until = from + 3 * DAY
  const minutes = Array.from({ length: (until - from) / MINUTE }, (_, i) => {
    const at = from + i * MINUTE
    return { at, ...localAt(zone, at) }
  })

  it('a time of day fires once on each day, after the gap when it does not exist', async () => {
    for (let hour = 0; hour < 24; hour++) {
      for (const minute of [0, 30, 59]) {
        const expected = new Map<string, number>()
        for (const now of minutes) {
          const isReached = now.hour * 60 + now.minute >= hour * 60 + minute
          if (isReached && !expected.has(now.day)) expected.set(now.day, now.at)
        }
        // On the first day it may have been before the window.
        const isLater = (at: number): boolean => localAt(zone, at).day !== minutes[0]!.day
        const found = await all(`${minute} ${hour} * * *`, zone, from, until)
        expect(found.filter(isLater), `${hour}:${minute}`).toEqual([...expected.values()].filter(isLater))
      }
    }
  })

  it('a step applies to every hour', async () => {
    for (const step of [7, 20]) {
      const expected = minutes.filter(({ minute }) => minute % step === 0).map(({ at }) => at)
      expect(await all(`*/${step} * * * *`, zone, from, until), `*/${step}`).toEqual(expected)
    }
  })
})
