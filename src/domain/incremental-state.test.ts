import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { request, task } from '../../test/support/engine-world.ts'
import type { EventBody } from './events.ts'
import type { Plan } from './plan.ts'
import { combine, BY_USER, outsideData } from './provenance.ts'
import { applyEvent, fold, type RunState } from './state.ts'
import { isFruitless } from './job.ts'

const IDS = Array.from({ length: 8 }, (_, i) => `t${i}`)

/** A plan whose tasks depend on any others, including tasks that are not in it. */
const plan: fc.Arbitrary<Plan> = fc
  .uniqueArray(fc.constantFrom(...IDS), { minLength: 1 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.array(fc.constantFrom(...IDS), { maxLength: 3 }).map((on) => [id, on]))),
  )
  .map((tasks) => ({ tasks: tasks.map(([id, on]) => task(id as string, 'a', { dependsOn: on as string[] })) }))

type Step =
  | { readonly do: 'plan'; readonly plan: Plan }
  | { readonly do: 'start' | 'settle' | 'skip' | 'ask' | 'decide'; readonly key: string; readonly from: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('plan' as const), plan }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('start', 'start', 'settle', 'settle', 'skip', 'ask', 'decide'),
      key: fc.constantFrom(...IDS, 'role:1'),
      from: fc.constantFrom('', 'web', 'mail'),
    }),
  },
) as fc.Arbitrary<Step>

/** The event of a step, if the state allows it. */
function eventOf(one: Step, state: RunState): EventBody | undefined {
  if (one.do === 'plan') return { type: 'plan.set', plan: one.plan, by: 'planner', rationale: '' }
  const { key, from } = one
  if (one.do === 'start') {
    const about = key === 'role:1' ? {} : { task: task(key, 'a') }
    return { type: 'job.started', key, actor: 'a', attempt: 1, ...about }
  }
  const approvalId = `of ${key}`
  if (one.do === 'decide') return { type: 'approval.decided', approvalId, decision: 'denied', by: 'ann' }
  if (!state.jobs.has(key)) return undefined
  if (one.do === 'ask') {
    const about = { path: 'p', tool: 'send', payload: null, reason: '', provenance: BY_USER, expiresAt: 1 }
    return { type: 'approval.requested', key, approvalId, ...about }
  }
  const provenance = from === '' ? BY_USER : outsideData(from)
  const result = { provenance, latencyMs: 1 }
  if (one.do === 'settle') return { type: 'job.settled', key, result: { ...result, status: 'succeeded' } }
  const error = { type: 'DependencyFailed', message: '' } as const
  return { type: 'job.settled', key, result: { ...result, status: 'skipped', error } }
}

describe('incrementally updated state', () => {
  it('equals a full recomputation, after any events in any order', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const at = new Date(0).toISOString()
        let state = fold([{ type: 'run.started', request: request([]), runId: 'r', seq: 1, at, v: 1 }])
        const seen: (typeof BY_USER)[] = []
        for (const one of steps) {
          const body = eventOf(one, state)
          if (body === undefined) continue
          state = applyEvent(state, { ...body, runId: 'r', seq: state.seq + 1, at, v: 1 })
          if (body.type === 'job.settled') seen.push(body.result.provenance)
          const jobs = [...state.jobs.values()]
          expect(state.turns).toBe(jobs.filter((job) => job.task !== undefined && !isFruitless(job)).length)
          expect(state.resultProvenance).toEqual(combine(seen))
          expect([...state.openApprovals.values()]).toEqual(
            [...state.approvals.values()].filter(({ decision }) => decision === undefined),
          )
          for (const { key, approvals = [] } of jobs) {
            const asked = [...state.approvals.values()].filter((approval) => approval.key === key)
            expect(new Set(approvals)).toEqual(new Set(asked.map(({ approvalId }) => approvalId)))
          }
        }
      }),
      { numRuns: 2_000, seed: 8 },
    )
  })
})
