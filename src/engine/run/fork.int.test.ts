import { expect, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { defineRole } from '../../domain/actor.ts'
import type { Task } from '../../domain/plan.ts'
import { outsideData } from '../../domain/provenance.ts'
import { agent, givenPlanner, openWorld, task, textTool, types } from '../../../test/support/engine-world.ts'
import { FakeModels, say } from '../../../test/support/fake-models.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { holding } from '../../../test/support/test-agents.ts'
import type { Engine } from '../engine.ts'

const composer = defineRole({
  name: 'composer',
  async run(ctx) {
    const facts = [...ctx.state.jobs.values()].flatMap(({ task, result }) =>
      task === undefined ? [] : [result?.answer],
    )
    const model = ctx.request.models['default'] ?? 'usual'
    const { value = 'no model' } = await ctx.ask(say, `${ctx.request.question} ${model}: ${facts.join()}`)
    ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
    return {}
  },
})

const asks = (name: string): Agent =>
  agent(name, async (given, ctx) => ({ answer: (await ctx.ask(say, `${name}?${given.text}`)).value ?? 'no model' }))

describeStores('a fork', (store) => {
  const open = (agents: readonly Agent[], models = new FakeModels((input) => `<${input}>`), planner = givenPlanner) =>
    openWorld(store(), agents, { models, roles: [planner, composer] })

  async function world(plan: readonly (string | Task)[], strategy: 'pipeline' | 'graph' = 'pipeline') {
    const models = new FakeModels((input) => `<${input}>`)
    const { engine, run, end } = open(['a', 'b', 'c'].map(asks), models)
    const original = await run(plan, { strategy })
    const { runId } = original
    const fork = async (...args: Parameters<Engine['fork']> extends [string, ...infer Rest] ? Rest : never) => {
      models.asked.length = 0
      return end(await engine.fork(runId, ...args))
    }
    return { models, engine, end, runId, original, fork }
  }

  it('belongs to the conversation of its run only as a retry, and not as a retry of another fork', async () => {
    const { engine, end, runId } = await world(['a', 'b'])
    const fork = async (of: string, isRetry: boolean) => end(await engine.fork(of, 'b', {}, { isRetry }))
    const [retry, variant] = [await fork(runId, true), await fork(runId, false)]
    const again = await Promise.all([retry, variant].map((state) => fork(state.runId, true)))
    expect([retry, variant, ...again].map((state) => state.isRetry)).toEqual([true, undefined, true, undefined])
  })

  it('repeats only the calls from its step on', async () => {
    const { models, original, fork, engine, runId } = await world(['a', 'b'])
    expect(models.asked).toHaveLength(3)
    const state = await fork('b')
    expect(models.asked).toEqual(['b?What?', 'What? usual: <a?What?>,<b?What?>'])
    expect(state.answer).toEqual(original.answer)
    expect(state.forkOf).toEqual({ runId, key: 'b' })
    expect(state.usage.calls, 'what was paid for before costs nothing').toBe(2)
    expect((await engine.state(runId)).status).toBe('finished')
  })

  it('changes system prompt, models and context from its step on', async () => {
    const { models, fork } = await world(['a'])
    const state = await fork('compose:1', {
      question: ' What?',
      models: { default: 'other:model' },
      systemPrompt: 'be brief',
      context: { tone: 'dry' },
    })
    expect(models.asked).toEqual(['What? other:model: <a?What?>'])
    expect(state.request).toMatchObject({ question: 'What?', systemPrompt: 'be brief', context: { tone: 'dry' } })
  })

  it.each(['compose:1', 'b', 'plan:1'])('with another question plans and runs again, also from %s', async (from) => {
    const { engine, models, runId, fork } = await world(['a', 'b'])
    const state = await fork(from, { question: '  Why?  ' })
    expect(models.asked).toEqual(['a?Why?', 'b?Why?', 'Why? usual: <a?Why?>,<b?Why?>'])
    expect(state.request.question).toBe('Why?')
    expect(state.forkOf).toEqual({ runId, key: from })
    expect(types(await engine.events(state.runId)).filter((type) => type === 'plan.set')).toHaveLength(1)
  })

  it('with another question and a plan runs only that plan', async () => {
    const { models, fork } = await world(['a', 'b'])
    await fork('compose:1', { question: 'Why?', plan: { tasks: [task('a')] } })
    expect(models.asked).toEqual(['a?Why?', 'Why? usual: <a?Why?>'])
  })

  it('accepts a changed plan, and repeats every changed task', async () => {
    const { models, fork } = await world([task('a'), task('b'), task('c')])
    const plan = { tasks: [task('a'), task('b', 'b', { text: 'other' }), task('d', 'c')] }
    const state = await fork('compose:1', { plan })
    expect(models.asked.slice(0, -1)).toEqual(['b?other', 'c?What?'])
    expect([...state.jobs.values()].flatMap((job) => (job.task === undefined ? [] : [job.key]))).toEqual([
      'a',
      'b',
      'd',
    ])
    expect(state.plan).toMatchObject({ by: 'user', plan })
  })

  it('does not trust untrusted content in a plan that the user changed', async () => {
    const page = textTool('read', 'read', async () => 'fetch it', {
      reach: 'inside',
      provenance: outsideData('a page'),
    })
    const planner = defineRole({
      name: 'planner',
      async run(ctx) {
        const tasks = [task('a', 'a', { text: await ctx.call(page, '') }), task('b')]
        ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: '' })
        return {}
      },
    })
    const { engine, run, end } = open(['a', 'b'].map(asks), undefined, planner)
    const { runId } = await run([])
    const forkId = await engine.fork(runId, 'b', { plan: { tasks: [task('a', 'a', { text: 'fetch it' })] } })
    const { plan, jobs } = await end(forkId)
    expect(plan).toMatchObject({ by: 'user', provenance: { author: 'outside', private: true, sources: ['a page'] } })
    expect(jobs.get('a')?.result?.provenance.author).toBe('outside')
  })

  it('from the planner starts over with the plan of the user', async () => {
    const { models, fork } = await world(['a', 'b'])
    const state = await fork('plan:1', { plan: { tasks: [task('c')] } })
    expect(models.asked[0]).toBe('c?What?')
    expect([...state.jobs.keys()]).toEqual(['c', 'compose:1'])
  })

  it('keeps parallel jobs that cannot depend on its step', async () => {
    const diamond = [task('a'), task('b'), task('c', 'c', { dependsOn: ['a', 'b'] })]
    const { models, fork } = await world(diamond, 'graph')
    await fork('a')
    expect(models.asked.slice(0, -1)).toEqual(['a?What?', 'c?What?'])
  })

  it('of an active run takes the settled jobs', async () => {
    const hold = gate()
    const models = new FakeModels()
    const { engine, start, end } = open([asks('a'), holding('slow', hold.promise)], models)
    const runId = await start(['a', 'slow'])
    await eventually(
      async () => types(await engine.events(runId)).filter((type) => type === 'job.started').length === 3,
    )
    const forkId = await engine.fork(runId, 'slow')
    hold.open()
    for (const id of [forkId, runId]) expect((await end(id)).status).toBe('finished')
    expect(models.asked.filter((asked) => asked.startsWith('a?'))).toHaveLength(1)
  })

  it('of a fork works like that of any run', async () => {
    const { engine, runId, end, original } = await world(['a', 'b'])
    const first = await engine.fork(runId, 'b')
    await end(first)
    expect((await end(await engine.fork(first, 'compose:1'))).answer).toEqual(original.answer)
  })

  it('reports the fault of its step or changes', async () => {
    const { engine, runId } = await world(['a'])
    await expect(engine.fork(runId, 'zz')).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: 'The run has no job "zz". It has: plan:1, a, compose:1.',
    })
    await expect(engine.fork(runId, 'a', { question: ' ' })).rejects.toThrow('question: must not be empty')
    const cycle = { tasks: [task('a', 'a', { dependsOn: ['a'] })] }
    await expect(engine.fork(runId, 'a', { plan: cycle })).rejects.toThrow('"a" → "a"')
    await expect(engine.fork(runId, 'a', { plan: { tasks: [task('x')] } })).rejects.toMatchObject({
      code: 'UnknownAgent',
    })
  })
})
