import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunView } from './run-log.ts'
import type { Step } from './steps.ts'
import { agentsIn, shareOf, failuresIn } from './trace.ts'

const WHOLE = { from: 1_000, until: 11_000 }

it('a bar is clipped to the visible range', () => {
  const moment = fc.integer({ min: 0, max: 12_000 })
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      const [from, until] = [Math.min(a, b), Math.max(a, b)]
      const [left, width] = shareOf({ from, until }, WHOLE) ?? []
      const isSeen = until >= WHOLE.from && from <= WHOLE.until
      expect(left !== undefined).toBe(isSeen)
      if (!isSeen) return
      expect(WHOLE.from + left! * 10_000).toBeCloseTo(Math.max(from, WHOLE.from))
      expect(WHOLE.from + (left! + width!) * 10_000).toBeCloseTo(Math.min(until, WHOLE.until))
    }),
  )
})

describe('a trace', () => {
  const step = (id: string, actor: string, state: Step['state'] = 'done') =>
    ({ id, actor, state, attempt: 1, round: 1, isReplaced: false, after: [] }) as Step
  const steps = [step('plan', 'planner'), step('a', 'sql', 'failed'), step('b', 'sql'), step('c', 'rag', 'failed')]
  const call = (path: string, error?: object) => ({ path, ...(error && { error }) })
  const calls = new Map([
    ['a', [call('a@1/1', {}), call('a@1/2')]],
    ['b', [call('b@1/1'), call('b@1/2', {})]],
  ]) as unknown as RunView['calls']

  it('leads through all failures: calls, and steps that failed without one', () => {
    expect(failuresIn(steps, { calls })).toEqual([
      { step: 'a', path: 'a@1/1' },
      { step: 'b', path: 'b@1/2' },
      { step: 'c' },
    ])
  })

  it('counts what each agent did', () => {
    expect([...agentsIn(steps, { calls })]).toEqual([
      ['planner', 1],
      ['sql', 4],
      ['rag', 1],
    ])
  })
})
