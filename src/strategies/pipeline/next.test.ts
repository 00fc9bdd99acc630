import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../domain/events.ts'
import type { Job } from '../../domain/job.ts'
import { request, task } from '../../../test/support/engine-world.ts'
import { composed, failure, modelCall, planSet } from '../../../test/support/strategy-events.ts'
import { simulate } from '../../testing/simulate.ts'
import { pipeline } from './next.ts'

type Ends = 'succeeded' | 'failed' | 'skipped'

interface Case {
  /** Agents of the first plan and how they end, in planned order. */
  readonly first?: Readonly<Record<string, Ends>>
  readonly confidence?: number
  /** Agents that a second plan adds to the first. */
  readonly more?: Readonly<Record<string, Ends>>
  readonly maxTurns?: number
  /** The agent at which the budget is used up. */
  readonly exhaustedBy?: string
  readonly planner?: Ends
  readonly composer?: Ends
}

function play({ first = {}, confidence, more = {}, maxTurns, exhaustedBy, planner, composer }: Case) {
  const ends = { ...first, ...more }
  return simulate(pipeline, request([], maxTurns === undefined ? {} : { maxTurns }), (job) => {
    if (job.actor === 'planner') {
      if (planner === 'failed') return { status: 'failed', error: failure }
      const agents = job.key === 'plan:1' ? Object.keys(first) : Object.keys(ends)
      return {
        events: [
          modelCall(job.key),
          planSet(
            agents.map((agent) => task(agent)),
            confidence,
          ),
        ],
      }
    }
    if (job.actor === 'composer') {
      if (composer === 'failed') return { status: 'failed', error: failure }
      return { events: [composed] }
    }
    const used: EventBody[] = exhaustedBy === job.key ? [{ type: 'budget.exhausted', limit: 'calls', message: '' }] : []
    return { status: ends[job.key] ?? 'failed', events: used }
  })
}

const keys = (jobs: readonly Job[]): string => jobs.map((job) => job.key).join(' ')

describe('the pipeline', () => {
  it.each<[string, Case, string]>([
    ['stops at the budget', { first: { a: 'succeeded', b: 'succeeded' }, exhaustedBy: 'a' }, 'plan:1 a compose:1'],
    [
      'does not plan again without budget',
      { first: { a: 'failed' }, confidence: 0.1, more: { b: 'succeeded' }, exhaustedBy: 'a' },
      'plan:1 a compose:1',
    ],
  ])('%s', (_name, given, expected) => {
    const { jobs, finish } = play(given)
    expect(keys(jobs)).toBe(expected)
    expect(finish).toEqual({ finish: 'answered' })
  })

  it('gives each agent the previous one, and all results so far', () => {
    const { jobs } = play({ first: { a: 'failed', b: 'succeeded', c: 'succeeded' } })
    const agents = jobs.filter((job) => job.sees === 'all')
    expect(agents.map(({ key, dependsOn }) => [key, dependsOn])).toEqual([
      ['a', []],
      ['b', ['a']],
      ['c', ['b']],
    ])
  })

  it('fails with the planner’s or the composer’s error, and composes when a second plan fails', () => {
    expect(play({ planner: 'failed' }).finish).toEqual({ finish: 'failed', error: failure })
    expect(play({ composer: 'failed' }).finish).toEqual({ finish: 'failed', error: failure })
    const second = simulate(pipeline, request([]), (job) => {
      if (job.key === 'plan:1') return { events: [planSet([task('a')], 0.1)] }
      if (job.actor === 'composer') return { events: [composed] }
      return { status: 'failed', error: failure }
    })
    expect(keys(second.jobs)).toBe('plan:1 a plan:2 compose:1')
    expect(second.finish).toEqual({ finish: 'answered' })
  })

  it('keeps its invariants for every plan of up to four agents, with any results', () => {
    const statuses = ['succeeded', 'failed', 'skipped'] as const
    const outcomes = (n: number): Ends[][] =>
      n === 0 ? [[]] : outcomes(n - 1).flatMap((before) => statuses.map((status) => [...before, status]))
    const named = (ends: readonly Ends[], from: number): Record<string, Ends> =>
      Object.fromEntries(ends.map((end, i) => [`t${from + i}`, end]))
    let cases = 0
    for (let n = 0; n <= 4; n++) {
      for (const ends of outcomes(n)) {
        for (const more of [[], ...outcomes(1)]) {
          for (const confidence of [undefined, 0.49, 0.5]) {
            for (const maxTurns of [undefined, 1, 2, 3, 4, 5]) {
              cases++
              const first = named(ends, 0)
              const { jobs, finish } = play({
                first,
                more: named(more, n),
                ...(confidence === undefined ? {} : { confidence }),
                ...(maxTurns === undefined ? {} : { maxTurns }),
              })
              const turns = maxTurns ?? Infinity
              const isPartial = ends.includes('succeeded') && ends.includes('failed')
              const isOpen = isPartial || (n > 0 && ends.every((end) => end === 'failed'))
              const replans = isOpen && n < turns && confidence === 0.49
              const expected = [
                'plan:1',
                ...Object.keys(first).slice(0, turns),
                ...(replans ? ['plan:2', ...Object.keys(named(more, n)).slice(0, turns - n)] : []),
                'compose:1',
              ]
              if (keys(jobs) !== expected.join(' ') || finish.finish !== 'answered') {
                throw new Error(`${JSON.stringify({ ends, more, confidence, maxTurns })} went ${keys(jobs)}`)
              }
            }
          }
        }
      }
    }
    expect(cases).toBe(121 * 4 * 3 * 6)
  })
})
