import { describe, expect, it } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { sleep, systemClock } from './clock.ts'

describe('waiting', () => {
  it('ends at its time, or on abort with the reason, and leaves no timer behind', async () => {
    const clock = new ManualClock()
    const away = new AbortController()
    const [first, second] = [sleep(clock, 100), sleep(clock, 100, away.signal)]
    const reason = new Error('enough')
    away.abort(reason)
    await expect(second).rejects.toBe(reason)
    await expect(sleep(clock, 100, away.signal)).rejects.toBe(reason)
    expect(clock.pending).toBe(1)
    await clock.advance(100)
    await first
    expect(clock.pending).toBe(0)
  })

  it('on the system clock works beyond the maximum of one timer', async () => {
    let fired = false
    const cancel = systemClock.timer(2 ** 32, () => (fired = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    cancel()
    expect(fired).toBe(false)
  })
})
