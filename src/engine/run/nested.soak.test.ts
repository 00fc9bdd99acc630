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
import { humanWaitMs } from '../../domain/human-wait-time.ts'
import {
  agent,
  engineFor,
  eventually,
  FakeModels,
  gate,
  givenPlanner,
  mortal,
  passing,
  request,
  say,
  startEngine,
  task,
  tellingComposer,
  types,
  textTool,
  openWorld,
  untilAtRest,
} from '../../../test/support/engine-world.ts'
import { graph } from '../../strategies/graph/next.ts'
import { pipeline } from '../../strategies/pipeline/next.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'

/** An agent that gives its whole task to a run of its own. */
const team = (tasks: readonly string[], name = 'team'): Agent =>
  agent(name, async (_task, ctx) => {
    const child = await ctx.startRun(request(tasks))
    return { answer: `${child.status}(${child.answer?.text ?? ''})` }
  })

function sender(sent: string[]): Agent {
  const tool = textTool('send', 'irreversible', async (to: string) => {
    sent.push(to)
    return 'sent'
  })
  return agent('sender', async (_task, ctx) => ({ answer: await ctx.call(tool, 'bob') }))
}

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
    const { engine, clock } = openWorld(store(), [team(['a']), agent('a', async () => ({ answer: 'inner' }))])
    const runId = await engine.start(request(['team']))
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe('team=succeeded:finished(a=succeeded:inner)')
    const child = await childOf(store(), runId)
    expect(child).toMatchObject({ parentId: runId, status: 'finished' })
    expect((await engine.state(child.runId)).parent).toEqual({ runId, key: 'team' })
  })

  it('waits for approval at any depth, while all parent runs leave memory', async () => {
    const sent: string[] = []
    const agents = [team(['team'], 'outer'), team(['sender']), sender(sent)]
    const { engine, clock } = openWorld(store(), agents)
    const runId = await engine.start(request(['outer']))
    const middle = await childOf(store(), runId)
    const inner = await childOf(store(), middle.runId)
    for (const id of [runId, middle.runId, inner.runId]) await untilAtRest(store(), id)
    const [approval] = await store().approvals({ status: 'pending', runId: inner.runId })
    await clock.advance(60_000)
    await engine.decide(approval!.approvalId, 'approved', 'ann')
    const state = await passing(clock, engine.outcome(runId))
    const waited = await Promise.all([runId, inner.runId].map(async (id) => humanWaitMs(await engine.events(id))))
    expect(waited[0]).toBe(waited[1])
    expect(waited[0]).toBeGreaterThanOrEqual(60_000)
    expect(state.answer?.text).toBe('outer=succeeded:finished(team=succeeded:finished(sender=succeeded:sent))')
    expect(sent).toEqual(['bob'])
    expect(await store().runs({ parentId: runId })).toHaveLength(1)
  })

  it('is found again by its parent after a process crash', async () => {
    const clock = new ManualClock()
    const sent: string[] = []
    const dying = mortal(store())
    const first = engineFor([team(['sender']), sender(sent)], { store: dying, clock })
    const runId = await first.start(request(['team']))
    const child = await childOf(store(), runId)
    await untilAtRest(store(), child.runId)
    dying.crash()
    await clock.advance(40_000)
    const second = startEngine([team(['sender']), sender(sent)], { store: store(), clock })
    await second.recover()
    const [approval] = await store().approvals({ status: 'pending', runId: child.runId })
    await second.decide(approval!.approvalId, 'approved', 'ann')
    const state = await passing(clock, second.outcome(runId))
    expect(state.answer?.text).toBe('team=succeeded:finished(sender=succeeded:sent)')
    expect(await store().runs({ parentId: runId })).toHaveLength(1)
    expect(sent).toEqual(['bob'])
  })

  it('that was started twice with the same request runs twice', async () => {
    let runs = 0
    const twice = agent('twice', async (_task, ctx) => {
      const children = await Promise.all([ctx.startRun(request(['a'])), ctx.startRun(request(['a']))])
      return { answer: children.map((child) => child.status).join() }
    })
    const { engine, clock } = openWorld(store(), [twice, agent('a', async () => ({ answer: String(++runs) }))])
    const runId = await engine.start(request(['twice']))
    expect((await passing(clock, engine.outcome(runId))).answer?.text).toBe('twice=succeeded:finished,finished')
    expect(runs).toBe(2)
  })

  it('that is cancelled on its own reports to its parent, which continues', async () => {
    const { engine, clock } = openWorld(store(), [team(['sender']), sender([])])
    const runId = await engine.start(request(['team']))
    const child = await childOf(store(), runId)
    await untilAtRest(store(), child.runId)
    await engine.cancel(child.runId, 'ann')
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe('team=succeeded:cancelled()')
  })

  it('is cancelled with its parent, in memory or not', async () => {
    const sent: string[] = []
    const begun = gate()
    const hung = agent('hung', () => {
      begun.open()
      return new Promise(() => undefined)
    })
    const { engine, clock } = openWorld(store(), [team(['sender']), team(['hung'], 'busy'), sender(sent), hung])

    const waiting = await engine.start(request(['team']))
    const waitingChild = await childOf(store(), waiting)
    await untilAtRest(store(), waitingChild.runId)
    await engine.cancel(waiting, 'ann')
    expect((await passing(clock, engine.outcome(waiting))).status).toBe('cancelled')
    expect((await passing(clock, engine.outcome(waitingChild.runId))).status).toBe('cancelled')
    expect(await store().approvals({ runId: waitingChild.runId })).toMatchObject([{ status: 'expired' }])

    const working = await engine.start(request(['busy']))
    const workingChild = await childOf(store(), working)
    await eventually(begun.isOpen)
    await engine.cancel(working, 'ann')
    expect((await passing(clock, engine.outcome(working))).status).toBe('cancelled')
    const child = await passing(clock, engine.outcome(workingChild.runId))
    expect(child).toMatchObject({ status: 'cancelled', cancelling: { by: 'ann' } })
  })

  it.each(['waits on disk', 'is at work', 'was at work in a process that died'] as const)(
    'is cancelled with its parent job when the plan drops that job: the run %s',
    async (how) => {
      const clock = new ManualClock()
      const sent: string[] = []
      const begun = gate()
      const hung = agent('hung', () => {
        begun.open()
        return new Promise(() => undefined)
      })
      const agents = [
        team([how === 'waits on disk' ? 'sender' : 'hung']),
        sender(sent),
        hung,
        agent('a', async () => ({})),
      ]
      const dying = mortal(store())
      const dies = how.endsWith('died')
      const first = dies ? engineFor(agents, { store: dying, clock }) : startEngine(agents, { store: store(), clock })
      const runId = await first.start(request(['team']))
      const child = await childOf(store(), runId)
      if (how === 'waits on disk') await untilAtRest(store(), runId)
      else await eventually(begun.isOpen)
      if (dies) {
        await eventually(async () => (await store().read(child.runId)).some(({ type }) => type === 'job.started'))
        dying.crash()
        await clock.advance(60_000)
      }
      const engine = dies ? startEngine(agents, { store: store(), clock }) : first
      await engine.replan(runId, { tasks: [task('a')] }, 'ann')
      await engine.recover()
      const state = await passing(clock, engine.outcome(runId))
      // It settles where it runs, or when the run is resumed.
      expect(state.answer?.text).toMatch(/^team=(?:failed|skipped):Cancelled a=succeeded:$/)
      const ended = await passing(clock, engine.outcome(child.runId))
      expect(ended).toMatchObject({ status: 'cancelled', cancelling: { by: 'a change of the plan' } })
      expect(await store().approvals({ runId: child.runId, status: 'pending' })).toEqual([])
      expect(sent).toEqual([])
    },
  )

  it('passes on the label of untrusted content', async () => {
    const read = textTool('read', 'read', async () => 'x', { provenance: outsideData('web') })
    const reader = agent('reader', async (_task, ctx) => ({ answer: await ctx.call(read, 'x') }))
    const sent: string[] = []
    const { engine } = openWorld(store(), [team(['reader']), reader, sender(sent)], {
      approvals: { allowsWithoutApproval: () => true },
    })
    const runId = await engine.start(request(['team', 'sender']))
    await eventually(async () => (await store().approvals({ runId, status: 'pending' })).length === 1)
    expect(sent).toEqual([])
    await engine.cancel(runId, 'test')
  })

  it('does not start for a job that was cancelled before', async () => {
    const ready = gate()
    const go = gate()
    const late = agent('late', async (_task, ctx) => {
      ready.open()
      await go.promise
      await ctx.startRun(request([]))
      return {}
    })
    const { engine, clock } = openWorld(store(), [late])
    const runId = await engine.start(request(['late']))
    await eventually(ready.isOpen)
    await engine.cancel(runId, 'ann') // which this process knows of by now
    go.open()
    await passing(clock, engine.outcome(runId))
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
    const { engine, clock } = openWorld(store(), [team(['greedy']), asks('greedy', 9), asks('after', 9)], { models })
    const runId = await engine.start(request(['team', 'after'], { budget: { maxCalls: 10 } }))
    const state = await passing(clock, engine.outcome(runId))
    const child = await engine.state((await childOf(store(), runId)).runId)
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
      const { engine, clock } = openWorld(store(), agents, { models })
      const runId = await engine.start(request(['a', 'e', 'd'], { strategy: 'graph', budget: { maxCalls } }))
      const state = await passing(clock, engine.outcome(runId))
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
      const roles = [givenPlanner, { ...givenPlanner, name: 'master-planner' }, tellingComposer]
      const models = new FakeModels()
      const engine = startEngine(agents, { store: store(), clock, models, roles, strategies: [pipeline, graph] })
      const { maxTurns, ...budget } = limits
      const asked = request(['a', 'b', 'c'], {
        strategy: works[11]! > 1 ? 'graph' : 'pipeline',
        budget,
        ...omitUndefined({ maxTurns }),
      })
      const began = clock.now()
      const runId = await engine.start(asked)
      const state = await passing(clock, engine.outcome(runId))
      expect(state.status).toBe('finished')
      const tree = await treeOf(store(), runId)
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
      const first = isOnDisk
        ? engineFor(agents, { store: store(), clock })
        : startEngine(agents, { store: store(), clock })
      const runId = await first.start(request(['team', 'ten'], { budget: { maxTimeMs: 9_000 } }))
      const child = await childOf(store(), runId)
      expect(child.status).toBe('running')
      await clock.advance(1_000)
      const engine = isOnDisk ? startEngine(agents, { store: store(), clock }) : first
      if (isOnDisk) {
        await first.close()
        await engine.recover()
      }
      const state = await passing(clock, engine.outcome(runId))
      expect(state.exhausted).toEqual({
        limit: 'time',
        message: 'The limit of 9 s is reached; raise maxTimeMs (--timeout).',
      })
      const [began, ended] = [state.startedAt, state.endedAt!].map((at) => Date.parse(at)) as [number, number]
      expect(ended - began).toBeLessThan(12_000)
    },
  )

  it('keeps its reservation after a crash, and is counted once', async () => {
    const clock = new ManualClock()
    const sent: string[] = []
    const asking = agent('asking', async (_task, ctx) => {
      await ctx.ask(say, 'once')
      return {}
    })
    const agents = [team(['asking', 'sender']), asking, sender(sent)]
    const dying = mortal(store())
    const first = engineFor(agents, { store: dying, clock })
    const runId = await first.start(request(['team'], { budget: { maxCalls: 8 } }))
    const child = await childOf(store(), runId)
    await untilAtRest(store(), child.runId)
    dying.crash()
    await clock.advance(40_000)
    const second = startEngine(agents, { store: store(), clock })
    await second.recover()
    const [approval] = await store().approvals({ status: 'pending', runId: child.runId })
    await second.decide(approval!.approvalId, 'approved', 'ann')
    const state = await passing(clock, second.outcome(runId))
    expect((await second.state(child.runId)).request.budget).toEqual({ maxCalls: 4 })
    expect(state.usage.calls).toBe(1)
    expect((await second.events(runId)).filter(({ type }) => type === 'child.finished')).toHaveLength(1)
  })

  it('is refused at the fourth level', async () => {
    const { engine, clock } = openWorld(store(), [
      agent('again', async (_task, ctx) => {
        const child = await ctx.startRun(request(['again']))
        return { answer: child.jobs.get('again')!.result!.error?.message ?? child.jobs.get('again')!.result!.answer! }
      }),
    ])
    const runId = await engine.start(request(['again']))
    const state = await passing(clock, engine.outcome(runId))
    expect(state.answer?.text).toBe(
      'again=succeeded:Runs are nested at most 3 deep; let the team do this without a team of its own.',
    )
    let depth = 0
    for (let id: string | undefined = runId; id !== undefined; depth++)
      id = (await store().runs({ parentId: id }))[0]?.runId
    expect(depth).toBe(4)
  })

  it('of a trial makes no changing call at any depth, whatever the settings allow', async () => {
    const sent: string[] = []
    const written: string[] = []
    const write = textTool('write', 'write', async (text: string) => void written.push(text), { reach: 'inside' })
    const writer = agent('writer', async (_task, ctx) => ({ answer: String(await ctx.call(write, 'x')) }))
    const { engine, clock } = openWorld(
      store(),
      [team(['inner'], 'outer'), team(['sender', 'writer'], 'inner'), sender(sent), writer],
      { approvals: { allowsWithoutApproval: () => true } },
    )
    const trial = await passing(clock, engine.outcome(await engine.start(request(['outer'], { shadow: true }))))
    expect(trial.answer?.text).toContain('sender=failed:ApprovalDenied writer=failed:ApprovalDenied')
    expect([sent, written]).toEqual([[], []])
    const real = await passing(clock, engine.outcome(await engine.start(request(['outer']))))
    expect(real.status).toBe('finished')
    expect([sent, written]).toEqual([['bob'], ['x']])
  })
})
