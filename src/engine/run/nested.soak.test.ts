// Soak test: tries combinations of limits of nested runs.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Agent } from '../../domain/actor.ts'
import { sleep } from '../../shared/clock.ts'
import type { RunEvent } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import { outsideData } from '../../domain/provenance.ts'
import { fold, type RunState } from '../../domain/state.ts'
import type { RunStore } from '../../domain/store.ts'
import { agent, givenPlanner, openWorld, request, task, textTool, types } from '../../../test/support/engine-world.ts'
import { FakeModels, say } from '../../../test/support/fake-models.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ALLOWED, answering, GRAPH, hanging, Outbox, team } from '../../../test/support/test-agents.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { pipeline } from '../../strategies/pipeline/next.ts'

const childOf = (store: RunStore, parentId: string) => eventually(async () => (await store.runs({ parentId }))[0])

/** One limit at a time, or several. */
const limitsOf = fc
  .record(
    {
      maxTurns: fc.integer({ min: 1, max: 14 }),
      maxCalls: fc.integer({ min: 1, max: 12 }),
      maxTokens: fc.integer({ min: 20, max: 300 }),
      maxCostUsd: fc.integer({ min: 2, max: 30 }).map((cents) => cents / 100),
      maxTimeMs: fc.integer({ min: 1_000, max: 20_000 }),
    },
    { requiredKeys: [] },
  )
  .filter((limits) => Object.keys(limits).length > 0)

/** The time that a run needs to end after its limit, because the test clock advances in steps. */
const LATE_MS = 3_000

async function treeOf(store: RunStore, runId: string): Promise<readonly RunState[]> {
  const below = await Promise.all((await store.runs({ parentId: runId })).map((one) => treeOf(store, one.runId)))
  return [fold(await store.read(runId)), ...below.flat()]
}

const limitIn = ({ request: { budget, maxTurns } }: RunState, kind: string): number =>
  ({ ...budget, maxTurns })[kind as 'maxCalls'] ?? Infinity

/** The remaining limits of a run when it started a child, summed up from its log, without its state. */
function leftAt(events: readonly RunEvent[], childId: string): Readonly<Record<string, number | undefined>> {
  const at = events.findIndex((event) => event.type === 'child.started' && event.childId === childId)
  const [first] = events
  if (first?.type !== 'run.started') throw new Error('No start.')
  const { budget, maxTurns } = first.request
  const left: Record<string, number | undefined> = { ...budget, ...omitUndefined({ maxTurns }) }
  const take = (kind: string, value: number): void => {
    left[kind] = (left[kind] ?? Infinity) - value
  }
  for (const event of events.slice(0, at)) {
    if (event.type === 'job.started' && event.task !== undefined) take('maxTurns', 1)
    if (event.type === 'child.finished') take('maxTurns', event.turns ?? 0)
    const usage = event.type === 'call.finished' || event.type === 'child.finished' ? event.usage : undefined
    if (event.type === 'call.finished') take('maxCalls', event.requests ?? 0)
    if (event.type === 'child.finished') take('maxCalls', event.usage.calls)
    take('maxTokens', (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0))
    take('maxCostUsd', usage?.costUsd ?? 0)
  }
  const last = events[at - 1]!
  take('maxTimeMs', Date.parse(last.at) - Date.parse(first.at) - LATE_MS)
  return left
}

describeStores('a nested run', (store) => {
  it('is a separate run and returns its state to its parent job', async () => {
    const { engine, run } = openWorld(store(), [team(['a']), answering('a', 'inner')])
    const { runId, answer } = await run(['team'])
    expect(answer?.text).toBe('team=succeeded:finished(a=succeeded:inner)')
    const child = await childOf(store(), runId)
    expect(child).toMatchObject({ parentId: runId, status: 'finished' })
    expect((await engine.state(child.runId)).parent).toEqual({ runId, key: 'team' })
  })

  it('waits for approval at any depth, while all parent runs leave memory', async () => {
    const outbox = new Outbox()
    const agents = [team(['team'], 'outer'), team(['sender']), outbox.agent()]
    const { clock, start, rest, decide, end } = openWorld(store(), agents)
    const runId = await start(['outer'])
    const middle = await childOf(store(), runId)
    const inner = await childOf(store(), middle.runId)
    for (const id of [runId, middle.runId, inner.runId]) await rest(id)
    await clock.advance(60_000)
    await decide(inner.runId)
    const state = await end(runId)
    expect(state.answer?.text).toBe('outer=succeeded:finished(team=succeeded:finished(sender=succeeded:sent to bob))')
    expect(outbox.sent).toEqual(['bob'])
    expect(await store().runs({ parentId: runId })).toHaveLength(1)
  })

  it('is found again by its parent after a process crash; its reservation stays, and it is counted once', async () => {
    const outbox = new Outbox()
    const asking = agent('asking', async (_task, ctx) => {
      await ctx.ask(say, 'once')
      return {}
    })
    const agents = [team(['asking', 'sender']), asking, outbox.agent()]
    const first = openWorld(store(), agents)
    const runId = await first.start(['team'], { budget: { maxCalls: 8 } })
    const child = await childOf(store(), runId)
    await first.rest(child.runId)
    await first.crash()
    const { engine, decide, end } = first.next()
    await engine.recover()
    await decide(child.runId)
    const state = await end(runId)
    expect(state.answer?.text).toContain('sender=succeeded:sent to bob')
    expect(await store().runs({ parentId: runId })).toHaveLength(1)
    expect(outbox.sent).toEqual(['bob'])
    expect((await engine.state(child.runId)).request.budget).toEqual({ maxCalls: 4 })
    expect(state.usage.calls).toBe(1)
    expect(types(await engine.events(runId)).filter((type) => type === 'child.finished')).toHaveLength(1)
  })

  it('that was started twice with the same request runs twice', async () => {
    let runs = 0
    const twice = agent('twice', async (_task, ctx) => {
      const children = await Promise.all([ctx.startRun(request(['a'])), ctx.startRun(request(['a']))])
      return { answer: children.map((child) => child.status).join() }
    })
    const { run } = openWorld(store(), [twice, agent('a', async () => ({ answer: String(++runs) }))])
    expect((await run(['twice'])).answer?.text).toBe('twice=succeeded:finished,finished')
    expect(runs).toBe(2)
  })

  it('that is cancelled on its own reports to its parent, which continues', async () => {
    const { engine, start, rest, end } = openWorld(store(), [team(['sender']), new Outbox().agent()])
    const runId = await start(['team'])
    const child = await childOf(store(), runId)
    await rest(child.runId)
    await engine.cancel(child.runId, 'ann')
    expect((await end(runId)).answer?.text).toBe('team=succeeded:cancelled()')
  })

  it.each(['waits on disk', 'is at work'])('is cancelled with its parent, when it %s', async (how) => {
    const begun = gate()
    const agents = [team([how === 'is at work' ? 'hung' : 'sender']), new Outbox().agent(), hanging('hung', begun.open)]
    const { engine, start, rest, end } = openWorld(store(), agents)
    const runId = await start(['team'])
    const child = await childOf(store(), runId)
    if (how === 'is at work') await eventually(begun.isOpen)
    else await rest(child.runId)
    await engine.cancel(runId, 'ann')
    expect((await end(runId)).status).toBe('cancelled')
    expect(await end(child.runId)).toMatchObject({ status: 'cancelled', cancelling: { by: 'ann' } })
    const approvals = await store().approvals({ runId: child.runId })
    expect(approvals.map(({ status }) => status)).toEqual(how === 'is at work' ? [] : ['expired'])
  })

  it.each(['waits on disk', 'is at work', 'was at work in a process that died'] as const)(
    'is cancelled with its parent job when the plan drops that job: the run %s',
    async (how) => {
      const outbox = new Outbox()
      const begun = gate()
      const inner = how === 'waits on disk' ? 'sender' : 'hung'
      const agents = [team([inner]), outbox.agent(), hanging('hung', begun.open), answering('a', '')]
      const first = openWorld(store(), agents)
      const runId = await first.start(['team'])
      const child = await childOf(store(), runId)
      if (how === 'waits on disk') await first.rest(runId)
      else await eventually(begun.isOpen)
      const dies = how.endsWith('died')
      if (dies) {
        await eventually(async () => types(await store().read(child.runId)).includes('job.started'))
        await first.crash(60_000)
      }
      const { engine, end } = dies ? first.next() : first
      await engine.replan(runId, { tasks: [task('a')] }, 'ann')
      await engine.recover()
      // It settles where it runs, or when the run is resumed.
      expect((await end(runId)).answer?.text).toMatch(/^team=(?:failed|skipped):Cancelled a=succeeded:$/)
      expect(await end(child.runId)).toMatchObject({
        status: 'cancelled',
        cancelling: { by: 'a change of the plan' },
      })
      expect(await store().approvals({ runId: child.runId, status: 'pending' })).toEqual([])
      expect(outbox.sent).toEqual([])
    },
  )

  it('passes on the label of untrusted content', async () => {
    const read = textTool('read', 'read', async () => 'x', { provenance: outsideData('web') })
    const reader = agent('reader', async (_task, ctx) => ({ answer: await ctx.call(read, 'x') }))
    const outbox = new Outbox()
    const agents = [team(['reader']), reader, outbox.agent()]
    const { engine, start, asked } = openWorld(store(), agents, { approvals: ALLOWED })
    const runId = await start(['team', 'sender'])
    await asked(runId)
    expect(outbox.sent).toEqual([])
    await engine.cancel(runId, 'test')
  })

  it('does not start for a job that was cancelled before', async () => {
    const [ready, go] = [gate(), gate()]
    const late = agent('late', async (_task, ctx) => {
      ready.open()
      await go.promise
      await ctx.startRun(request([]))
      return {}
    })
    const { engine, start, end } = openWorld(store(), [late])
    const runId = await start(['late'])
    await eventually(ready.isOpen)
    await engine.cancel(runId, 'ann') // which this process knows of by now
    go.open()
    await end(runId)
    expect(types(await engine.events(runId))).not.toContain('child.started')
    expect(await store().runs({ parentId: runId })).toEqual([])
  })

  it('gets at most half of the remaining budget, and its usage counts for its parent', async () => {
    const models = new FakeModels()
    const asks = (name: string, times: number): Agent =>
      agent(name, async (_task, ctx) => {
        for (let n = 0; n < times; n++) await ctx.ask(say, `${name} ${n}`)
        return {}
      })
    const { engine, run } = openWorld(store(), [team(['greedy']), asks('greedy', 9), asks('after', 9)], { models })
    const state = await run(['team', 'after'], { budget: { maxCalls: 10 } })
    const child = await engine.state((await childOf(store(), state.runId)).runId)
    expect(child.request.budget).toEqual({ maxCalls: 5 })
    expect(child.usage.calls).toBe(5)
    expect(child.exhausted?.limit).toBe('calls')
    expect(state.usage).toMatchObject({ calls: 10, inputTokens: 100 })
    expect(models.asked).toHaveLength(10)
    expect(state.childBudgets.size).toBe(0)
  })

  it.each(Array.from({ length: 12 }, (_none, seed) => seed))(
    'and all its siblings and descendants stay within the limits of the root run (%i)',
    async (seed) => {
      const random = fc.sample(fc.array(fc.nat(4), { minLength: 12, maxLength: 12 }), { numRuns: 1, seed })[0]!
      const [limit = 0, ...tries] = random
      const maxCalls = 1 + limit * 3
      const models = new FakeModels()
      const busy = (name: string, at: number, inner: readonly string[]): Agent =>
        agent(name, async (_task, ctx) => {
          const asking = Array.from({ length: tries[at]! }, (_none, n) => ctx.ask(say, `${name} ${n}`))
          if (inner.length > 0) await ctx.startRun(request(inner))
          await Promise.all(asking)
          return {}
        })
      const agents = [
        busy('a', 0, ['b', 'c']),
        busy('b', 1, ['c', 'd']),
        busy('c', 2, ['d']),
        busy('d', 3, []),
        busy('e', 4, ['c', 'd']),
      ]
      const { run } = openWorld(store(), agents, { models })
      const state = await run(['a', 'e', 'd'], { strategy: 'graph', budget: { maxCalls } })
      expect(state.status).toBe('finished')
      expect(models.asked.length).toBeLessThanOrEqual(maxCalls)
      expect(state.usage.calls).toBe(models.asked.length)
    },
  )

  it.each(Array.from({ length: 20 }, (_none, seed) => seed))(
    'no run in the tree has a higher limit than its parent had left, alone or in sum (%i)',
    async (seed) => {
      const clock = new ManualClock()
      const size = { minLength: 12, maxLength: 12 }
      const [limits, works] = fc.sample(fc.tuple(limitsOf, fc.array(fc.nat(3), size)), { numRuns: 1, seed })[0]!
      const busy = (name: string, at: number, inner: readonly string[]): Agent =>
        agent(name, async (_task, ctx) => {
          for (let n = 0; n < works[at]!; n++) await ctx.ask(say, `${name} ${n}`)
          await sleep(clock, works[at + 5]! * 1_000, ctx.signal)
          // It asks for more than there can be.
          const wished = { strategy: 'graph', maxTurns: 50, budget: { maxCalls: 500, maxTimeMs: 900_000 } }
          if (inner.length > 0) await ctx.startRun(request(inner, wished))
          return {}
        })
      const agents = [
        busy('a', 0, ['b', 'c']),
        busy('b', 1, ['c', 'd']),
        busy('c', 2, ['d', 'd2']),
        busy('d', 3, []),
        busy('d2', 4, []),
      ]
      const models = new FakeModels()
      const { engine, run } = openWorld(store(), agents, {
        clock,
        models,
        roles: [givenPlanner, ...GRAPH.roles],
        strategies: [pipeline, ...GRAPH.strategies],
      })
      const { maxTurns, ...budget } = limits
      const began = clock.now()
      const state = await run(['a', 'b', 'c'], {
        strategy: works[11]! > 1 ? 'graph' : 'pipeline',
        budget,
        ...omitUndefined({ maxTurns }),
      })
      expect(state.status).toBe('finished')
      const tree = await treeOf(store(), state.runId)
      expect(tree.length).toBe(new Set(tree.map((one) => one.runId)).size)
      for (const parent of tree) {
        for (const child of tree.filter((one) => one.parent?.runId === parent.runId)) {
          const left = leftAt(await engine.events(parent.runId), child.runId)
          for (const [kind, value = Infinity] of Object.entries(left))
            expect(limitIn(child, kind), `${kind} of ${child.runId}`).toBeLessThanOrEqual(value)
        }
      }
      const started = tree.flatMap(({ jobs }) => [...jobs.values()].filter(({ task: its }) => its !== undefined))
      expect(started.length).toBe(state.turns)
      expect(state.usage.calls).toBe(models.asked.length)
      const used = { maxTurns: started.length, maxCalls: state.usage.calls, maxCostUsd: state.usage.costUsd }
      const tokens = state.usage.inputTokens + state.usage.outputTokens
      const all = { ...used, maxTokens: tokens, maxTimeMs: clock.now() - began - LATE_MS }
      for (const [kind, value] of Object.entries(limits))
        expect(all[kind as keyof typeof all], kind).toBeLessThanOrEqual(value)
    },
  )

  it.each([false, true])(
    'keeps the time limit of its parent, also of one that was on disk (%s) meanwhile',
    async (isOnDisk) => {
      const clock = new ManualClock()
      const sleeper = (name: string, ms: number): Agent =>
        agent(name, async (_task, ctx) => {
          await sleep(clock, ms, ctx.signal)
          return {}
        })
      const agents = [team(['six']), sleeper('six', 6_000), sleeper('ten', 10_000)]
      const first = openWorld(store(), agents, { clock })
      const runId = await first.start(['team', 'ten'], { budget: { maxTimeMs: 9_000 } })
      const child = await childOf(store(), runId)
      expect(child.status).toBe('running')
      await clock.advance(1_000)
      const { engine, end } = isOnDisk ? first.next() : first
      if (isOnDisk) {
        await first.engine.close()
        await engine.recover()
      }
      const state = await end(runId)
      expect(state.exhausted).toEqual({
        limit: 'time',
        message: 'The limit of 9 s is reached; raise maxTimeMs (--timeout).',
      })
      const [began, ended] = [state.startedAt, state.endedAt!].map((at) => Date.parse(at)) as [number, number]
      expect(ended - began).toBeLessThan(12_000)
    },
  )

  it('is refused at the fourth level', async () => {
    const { run } = openWorld(store(), [
      agent('again', async (_task, ctx) => {
        const child = await ctx.startRun(request(['again']))
        return { answer: child.jobs.get('again')!.result!.error?.message ?? child.jobs.get('again')!.result!.answer! }
      }),
    ])
    const { runId, answer } = await run(['again'])
    expect(answer?.text).toBe(
      'again=succeeded:Runs are nested at most 3 deep; let the team do this without a team of its own.',
    )
    let depth = 0
    for (let id: string | undefined = runId; id !== undefined; depth++)
      id = (await store().runs({ parentId: id }))[0]?.runId
    expect(depth).toBe(4)
  })

  it('of a trial makes no changing call at any depth, whatever the settings allow', async () => {
    const outbox = new Outbox()
    const written: string[] = []
    const write = textTool('write', 'write', async (text: string) => void written.push(text), { reach: 'inside' })
    const writer = agent('writer', async (_task, ctx) => ({ answer: String(await ctx.call(write, 'x')) }))
    const agents = [team(['inner'], 'outer'), team(['sender', 'writer'], 'inner'), outbox.agent(), writer]
    const { run } = openWorld(store(), agents, { approvals: ALLOWED })
    const trial = await run(['outer'], { shadow: true })
    expect(trial.answer?.text).toContain('sender=failed:ApprovalDenied writer=failed:ApprovalDenied')
    expect([outbox.sent, written]).toEqual([[], []])
    const real = await run(['outer'])
    expect(real.status).toBe('finished')
    expect([outbox.sent, written]).toEqual([['bob'], ['x']])
  })
})
