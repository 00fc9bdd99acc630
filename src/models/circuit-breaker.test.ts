import { expect, test } from 'vitest'
import { createCircuitBreaker, isPermit, type CircuitBreaker, type Permit } from './circuit-breaker.ts'

function breakerAt(start: number) {
  let now = start
  const breaker = createCircuitBreaker({ now: () => now, timer: () => () => {} }, { failures: 3, openMs: 1_000 })
  return { breaker, advance: (ms: number) => void (now += ms) }
}

function permitOf(breaker: CircuitBreaker): Permit {
  const entry = breaker.enter()
  if (!isPermit(entry)) throw new Error(`refused: ${entry.lastReason}`)
  return entry
}

const fail = (breaker: CircuitBreaker, times: number): void => {
  for (let i = 1; i <= times; i++) permitOf(breaker).trouble(`trouble ${i}`)
}

test('it opens after consecutive failures and reports the reason and the duration', () => {
  const { breaker, advance } = breakerAt(0)
  fail(breaker, 3)
  advance(400)
  expect(breaker.enter()).toEqual({ waitMs: 600, failures: 3, lastReason: 'trouble 3' })
})

test('a success in between resets the count', () => {
  const { breaker } = breakerAt(0)
  fail(breaker, 2)
  permitOf(breaker).ok()
  fail(breaker, 2)
  expect(isPermit(breaker.enter())).toBe(true)
})

test('one probe at a time; success closes it', () => {
  const { breaker, advance } = breakerAt(0)
  fail(breaker, 3)
  advance(1_000)
  const probe = permitOf(breaker)
  expect(breaker.enter()).toMatchObject({ waitMs: 0 })
  probe.ok()
  expect([isPermit(breaker.enter()), isPermit(breaker.enter())]).toEqual([true, true])
})

test('a failed probe opens it for the full time again', () => {
  const { breaker, advance } = breakerAt(0)
  fail(breaker, 3)
  advance(1_000)
  permitOf(breaker).trouble('still down')
  expect(breaker.enter()).toEqual({ waitMs: 1_000, failures: 4, lastReason: 'still down' })
})

test('an abandoned probe is left to another request', () => {
  const { breaker, advance } = breakerAt(0)
  fail(breaker, 3)
  advance(1_000)
  permitOf(breaker).release()
  expect(isPermit(breaker.enter())).toBe(true)
})

test('only the first result of a permit counts', () => {
  const { breaker } = breakerAt(0)
  for (let i = 0; i < 3; i++) {
    const permit = permitOf(breaker)
    permit.release()
    permit.trouble('too late')
  }
  expect(isPermit(breaker.enter())).toBe(true)
})

test('requests that were active when it opened extend its open time, and never allow two probes', () => {
  const { breaker, advance } = breakerAt(0)
  const late = permitOf(breaker)
  fail(breaker, 3)
  advance(1_000)
  permitOf(breaker)
  late.trouble('late')
  expect(breaker.enter()).toMatchObject({ waitMs: 1_000, lastReason: 'late' })
})

test('two consecutive hung requests open it, for longer each time that a probe hangs', () => {
  const { breaker, advance } = breakerAt(0)
  permitOf(breaker).hang('silent')
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    permitOf(breaker).hang('silent')
    const refusal = breaker.enter()
    if (isPermit(refusal)) throw new Error('it is not open')
    waits.push(refusal.waitMs)
    advance(refusal.waitMs)
  }
  expect(waits.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000])
  expect(Math.max(...waits)).toBe(300_000)
})

test('a hung request between answered ones does not open it', () => {
  const { breaker } = breakerAt(0)
  for (let i = 0; i < 5; i++) {
    permitOf(breaker).hang('silent')
    permitOf(breaker).ok()
  }
  expect(isPermit(breaker.enter())).toBe(true)
})
