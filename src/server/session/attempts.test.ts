import { expect, it } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { Attempts } from './attempts.ts'

it('lets one place try thirty times a minute, and others nonetheless', async () => {
  const clock = new ManualClock()
  const attempts = new Attempts(clock)
  for (let i = 0; i < 30; i++) attempts.count('here')
  expect(() => attempts.count('here')).toThrow('try again in a minute')
  attempts.count('there')
  await clock.advance(60_000)
  attempts.count('here')
})
