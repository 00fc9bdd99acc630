import { expect, it } from 'vitest'
import { defineRole, type Role } from '../../domain/actor.ts'
import type { EventBody } from '../../domain/events.ts'
import { BY_USER, outsideData } from '../../domain/provenance.ts'
import { graph } from '../../strategies/graph/next.ts'
import {
  agent,
  givenPlanner,
  outcomeOf,
  request,
  task,
  types,
  textTool,
  openWorld,
} from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'

const masterPlanner: Role = defineRole({ ...givenPlanner, name: 'master-planner' })
const composer: Role = defineRole({
  name: 'composer',
  async run(ctx) {
    ctx.emit({ type: 'answer.composed', answer: 'done', by: 'fallback' })
    return {}
  },
})

const broken = agent('broken', () => Promise.reject(new Error('out of order')), { limits: { retries: 0 } })
const page = textTool('page', 'read', async () => 'text', { provenance: outsideData('web') })

describeStores('a job that is to be skipped', (store) => {
  function world(asked: string[] = []) {
    const counting = agent('counting', async ({ id }) => {
      asked.push(id)
      return { answer: id }
    })
    const misled = agent('misled', async (_task, ctx) => {
      await ctx.call(page, '')
      throw new Error('no use')
    })
    const { engine, clock } = openWorld(store(), [broken, counting, { ...misled, limits: { retries: 0 } }], {
      strategies: [graph],
      roles: [masterPlanner, composer],
    })
    return { engine, clock, asked }
  }

  const plan = [
    task('a', 'broken'),
    task('b', 'counting', { dependsOn: ['a'] }),
    task('c', 'counting', { dependsOn: ['b'] }),
    task('d', 'counting'),
  ]

  it('is settled with the reason, without its actor, and the run continues', async () => {
    const { engine, clock, asked } = world()
    const state = await outcomeOf(engine, clock, request(plan, { strategy: 'graph' }))
    expect(state.status).toBe('finished')
    expect(asked).toEqual(['d'])
    expect([...state.jobs.values()].map(({ key, status }) => `${key} ${status}`)).toEqual([
      'plan:1 succeeded',
      'a failed',
      'd succeeded',
      'b skipped',
      'c skipped',
      'compose:1 succeeded',
    ])
    expect(state.jobs.get('c')!.result).toMatchObject({
      status: 'skipped',
      error: { type: 'DependencyFailed', message: expect.stringContaining('"b" was not run') },
      latencyMs: 0,
    })
    const log = await engine.events(state.runId)
    expect(types(log).filter((type) => type === 'job.started')).toHaveLength(6)
  })

  it('keeps the mark of what it depends on', async () => {
    const { engine, clock } = world()
    const tasks = [task('a', 'misled'), task('b', 'counting', { dependsOn: ['a'] })]
    const state = await outcomeOf(engine, clock, request(tasks, { strategy: 'graph' }))
    expect(state.jobs.get('b')!.result!.provenance).toMatchObject({ author: 'outside' })
  })

  it('is skipped after a restart, too, when its start alone was written', async () => {
    const { engine, clock, asked } = world()
    const at = new Date(clock.now()).toISOString()
    const given = request(plan, { strategy: 'graph' })
    const result = { provenance: BY_USER, latencyMs: 0 } as const
    const failed = { ...result, status: 'failed', error: { type: 'Internal', message: 'x' } } as const
    const log: EventBody[] = [
      { type: 'run.started', request: given },
      { type: 'job.started', key: 'plan:1', actor: 'master-planner', attempt: 1 },
      { type: 'plan.set', plan: { tasks: plan }, by: 'planner', rationale: '' },
      { type: 'job.settled', key: 'plan:1', result: { ...result, status: 'succeeded' } },
      { type: 'job.started', key: 'a', actor: 'broken', attempt: 1, task: plan[0]! },
      { type: 'job.settled', key: 'a', result: failed },
      { type: 'job.started', key: 'b', actor: 'counting', attempt: 1, task: plan[1]!, dependsOn: ['a'] },
    ]
    const runId = crypto.randomUUID()
    const events = log.map((event) => ({ ...event, at }))
    await store().append([{ runId, afterSeq: 0, events, status: 'running' }], { durable: true })
    expect(await engine.resume(runId)).toBe('over')
    const state = await engine.state(runId)
    expect(state.status).toBe('finished')
    expect(state.jobs.get('b')!.status).toBe('skipped')
    expect(asked).toEqual(['d'])
  })

  it('does not wait for a free place among the jobs in flight', async () => {
    const { engine, clock } = world()
    const many = Array.from({ length: 12 }, (_, i) => task(`s${i}`, 'counting', { dependsOn: ['a'] }))
    const state = await outcomeOf(engine, clock, request([task('a', 'broken'), ...many], { strategy: 'graph' }))
    expect(state.status).toBe('finished')
    expect([...state.jobs.values()].filter(({ status }) => status === 'skipped')).toHaveLength(12)
  })
})
