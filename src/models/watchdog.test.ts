import { expect, test } from 'vitest'
import type { Clock } from '../shared/clock.ts'
import { startRequestWatchdog } from './watchdog.ts'

const LIMITS = { firstChunkMs: 30, idleMs: 60, totalMs: 120, leftMs: 150 }

function countingClock() {
  const pending = new Map<number, () => void>()
  const clock: Clock = {
    now: () => 0,
    timer(ms, callback) {
      pending.set(ms, callback)
      return () => void pending.delete(ms)
    },
  }
  return { clock, pending }
}

test('the remaining time of the answer limits the request, and does not count against the provider', () => {
  const { clock, pending } = countingClock()
  const watch = startRequestWatchdog(clock, { ...LIMITS, leftMs: 100 }, new AbortController().signal)
  expect([...pending.keys()]).toEqual([100, 30])
  pending.get(100)!()
  expect(watch.expired()).toMatchObject({ isHang: false })
})

test('the first exceeded limit is reported', () => {
  const { clock, pending } = countingClock()
  const watch = startRequestWatchdog(clock, LIMITS, new AbortController().signal)
  pending.get(30)!()
  pending.get(120)!()
  expect(watch.expired()).toEqual({ sentence: 'sent nothing for 0.03 s', isHang: true })
  expect(watch.signal.aborted).toBe(true)
})

test('after its end no limit applies, even if a slow reader reports progress', () => {
  const { clock, pending } = countingClock()
  const watch = startRequestWatchdog(clock, LIMITS, new AbortController().signal)
  watch.stop()
  watch.progress()
  expect([pending.size, watch.expired(), watch.signal.aborted]).toEqual([0, undefined, true])
})
