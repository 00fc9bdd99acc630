import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../client/run.ts'
import { layout, NODE } from './layout.ts'
import { RunLog } from './run-log.ts'
import { runSteps, type Step } from './steps.ts'

const PLAN = {
  tasks: [
    { id: 'rag', agent: 'rag', text: 'What does the policy say', dependsOn: [] },
    { id: 'sql', agent: 'sql', dependsOn: [] },
    { id: 'mail', agent: 'mail', dependsOn: ['rag', 'sql'] },
  ],
}

function shown(...bodies: readonly object[]): Step[] {
  const log = new RunLog()
  const started = { type: 'run.started', request: { question: 'q', context: {}, strategy: 'graph' } }
  for (const [at, body] of [started, ...bodies].entries()) {
    log.apply({ runId: 'r', seq: at + 1, at: `2026-11-23T10:00:0${at % 10}.000Z`, v: 1, ...body } as RunEvent)
  }
  return runSteps(log.view()!)
}

const begin = (key: string, more: object = {}) => ({
  type: 'job.started',
  key,
  actor: key.split(':')[0],
  attempt: 1,
  ...more,
})
const settle = (key: string, result: object = {}) => ({
  type: 'job.settled',
  key,
  result: { status: 'succeeded', provenance: { author: 'user', private: false, sources: [] }, latencyMs: 1, ...result },
})
const planned = [
  begin('planner:1'),
  { type: 'plan.set', key: 'planner:1', plan: PLAN, by: 'planner', rationale: '' },
  settle('planner:1'),
]

describe('the steps of a run', () => {
  it('are started jobs, then planned ones, each after its dependencies', () => {
    const steps = shown(...planned, begin('rag', { task: PLAN.tasks[0] }))
    expect(steps.map(({ id, state, after }) => `${id} ${state} < ${after.join()}`)).toEqual([
      'planner:1 done < ',
      'rag running < planner:1',
      'sql todo < planner:1',
      'mail todo < rag,sql',
    ])
  })

  it('are rejected, with the reason, if a critic did not accept the work', () => {
    const data = { decision: 'reject', feedback: 'Give the share.' }
    const [critic] = shown(begin('critic_expert:1'), settle('critic_expert:1', { data }))
    expect(critic).toMatchObject({ state: 'rejected', rejection: 'Give the share.' })
  })

  it('are stopped in their state when the run is cancelled', () => {
    const steps = shown(...planned, begin('rag', { task: PLAN.tasks[0] }), { type: 'run.cancelled' })
    expect(steps.map(({ id, state, endedAt }) => [id, state, endedAt !== undefined])).toEqual([
      ['planner:1', 'done', true],
      ['rag', 'stopped', true],
      ['sql', 'skipped', false],
      ['mail', 'skipped', false],
    ])
  })

  it('leave out background jobs', () => {
    expect(shown(begin('memory-extractor:1'), begin('recorder:1'))).toEqual([])
  })

  it('show that one waits for the user, and why one failed', () => {
    const asked = {
      type: 'approval.requested',
      key: 'mail',
      approvalId: 'a',
      path: 'mail@1/send',
      tool: 'send_email',
      payload: {},
      reason: '',
      provenance: { author: 'user', private: false, sources: [] },
      expiresAt: 1,
    }
    const failed = settle('sql', { status: 'failed', error: { type: 'QueryError', message: 'No such table.' } })
    const steps = shown(
      ...planned,
      begin('sql', { task: PLAN.tasks[1] }),
      failed,
      begin('mail', { task: PLAN.tasks[2] }),
      asked,
    )
    expect(steps.find(({ id }) => id === 'sql')).toMatchObject({
      state: 'failed',
      error: { message: 'No such table.' },
    })
    expect(steps.find(({ id }) => id === 'mail')).toMatchObject({ state: 'waiting' })
  })

  it('that never started are skipped when the run is over', () => {
    const steps = shown(...planned, { type: 'run.cancelled' })
    expect(steps.filter(({ job }) => job === undefined).map(({ state }) => state)).toEqual([
      'skipped',
      'skipped',
      'skipped',
    ])
  })
})

describe('positions of steps', () => {
  it('are below all dependencies, and never overlap, in any plan', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 30 }), (drawn) => {
        const steps = drawn.map((picks, at) => parseStepKey(at, at === 0 ? [] : picks.map((pick) => pick % at)))
        const { placed, width, height } = layout(steps)
        const places = new Map(placed.map((one) => [one.step.id, one]))
        expect(places.size).toBe(steps.length)
        for (const one of placed) {
          for (const id of one.step.after) expect(places.get(id)!.y).toBeLessThan(one.y)
          expect(one.x).toBeGreaterThanOrEqual(0)
          expect(one.x + NODE.width).toBeLessThanOrEqual(width)
          expect(one.y + NODE.height).toBeLessThanOrEqual(height)
        }
        for (const [at, one] of placed.entries()) {
          for (const other of placed.slice(at + 1)) {
            expect(one.y !== other.y || Math.abs(one.x - other.x) >= NODE.width).toBe(true)
          }
        }
      }),
      { seed: 11 },
    )
  })

  it('end for cyclic steps, which no plan has', () => {
    expect(layout([parseStepKey(0, [1]), parseStepKey(1, [0])]).placed).toHaveLength(2)
  })
})

function parseStepKey(n: number, after: readonly number[]): Step {
  return {
    id: String(n),
    actor: 'sql',
    state: 'todo',
    attempt: 0,
    round: 1,
    isReplaced: false,
    after: after.map(String),
  }
}
