import { describe, expect, it } from 'vitest'
import { dataOf, defineRole, type Agent, type RoleType, type TaskFeedback } from '../../domain/actor.ts'
import { latestAttempt, type Job } from '../../domain/job.ts'
import { outsideData } from '../../domain/provenance.ts'
import { agentResultsOf, responseOf } from '../../domain/response.ts'
import { fold, isSettled } from '../../domain/state.ts'
import type { RunStore } from '../../domain/store.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { composeThenFinish, latestRound, planJob, stepJob, taskAgain, taskJob } from '../../strategies/steps.ts'
import { z } from 'zod'
import {
  agent,
  engineFor,
  eventually,
  givenPlanner,
  mortal,
  passing,
  request,
  startEngine,
  task,
  textTool,
} from '../../../test/support/engine-world.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { Engine } from '../engine.ts'

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

const REQUEST = request(
  [task('writer', 'writer', { text: 'Write.' }), task('reader', 'reader', { dependsOn: ['writer'] })],
  {
    strategy: 'reviewing',
  },
)

function open(agents: readonly Agent[], store: RunStore, clock: ManualClock): Engine {
  const engine = startEngine(agents, { store, clock, strategies: [reviewing], roles: [givenPlanner, critic, composer] })
  return engine
}

describeStores('a repeated task', (store) => {
  it('receives the earlier attempt and its feedback; its text is as planned', async () => {
    const clock = new ManualClock()
    const seen: (readonly [string | undefined, string | undefined, string])[] = []
    const writer = writerThat((given, text) => seen.push([given?.text, given?.attempt?.result.answer, text]))
    const engine = open([writer, reader], store(), clock)
    const runId = await engine.start(REQUEST)
    await passing(clock, engine.outcome(runId))
    expect(seen).toEqual([
      [undefined, undefined, 'Write.'],
      ['Name your sources.', 'First.', 'Write.'],
    ])
  })

  it('leaves its earlier attempt in the trace only, not in inputs or results', async () => {
    const clock = new ManualClock()
    const engine = open([writerThat(() => undefined), reader], store(), clock)
    const runId = await engine.start({ ...REQUEST, trace: true })
    await passing(clock, engine.outcome(runId))
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
    const clock = new ManualClock()
    const dying = mortal(store())
    const told: (string | undefined)[] = []
    const stuck = agent('writer', async ({ feedback }) => {
      told.push(feedback?.text)
      if (feedback !== undefined) await new Promise(() => undefined)
      return { answer: 'First.' }
    })
    const first = engineFor([stuck, reader], {
      store: dying,
      clock,
      strategies: [reviewing],
      roles: [givenPlanner, critic, composer],
    })
    const runId = await first.start(REQUEST)
    await eventually(() => told.length === 2)
    await eventually(async () =>
      (await store().read(runId)).some((event) => event.type === 'job.started' && event.key === 'writer~2'),
    )
    dying.crash()
    await clock.advance(60_000)
    const second = open([writerThat((given) => told.push(given?.text)), reader], store(), clock)
    await second.resume(runId)
    const state = await passing(clock, second.outcome(runId))
    expect(told).toEqual([undefined, 'Name your sources.', 'Name your sources.'])
    expect(agentResultsOf(state).map(({ answer }) => answer)).toEqual([
      'First. With sources.',
      'writer~2=First. With sources.',
    ])
    // The log alone gives the same state.
    expect(latestAttempt(fold(await second.events(runId)), 'writer')).toMatchObject({
      key: 'writer~2',
      replaces: 'writer',
    })
  })

  it('is ignored in a fork from an earlier event', async () => {
    const clock = new ManualClock()
    const engine = open([writerThat(() => undefined), reader], store(), clock)
    const runId = await engine.start(REQUEST)
    await passing(clock, engine.outcome(runId))
    const forked = await engine.fork(runId, 'critic:1')
    const events = await engine.events(forked)
    const before = events.slice(
      0,
      events.findIndex((event) => event.type === 'job.settled' && event.key === 'writer') + 1,
    )
    expect(latestAttempt(fold(before), 'writer')?.key).toBe('writer')
    const state = await passing(clock, engine.outcome(forked))
    expect(latestAttempt(state, 'writer')?.key).toBe('writer~2')
  })
})

describe('messages to a task', () => {
  it('is trusted no more than its author', async () => {
    const clock = new ManualClock()
    const stranger = textTool('read_page', 'read', async () => 'Name your sources.', {
      provenance: outsideData('a page'),
      reach: 'inside',
    })
    const reads = defineRole({
      name: 'critic',
      run: async (ctx) => ({
        data:
          ctx.job.key === 'critic:1'
            ? { isGood: false, text: await ctx.call(stranger, '') }
            : { isGood: true, text: '' },
      }),
    })
    const { createMemoryStorage } = await import('../../storage/index.ts')
    const { store } = await createMemoryStorage({ clock, onError: () => undefined })
    const writer = writerThat(() => undefined)
    const engine = startEngine([writer], {
      store,
      clock,
      strategies: [reviewing],
      roles: [givenPlanner, reads, composer],
    })
    const state = await passing(
      clock,
      engine.outcome(await engine.start(request(['writer'], { strategy: 'reviewing' }))),
    )
    expect(state.jobs.get('writer')?.result?.provenance.author).toBe('user')
    expect(state.jobs.get('writer~2')?.result?.provenance).toEqual({
      author: 'outside',
      private: true,
      sources: ['a page'],
    })
  })

  it('cannot replace an attempt that has not settled', async () => {
    const clock = new ManualClock()
    const wrong: Strategy = {
      name: 'wrong',
      next: ({ plan }) =>
        plan === undefined ? [planJob(1)] : [{ ...taskJob(plan.plan.tasks[0]!, []), key: 'a~2', replaces: 'a' }],
    }
    const { createMemoryStorage } = await import('../../storage/index.ts')
    const { store } = await createMemoryStorage({ clock, onError: () => undefined })
    const engine = startEngine([agent('a', async () => ({}))], { store, clock, strategies: [wrong] })
    const state = await passing(clock, engine.outcome(await engine.start(request(['a'], { strategy: 'wrong' }))))
    expect(state.error).toEqual({ type: 'Internal', message: 'Job "a~2" is due before a settled.' })
  })
})
