import { expect, test } from 'vitest'
import type { Clock } from '../core/clock.ts'
import { startWatchdog } from './watchdog.ts'

const LIMITS = { firstChunkMs: 30, idleMs: 60, totalMs: 120 }

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

test('a stream is watched from first event to idle to end, anything else in total alone', () => {
  const { clock, pending } = countingClock()
  const watch = startWatchdog(clock, LIMITS, true, new AbortController().signal)
  expect([...pending.keys()]).toEqual([120, 30])
  watch.progress()
  expect([...pending.keys()]).toEqual([120, 60])
  watch.stop()
  const whole = startWatchdog(clock, LIMITS, false, new AbortController().signal)
  whole.progress()
  expect([...pending.keys()]).toEqual([120])
  whole.stop()
})

test('the first broken limit is the one told', () => {
  const { clock, pending } = countingClock()
  const watch = startWatchdog(clock, LIMITS, true, new AbortController().signal)
  pending.get(30)!()
  pending.get(120)!()
  expect([watch.expired(), watch.signal.aborted]).toEqual(['sent nothing for 0.03 s', true])
})

test('after its end nothing is watched, even if a slow reader reports progress', () => {
  const { clock, pending } = countingClock()
  const watch = startWatchdog(clock, LIMITS, true, new AbortController().signal)
  watch.stop()
  watch.progress()
  expect([pending.size, watch.expired(), watch.signal.aborted]).toEqual([0, undefined, true])
})

test('the caller’s abort is not a broken limit', () => {
  const { clock } = countingClock()
  const watch = startWatchdog(clock, LIMITS, true, AbortSignal.abort(new Error('stop')))
  expect([watch.expired(), (watch.signal.reason as Error).message]).toEqual([undefined, 'stop'])
})
