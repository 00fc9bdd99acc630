import { expect, it } from 'vitest'
import type { EventBody } from '../../domain/events.ts'
import { BY_USER, outsideData } from '../../domain/provenance.ts'
import { agent, openWorld, request, task, textTool, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { GRAPH } from '../../../test/support/test-agents.ts'

const page = textTool('page', 'read', async () => 'text', { provenance: outsideData('web') })
const broken = agent('broken', () => Promise.reject(new Error('out of order')))
const misled = agent('misled', async (_task, ctx) => {
  await ctx.call(page, '')
  throw new Error('no use')
})

describeStores('a job that is to be skipped', (store) => {
  function world() {
    const asked: string[] = []
    const counting = agent('counting', async ({ id }) => ({ answer: String(asked.push(id)) }))
    const agents = [broken, counting, misled].map((one) => ({ ...one, limits: { retries: 0 } }))
    return { ...openWorld(store(), agents, GRAPH), began: asked }
  }

  const plan = [
    task('a', 'broken'),
    task('b', 'counting', { dependsOn: ['a'] }),
    task('c', 'counting', { dependsOn: ['b'] }),
    task('d', 'counting'),
  ]

  it('is settled with the reason, without its actor, and the run continues', async () => {
    const { engine, run, began } = world()
    const state = await run(plan, { strategy: 'graph' })
    expect(state.status).toBe('finished')
    expect(began).toEqual(['d'])
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
    const { run } = world()
    const tasks = [task('a', 'misled'), task('b', 'counting', { dependsOn: ['a'] })]
    const state = await run(tasks, { strategy: 'graph' })
    expect(state.jobs.get('b')!.result!.provenance).toMatchObject({ author: 'outside' })
  })

  it('is skipped after a restart, too, when its start alone was written', async () => {
    const { engine, clock, began } = world()
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
    expect(began).toEqual(['d'])
  })

  it('does not wait for a free place among the jobs in flight', async () => {
    const { run } = world()
    const many = Array.from({ length: 12 }, (_, i) => task(`s${i}`, 'counting', { dependsOn: ['a'] }))
    const state = await run([task('a', 'broken'), ...many], { strategy: 'graph' })
    expect(state.status).toBe('finished')
    expect([...state.jobs.values()].filter(({ status }) => status === 'skipped')).toHaveLength(12)
  })
})
