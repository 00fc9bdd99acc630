import { describe, expect, it } from 'vitest'
import { dataOf, defineRole, type Agent, type RoleType, type TaskFeedback } from '../../domain/actor.ts'
import { latestAttempt, type Job } from '../../domain/job.ts'
import { outsideData } from '../../domain/provenance.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import { responseOf } from '../../domain/response.ts'
import { fold, isSettled } from '../../domain/state.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { composeThenFinish, latestRound, planJob, stepJob, taskAgain, taskJob } from '../../strategies/steps.ts'
import { z } from 'zod'
import { agent, givenPlanner, memoryEngine, openWorld, task, textTool } from '../../../test/support/engine-world.ts'
import { eventually } from '../../../test/support/waiting.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { answering } from '../../../test/support/test-agents.ts'

const MAX_ROUNDS = 3

const criticType: RoleType<{ round: number }, { isGood: boolean; text: string }> = {
  name: 'critic',
  input: z.object({ round: z.number() }),
  data: z.object({ isGood: z.boolean(), text: z.string() }),
}

/** Writes, asks the critic, and writes again with the feedback, until the critic approves. */
const reviewing: Strategy = {
  name: 'reviewing',
  planner: 'planner',
  next(state): readonly Job[] | Finish {
    if (state.plan === undefined) return [planJob(1)]
    const [writing, ...others] = state.plan.plan.tasks
    const attempt = latestAttempt(state, writing!.id)
    const verdict = latestRound(state, 'critic')
    const said = dataOf(criticType, verdict)
    const again = (): Job[] => [taskAgain(state, writing!, [], { by: 'critic', text: said!.text, from: verdict!.key })]
    if (!isSettled(attempt)) return attempt?.replaces === undefined ? [taskJob(writing!, [])] : again()
    const { round, key } = attempt!
    if (verdict?.round !== round || said === undefined) {
      return [stepJob(state, criticType, { round }, { dependsOn: [key] })]
    }
    if (!said.isGood && round < MAX_ROUNDS) return again()
    const next = others.find(({ id }) => !isSettled(state.jobs.get(id)))
    return next === undefined ? composeThenFinish(state) : [taskJob(next, next.dependsOn)]
  },
}

const critic = defineRole({
  ...criticType,
  async run(ctx) {
    const [attempt] = ctx.inputs()
    const isGood = attempt!.result.answer!.includes('sources')
    return { data: { isGood, text: isGood ? '' : 'Name your sources.' } }
  },
})

/** Input of the composer. */
const composer = defineRole({
  name: 'composer',
  async run(ctx) {
    const answer = agentResultsOf(ctx.state)
      .map(({ agent: name, answer: said }) => `${name}: ${said}`)
      .join('; ')
    ctx.emit({ type: 'answer.composed', answer, by: 'fallback' })
    return { answer }
  },
})

function writerThat(sees: (feedback: TaskFeedback | undefined, text: string) => void): Agent {
  return agent('writer', async ({ feedback, text }) => {
    sees(feedback, text)
    return { answer: feedback === undefined ? 'First.' : `${feedback.attempt!.result.answer} With sources.` }
  })
}

const reader = agent('reader', async (of) => ({
  answer: of
    .inputs()
    .map(({ key, result }) => `${key}=${result.answer}`)
    .join(),
}))

const PLAN = [task('writer', 'writer', { text: 'Write.' }), task('reader', 'reader', { dependsOn: ['writer'] })]
const REVIEWING = { strategies: [reviewing], roles: [givenPlanner, critic, composer] }
const silent = writerThat(() => undefined)

describeStores('a repeated task', (store) => {
  it('receives the earlier attempt and its feedback; only the trace has the earlier attempt', async () => {
    const seen: (readonly [string | undefined, string | undefined, string])[] = []
    const writer = writerThat((given, text) => seen.push([given?.text, given?.attempt?.result.answer, text]))
    const { engine, run } = openWorld(store(), [writer, reader], REVIEWING)
    const { runId } = await run(PLAN, { strategy: 'reviewing', trace: true })
    expect(seen).toEqual([
      [undefined, undefined, 'Write.'],
      ['Name your sources.', 'First.', 'Write.'],
    ])
    const { answer, agentResults, trace } = responseOf(await engine.events(runId))
    expect(agentResults).toMatchObject([
      { agent: 'writer', task: 'writer', answer: 'First. With sources.' },
      { agent: 'reader', answer: 'writer~2=First. With sources.' },
    ])
    expect(answer).toBe('writer: First. With sources.; reader: writer~2=First. With sources.')
    const again = trace!.filter(({ data }) => data['replaces'] === 'writer')
    expect(again).toMatchObject([
      { agent: 'writer', data: { key: 'writer~2', feedback: 'Name your sources.', by: 'critic' } },
    ])
    expect(trace!.filter((line) => line.agent === 'writer' && line.eventType === 'RESULT')).toHaveLength(2)
  })

  it('continues after a crash with the same feedback', async () => {
    const told: (string | undefined)[] = []
    const stuck = agent('writer', async ({ feedback }) => {
      told.push(feedback?.text)
      if (feedback !== undefined) await new Promise(() => undefined)
      return { answer: 'First.' }
    })
    const { start, crash, next } = openWorld(store(), [stuck, reader], REVIEWING)
    const runId = await start(PLAN, { strategy: 'reviewing' })
    await eventually(() => told.length === 2)
    await eventually(async () =>
      (await store().read(runId)).some((event) => event.type === 'job.started' && event.key === 'writer~2'),
    )
    await crash(60_000)
    const { engine, resume } = next([writerThat((given) => told.push(given?.text)), reader])
    const state = await resume(runId)
    expect(told).toEqual([undefined, 'Name your sources.', 'Name your sources.'])
    expect(agentResultsOf(state).map(({ answer }) => answer)).toEqual([
      'First. With sources.',
      'writer~2=First. With sources.',
    ])
    // The log alone gives the same state.
    expect(latestAttempt(fold(await engine.events(runId)), 'writer')).toMatchObject({
      key: 'writer~2',
      replaces: 'writer',
    })
  })

  it('is ignored in a fork from an earlier event', async () => {
    const { engine, run, end } = openWorld(store(), [silent, reader], REVIEWING)
    const { runId } = await run(PLAN, { strategy: 'reviewing' })
    const forked = await engine.fork(runId, 'critic:1')
    const events = await engine.events(forked)
    const at = events.findIndex((event) => event.type === 'job.settled' && event.key === 'writer')
    expect(latestAttempt(fold(events.slice(0, at + 1)), 'writer')?.key).toBe('writer')
    expect(latestAttempt(await end(forked), 'writer')?.key).toBe('writer~2')
  })
})

describe('messages to a task', () => {
  it('is trusted no more than its author', async () => {
    const stranger = textTool('read_page', 'read', async () => 'Name your sources.', {
      provenance: outsideData('a page'),
      reach: 'inside',
    })
    const reads = defineRole({
      name: 'critic',
      run: async (ctx) => {
        const isGood = ctx.job.key !== 'critic:1'
        return { data: { isGood, text: isGood ? '' : await ctx.call(stranger, '') } }
      },
    })
    const { run } = await memoryEngine([silent], { ...REVIEWING, roles: [givenPlanner, reads, composer] })
    const { jobs } = await run(['writer'], { strategy: 'reviewing' })
    expect(jobs.get('writer')?.result?.provenance.author).toBe('user')
    expect(jobs.get('writer~2')?.result?.provenance).toEqual({
      author: 'outside',
      private: true,
      sources: ['a page'],
    })
  })

  it('cannot replace an attempt that has not settled', async () => {
    const wrong: Strategy = {
      name: 'wrong',
      next: ({ plan }) =>
        plan === undefined ? [planJob(1)] : [{ ...taskJob(plan.plan.tasks[0]!, []), key: 'a~2', replaces: 'a' }],
    }
    const { run } = await memoryEngine([answering('a')], { strategies: [wrong] })
    const { error } = await run(['a'], { strategy: 'wrong' })
    expect(error).toEqual({ type: 'Internal', message: 'Job "a~2" is due before a settled.' })
  })
})

describe('a role whose types are declared', () => {
  it('ends with a clear error when it gives back something else', async () => {
    const planner = defineRole({
      name: 'planner',
      input: z.unknown(),
      data: z.object({ text: z.string() }),
      run: async () => ({ data: { txt: 1 } as never }),
    })
    const { jobs } = await (await memoryEngine([], { roles: [planner, composer] })).run([])
    expect(jobs.get('plan:1')?.result?.error).toEqual({
      type: 'Internal',
      message:
        'The result of "plan:1" is not what the role "planner" declares: text: Invalid input: expected string, received undefined.',
    })
  })

  it('is not believed when another version wrote its result', async () => {
    const { engine, run } = await memoryEngine([silent, reader], REVIEWING)
    const events = await engine.events((await run(PLAN, { strategy: 'reviewing' })).runId)
    const at = events.findIndex((event) => event.type === 'job.settled' && event.key === 'critic:1')
    const older = events
      .slice(0, at + 1)
      .map((event) =>
        event.type === 'job.settled' && event.key === 'critic:1'
          ? { ...event, result: { ...event.result, data: { isGood: 'maybe' } } }
          : event,
      )
    expect(() => reviewing.next(fold(older))).toThrow(
      'The result of "critic:1" is none of the role "critic"; another version may have written it. Ask anew.',
    )
  })
})
