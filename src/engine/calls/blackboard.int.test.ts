import { expect, it } from 'vitest'
import { agent, givenPlanner, openWorld, task, textTool } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { defineRole, type ActorContext, type Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { ownData, outsideData } from '../../domain/provenance.ts'
import { responseOf } from '../../domain/response.ts'
import { isSettled } from '../../domain/state.ts'
import type { RunStore } from '../../domain/store.ts'
import type { Strategy } from '../../domain/strategy.ts'
import { composeThenFinish, planJob, taskAgain, taskJob } from '../../strategies/steps.ts'

const page = textTool('read_page', 'read', async () => 'words of a stranger', {
  provenance: outsideData('a page'),
  reach: 'inside',
})

type Act = (ctx: ActorContext) => Promise<string | void>

/** Agents one after the other, in the order in which they are given. */
async function inTurn(store: RunStore, acts: Readonly<Record<string, Act>>, strategy?: Strategy) {
  const agents: Agent[] = Object.entries(acts).map(([name, act]) =>
    agent(name, async (_task, ctx) => ({ answer: (await act(ctx)) ?? '' })),
  )
  const names = Object.keys(acts)
  const tasks = names.map((name, i) => task(name, name, { dependsOn: i === 0 ? [] : [names[i - 1]!] }))
  const { engine, run } = openWorld(store, agents, strategy === undefined ? {} : { strategies: [strategy] })
  const state = await run(tasks, { strategy: strategy?.name ?? 'graph', trace: true })
  const events = await engine.events(state.runId)
  return { state, events }
}

describeStores('the blackboard', (store) => {
  it('holds author and provenance of each entry, and a reader inherits the provenance', async () => {
    const { state, events } = await inTurn(store(), {
      a: async ({ shared }) => shared.set('city', { name: 'Bonn' }),
      b: async (ctx) => {
        await ctx.call(page, '')
        // The writer claims to be trusted.
        ctx.shared.set('claim', 'so they say', { author: 'user', private: false, sources: [] })
        ctx.shared.set('sum', 7, ownData('books'))
      },
      c: async ({ shared }) =>
        `${JSON.stringify(shared.get('city'))} of ${shared.names().join()} and ${shared.get('none')}`,
      d: async ({ shared }) => String(shared.get('claim')),
    })
    expect(state.shared.get('city')).toMatchObject({ by: 'a', key: 'a', value: { name: 'Bonn' } })
    expect(state.shared.get('claim')).toMatchObject({ by: 'b', provenance: outsideData('a page') })
    expect(state.shared.get('sum')?.provenance).toEqual({
      author: 'outside',
      private: true,
      sources: ['a page', 'books'],
      outside: ['a page'],
    })
    expect(state.jobs.get('c')?.result).toMatchObject({ answer: '{"name":"Bonn"} of city,claim,sum and undefined' })
    expect(state.jobs.get('d')?.result).toMatchObject({ answer: 'so they say', provenance: { author: 'outside' } })
    expect(responseOf(events).trace!.filter(({ message }) => message.includes('blackboard'))).toHaveLength(3)
  })

  it('keeps nothing of an attempt that failed', async () => {
    const { state } = await inTurn(store(), {
      a: async ({ shared, attempt, send }) => {
        shared.set(`by ${attempt}`, attempt)
        send('all', 'note', `attempt ${attempt}`)
        throw new TuttiError('Internal', 'No.')
      },
    })
    expect(state.shared.size + state.messages.length).toBe(0)
  })

  it('drops the entries of a superseded attempt and restores the earlier ones', async () => {
    const again: Strategy = {
      name: 'again',
      planner: 'planner',
      next(run) {
        if (run.plan === undefined) return [planJob(1)]
        const [first, second] = run.plan.plan.tasks
        if (!isSettled(run.jobs.get(first!.id))) return [taskJob(first!, [])]
        if (!isSettled(run.jobs.get(second!.id))) return [taskJob(second!, [])]
        if (!isSettled(run.jobs.get(`${second!.id}~2`)))
          return [taskAgain(run, second!, [], { by: 'check', text: 'no' })]
        return composeThenFinish(run)
      },
    }
    const heard: unknown[] = []
    const { state } = await inTurn(
      store(),
      {
        a: async ({ shared }) => shared.set('x', 1),
        b: async ({ shared, job, send, messages }) => {
          heard.push([shared.get('x'), shared.get('y'), messages().map(({ content }) => content)])
          send('all', 'note', job.key)
          if (job.replaces !== undefined) return
          shared.set('x', 2)
          shared.set('x', 3)
          shared.set('y', 4)
        },
      },
      again,
    )
    expect(heard).toEqual([
      [1, undefined, []],
      [1, undefined, []],
    ])
    expect([...state.shared.values()].map(({ name, value, by }) => [name, value, by])).toEqual([['x', 1, 'a']])
    expect(state.messages.map(({ content }) => content)).toEqual(['b', 'b~2'])
  })
})

describeStores('messages', (store) => {
  it('reach their recipient, and are in the trace with their step', async () => {
    const { state, events } = await inTurn(store(), {
      a: async ({ send }) => {
        for (let n = 1; n <= 7; n++) send('c', 'task', `do ${n}`)
        send('b', 'feedback', 'not so')
      },
      b: async (ctx) => {
        await ctx.call(page, '')
        ctx.send('all', 'result', 'done')
        return ctx
          .messages()
          .map(({ from, kind, content }) => `${from} ${kind} ${content}`)
          .join()
      },
      c: async ({ messages }) =>
        `${messages(2).length}: ${messages()
          .map(({ content }) => content)
          .join()}`,
    })
    expect(state.jobs.get('b')?.result?.answer).toBe('a feedback not so')
    expect(state.jobs.get('c')?.result).toMatchObject({
      answer: '2: do 4,do 5,do 6,do 7,done',
      provenance: { author: 'outside' },
    })
    const trace = responseOf(events).trace!.filter(({ data }) => data['sender'] !== undefined)
    expect(trace).toHaveLength(9)
    expect(trace.find(({ data }) => data['receiver'] === 'b')).toMatchObject({
      eventType: 'MESSAGE',
      agent: 'a',
      data: { sender: 'a', receiver: 'b', type: 'feedback', content: 'not so', step_id: 0 },
    })
  })
})

describeStores('a large value', (store) => {
  it('is shown by reference, kind, size and start, and opened whole', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => ({ n, name: `customer ${n}` }))
    let seen: unknown
    const finder = agent('finder', async (_task, ctx) => {
      ctx.shared.set('list', rows)
      ctx.shared.set('small', [1])
      return { tabular: { columns: ['n', 'name'], rows, rowCount: rows.length } }
    })
    const reader = agent('reader', async (_task, { artifacts }) => {
      seen = artifacts.values()
      const table = artifacts.open('result:finder') as { rows: unknown[] }
      expect(artifacts.open('shared:list')).toEqual(rows)
      expect(artifacts.open('shared:small')).toEqual([1])
      expect(() => artifacts.open('result:nobody')).toThrow(
        'There is no value "result:nobody" in this run. There is: result:finder, shared:list.',
      )
      return { answer: String(table.rows.length) }
    })
    const composer = defineRole({
      name: 'composer',
      async run({ emit, artifacts }) {
        emit({ type: 'answer.composed', answer: String(artifacts.values().length), by: 'fallback' })
        return {}
      },
    })
    const { run } = openWorld(store(), [finder, reader], { roles: [givenPlanner, composer] })
    const plan = ['finder', task('reader', 'reader', { dependsOn: ['finder'] })]
    const state = await run(plan, { strategy: 'graph' })
    expect(state.jobs.get('reader')?.result).toMatchObject({ status: 'succeeded', answer: '300' })
    expect(state.answer?.text).toBe('2')
    expect(seen).toEqual([
      {
        ref: 'result:finder',
        kind: 'table',
        size: JSON.stringify({ columns: ['n', 'name'], rows, rowCount: 300 }).length,
        head: expect.stringMatching(/^\["n","name"\]\n\{"n":0,"name":"customer 0"\}\n.*\}…$/s),
      },
      {
        ref: 'shared:list',
        kind: 'list',
        size: JSON.stringify(rows).length,
        head: expect.stringContaining('customer 0'),
      },
    ])
  })
})
