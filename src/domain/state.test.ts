import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agent, memoryEngine, request, say, task } from '../../test/support/engine-world.ts'
import { logOf } from '../../test/support/strategy-events.ts'
import type { EventBody } from './events.ts'
import { BY_USER } from './provenance.ts'
import type { Result } from './result.ts'
import { applyEvent, fold, isOver, type RunState } from './state.ts'

const SECOND = 1_000

/** A log that begins with the start of a run. */
const log = (...bodies: readonly EventBody[]) => logOf({ type: 'run.started', request: request([]) }, ...bodies)

const done: Result = { status: 'succeeded', provenance: BY_USER, latencyMs: 1 }
const started = (key: string): EventBody => ({ type: 'job.started', key, actor: 'a', attempt: 1 })
const call = (key: string, path: string): EventBody => {
  const used = { usage: { inputTokens: 2, outputTokens: 1 }, requests: 1, latencyMs: 1 }
  return { type: 'call.finished', key, path, kind: 'model', name: 'x', ...used }
}

describe('the state of a run', () => {
  it('of any real log and any prefix is the same, folded at once or event by event', async () => {
    const flaky = agent(
      'flaky',
      async (_task, ctx) => {
        await ctx.ask(say, `attempt ${ctx.attempt}`)
        if (ctx.attempt === 1) throw new Error('again')
        return {}
      },
      { limits: { retries: 1 } },
    )
    const { store, run } = await memoryEngine([flaky])
    const plan = [task('a', 'flaky'), task('b', 'flaky'), task('c', 'flaky', { dependsOn: ['a'] })]
    const { runId } = await run(plan, { strategy: 'graph', budget: { maxCalls: 4 } })
    const events = await store.read(runId)
    expect(new Set(events.map((event) => event.type)).size).toBeGreaterThan(8)
    let stepwise: RunState | undefined
    for (const [i, event] of events.entries()) {
      stepwise = applyEvent(stepwise, event)
      expect(stepwise).toEqual(fold(events.slice(0, i + 1)))
    }
    expect(isOver(stepwise!)).toBe(true)
  })

  it('is never corrupted by user actions at unusual times', () => {
    const body: fc.Arbitrary<EventBody> = fc.oneof(
      fc.constantFrom<EventBody>(
        started('a'),
        { type: 'job.settled', key: 'a', result: done },
        { type: 'job.retrying', key: 'a', attempt: 2, error: { type: 'Internal', message: '' }, delayMs: 1 },
        call('a', 'a@1/x'),
        { type: 'approval.decided', approvalId: 'p', decision: 'denied', by: 'x' },
        { type: 'approval.decided', approvalId: 'unheard of', decision: 'approved', by: 'x' },
        { type: 'run.cancelling', by: 'x' },
        { type: 'run.resumed', worker: 'w' },
        { type: 'effect.done', key: 'a', path: 'p' },
        { type: 'answer.delta', key: 'a', part: 1, offset: 0, text: 'x' },
        { type: 'budget.exhausted', limit: 'time', message: '' },
        { type: 'note', kind: 'ERROR', message: '' },
        { type: 'something.new' } as unknown as EventBody,
      ),
    )
    fc.assert(
      fc.property(fc.array(body), (bodies) => {
        const state = fold(log(started('a'), ...bodies))
        expect(state.seq).toBe(bodies.length + 2)
      }),
    )
  })

  it('refuses a log with a gap, without its beginning, or with two', () => {
    const events = log(started('a'), { type: 'job.settled', key: 'a', result: done })
    expect(() => fold([])).toThrow('The log of this run is empty.')
    expect(() => fold([events[0]!, events[2]!])).toThrow('The log of run r has a gap: 3 follows 1.')
    expect(() => fold(events.slice(1))).toThrow('The log of run r does not begin with its start.')
    expect(() => fold([events[0]!, { ...events[0]!, seq: 2 }])).toThrow('Run r starts twice in its log.')
    expect(() => fold(log({ type: 'job.settled', key: 'zz', result: done }))).toThrow(
      'Job "zz" is in the log before its start.',
    )
  })

  it('lets the first decision count', () => {
    const about = { key: 'a', approvalId: 'p', path: 'a/x', tool: 'x', payload: {}, reason: '', expiresAt: 9 }
    const asked: EventBody = { type: 'approval.requested', provenance: BY_USER, ...about }
    const state = fold(
      log(
        asked,
        { type: 'approval.decided', approvalId: 'p', decision: 'approved', by: 'ann', instructions: 'gently' },
        { type: 'approval.decided', approvalId: 'p', decision: 'denied', by: 'bob' },
      ),
    )
    expect(state.approvals.get('p')).toMatchObject({ decision: 'approved', by: 'ann', instructions: 'gently' })
  })

  it('counts only working time, not waiting for users', () => {
    const state = fold(
      log(
        started('a'), // 1 s
        { type: 'approval.decided', approvalId: 'p', decision: 'approved', by: 'ann' }, // 2 s, in nobody's hands
        { type: 'run.cancelling', by: 'ann' }, // 3 s
        { type: 'run.resumed', worker: 'w' }, // 4 s
        started('b'), // 5 s
        { type: 'run.resumed', worker: 'w' }, // 6 s
      ),
    )
    expect(state.activeMs).toBe(2 * SECOND)
    expect(state.sessionStart).toBe(new Date(6 * SECOND).toISOString())
  })

  it('forgets the calls of settled jobs, not what they used', () => {
    const state = fold(
      log(started('a'), call('a', 'p'), { type: 'job.settled', key: 'a', result: done }, call('a', 'late')),
    )
    expect(state.calls.size).toBe(0)
    expect(state.usage).toMatchObject({ calls: 2, inputTokens: 4 })
  })

  it('counts the attempts of an irreversible call', () => {
    const intended: EventBody = { type: 'effect.intended', key: 'a', path: 'p', tool: 't', idempotencyKey: 'k' }
    const twice = fold(log(started('a'), intended, intended))
    expect(twice.effects.get('p')).toMatchObject({ state: 'intended', times: 2 })
    const done = fold(log(started('a'), intended, { type: 'effect.done', key: 'a', path: 'p', output: 1 }))
    expect(done.effects.get('p')).toEqual({
      state: 'done',
      origin: { key: 'a', tool: 't', attempt: 1 },
      output: 1,
    })
  })

  it('holds the text of the current part of the answer', () => {
    const delta = (part: number, offset: number, text: string): EventBody => {
      return { type: 'answer.delta', key: 'c', part, offset, text }
    }
    const state = fold(log(delta(1, 0, 'abc'), delta(1, 3, 'def'), delta(1001, 0, 'x'), delta(1001, 1, 'y')))
    expect(state).toMatchObject({ answerPart: 1001, answerText: 'xy' })
  })
})
