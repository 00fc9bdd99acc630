import { expect, it } from 'vitest'
import { Reachability } from './reachability.ts'

it('clears the message of a lost connection once it is restored, and no other message', () => {
  const reach = new Reachability()
  const [before, refused] = [new TypeError('Failed to fetch'), new Error('There is no such table')]
  let told = 0
  const deafen = reach.listen(() => told++)
  expect([before, refused].map((error) => reach.isOver(error))).toEqual([false, false])
  // A single failed request does not count as a lost connection.
  expect(reach.set(false)).toBe(false)
  expect(reach.isOver(before)).toBe(false)
  expect(reach.set(true)).toBe(false)
  expect(reach.isLost).toBe(true)
  expect(reach.isOver(before)).toBe(false)
  expect(reach.set(false)).toBe(true)
  expect([before, refused].map((error) => reach.isOver(error))).toEqual([true, false])
  expect(reach.isOver(new TypeError('Failed to fetch'))).toBe(false)
  expect(told).toBe(2)
  deafen()
  reach.set(true)
  expect(told).toBe(2)
})
