import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agent,
  givenPlanner,
  memoryEngine,
  memoryStore,
  openWorld,
  task,
  tellingComposer,
} from '../../../test/support/engine-world.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { GRAPH } from '../../../test/support/test-agents.ts'
import { areStoresBusy, storeWith } from '../../../test/support/watched-store.ts'
import { defineRole, type Agent, type Role } from '../../domain/actor.ts'
import { plannedAttempt } from '../../domain/job.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Plan, Task } from '../../domain/plan.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import { fold, isOver, type RunState } from '../../domain/state.ts'
import type { RunStore } from '../../domain/store.ts'
import { supervisor } from '../../strategies/supervisor/next.ts'
import { supervisorType, type Choice } from '../../strategies/supervisor/types.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'

/** Agents that answer with their task and inputs, and continue when the test releases them. */
class Office {
  readonly begun: string[] = []
  private readonly gates = new Map<string, () => void>()
  private isOpen = false

  readonly agents: readonly Agent[] = ['a', 'b'].map((name) =>
    agent(name, async (given, ctx) => {
      this.begun.push(ctx.job.key)
      if (!this.isOpen) await new Promise<void>((resolve) => this.gates.set(ctx.job.key, resolve))
      const inputs = given.inputs().map(({ result }) => result.answer)
      return { answer: `${name}:${given.text}(${inputs.join()})` }
    }),
  )

  /** Keys of jobs that wait for their release. */
  get waiting(): string[] {
    return [...this.gates.keys()]
  }

  letGo(key: string): void {
    this.gates.get(key)?.()
    this.gates.delete(key)
  }

  openAll(): void {
    this.isOpen = true
    for (const key of this.waiting) this.letGo(key)
  }
}

/** The results of the tasks of a plan that is executed from the start. */
function carriedOut({ tasks }: Plan): Map<string, string> {
  const answers = new Map<string, string>()
  const answerOf = (id: string): string => {
    const one = tasks.find((other) => other.id === id)!
    const answer = answers.get(id) ?? `${one.agent}:${one.text}(${one.dependsOn.map(answerOf).join()})`
    answers.set(id, answer)
    return answer
  }
  for (const { id } of tasks) answerOf(id)
  return answers
}

function resultsOf(state: RunState): Map<string, string | undefined> {
  return new Map(agentResultsOf(state).map((result) => [result.task, result.answer]))
}

const t = (id: string, text: string, dependsOn: string[] = [], name = 'a'): Task => task(id, name, { text, dependsOn })

describeStores('a plan that is changed while it is carried out', (store) => {
  it('cancels what is taken out, does anew what is changed with all that rests on it, and keeps the rest', async () => {
    const office = new Office()
    const { engine, start, end } = openWorld(store(), office.agents, GRAPH)
    const runId = await start([t('x', 'X'), t('y', 'Y'), t('z', 'Z', ['x']), t('gone', 'G')], { strategy: 'graph' })
    await eventually(() => office.waiting.length === 3)
    office.letGo('x')
    office.letGo('y')
    await eventually(() => office.waiting.includes('z'))
    office.letGo('z')
    await eventually(async () => (await engine.state(runId)).jobs.get('z')?.result !== undefined)
    const plan = { tasks: [t('x', 'X, other'), t('y', 'Y'), t('z', 'Z', ['x']), t('new', 'N', ['y'], 'b')] }
    await engine.replan(runId, plan, 'ann')
    office.openAll()
    const state = await end(runId)
    expect(state.status).toBe('finished')
    expect(resultsOf(state)).toEqual(carriedOut(plan))
    expect(office.begun.toSorted()).toEqual(['gone', 'new', 'x', 'x~2', 'y', 'z', 'z~2'])
    expect(state.jobs.get('gone')?.result?.error).toEqual({
      type: 'Cancelled',
      message: 'The plan was changed while this was at work.',
    })
    expect(state.plan).toMatchObject({ by: 'user', rationale: 'Changed by ann.', round: 2 })
    expect(fold(await engine.events(runId))).toEqual(state)
  })

  it('is refused with the tasks named when it cannot be carried out, and the run continues unchanged', async () => {
    const office = new Office()
    const { engine, start, end } = openWorld(store(), office.agents, GRAPH)
    const runId = await start([t('x', 'X')], { strategy: 'graph' })
    await eventually(() => office.waiting.length === 1)
    const change = (tasks: Task[]): Promise<void> => engine.as('local').replan(runId, { tasks }, 'ann')
    await expect(change([t('x', 'X', ['y']), t('y', 'Y', ['x'])])).rejects.toThrow('circle: "x" → "y" → "x"')
    await expect(change([t('x', 'X', ['nobody'])])).rejects.toThrow('task "x" depends on "nobody"')
    await expect(change([t('x', 'X', [], 'stranger')])).rejects.toThrow('task "x" asks for "stranger"')
    await expect(engine.as('eve').replan(runId, { tasks: [] }, 'eve')).rejects.toMatchObject({ code: 'RunNotFound' })
    office.openAll()
    const state = await end(runId)
    expect(state.plan?.by).toBe('planner')
    await expect(change([t('x', 'Z')])).rejects.toMatchObject({ code: 'RunConflict' })
  })

  it('continues the same way when the process dies right after the change', async () => {
    const first = openWorld(store(), new Office().agents, GRAPH)
    const runId = await first.start([t('x', 'X'), t('y', 'Y', ['x']), t('gone', 'G')], { strategy: 'graph' })
    const begun = async (): Promise<number> =>
      (await store().read(runId)).filter(({ type }) => type === 'job.started').length
    await eventually(async () => (await begun()) === 3)
    const plan = { tasks: [t('x', 'other'), t('y', 'Y', ['x'])] }
    // By another process, whose notifications the first one does not receive.
    await first.crash(0)
    const office = new Office()
    const { engine, clock, resume } = first.next(office.agents)
    await engine.replan(runId, plan, 'ann')
    // By now the second process has tried to claim the run; it may not yet.
    await eventually(() => !areStoresBusy())
    await clock.advance(60_000)
    office.openAll()
    const state = await resume(runId)
    expect(resultsOf(state)).toEqual(carriedOut(plan))
    expect(state.jobs.get('gone')?.status).toBe('skipped')
    expect(office.begun).toEqual(['x~2', 'y'])
  })
})

describe('a plan that a person changes while a role makes another one', () => {
  const theirs = { tasks: [t('x', 'theirs')] }
  const own = { tasks: [t('y', 'own', [], 'b')] }

  /** A slow supervisor that sets a plan of its own, and then accepts each later plan. */
  const revising = (mayEnd: Promise<void>): Role =>
    defineRole({
      ...supervisorType,
      async run(ctx) {
        const { plan, round } = ctx.state.plan!
        const routed = (tasks: readonly Task[]): Choice['route'] =>
          tasks.map((one) => ({ agent: one.agent, task: one.id }))
        const open = plan.tasks.filter(({ id }) => !ctx.state.jobs.has(id))
        if (round > 1) return { data: { planRound: round, route: routed(open) } }
        await mayEnd
        ctx.emit({ type: 'plan.set', plan: own, by: 'supervisor', rationale: 'own' })
        return { data: { planRound: round + 1, route: routed(own.tasks) } }
      },
    })

  it.each([
    ['before the role has ended', false],
    ['after it has ended, yet before that is in the log', true],
  ])('stands when it is changed %s', async (_when, isLate) => {
    const store = await memoryStore(new ManualClock())
    const [held, changed, mayEnd] = [gate(), gate(), gate()]
    const append: RunStore['append'] = async (appends, settings) => {
      const isOwn = appends.some(({ events }) =>
        events.some((one) => one.type === 'plan.set' && one.by === 'supervisor'),
      )
      if (isOwn) held.open()
      if (isOwn) await changed.promise
      return store.append(appends, settings)
    }
    const office = new Office()
    office.openAll()
    const { engine, start, end } = openWorld(storeWith(store, { append }), office.agents, {
      strategies: [supervisor],
      roles: [{ ...givenPlanner, name: 'preprocess' }, revising(mayEnd.promise), tellingComposer],
    })
    const runId = await start([t('x', 'X')], { strategy: 'supervisor' })
    await eventually(async () => (await engine.state(runId)).jobs.has('supervisor:1'))
    if (isLate) mayEnd.open()
    if (isLate) await held.promise
    const told = engine.replan(runId, theirs, 'ann')
    await eventually(async () => (await store.read(runId)).some((one) => one.type === 'plan.set' && one.by === 'user'))
    changed.open()
    mayEnd.open()
    await told
    const state = await end(runId)
    expect(state.plan).toMatchObject({ plan: theirs, by: 'user', round: 3 })
    expect(resultsOf(state)).toEqual(carriedOut(theirs))
    expect(fold(await engine.events(runId))).toEqual(state)
  })
})

/** Only the plan of a finished run cannot be changed. */
function refusedAtEnd(thrown: unknown): false {
  if (TuttiError.is(thrown, 'RunConflict')) return false
  throw thrown
}

/** Edits of a user: any tasks, texts, agents and order, without cycles. */
const edited: fc.Arbitrary<Plan> = fc
  .uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.record({
          id: fc.constant(id),
          text: fc.constantFrom('p', 'q'),
          name: fc.constantFrom('a', 'b'),
          on: fc.subarray(ids.filter((other) => other < id)),
        }),
      ),
    ),
  )
  .map((tasks) => ({
    tasks: tasks.map(({ id, text, name, on }) =>
      t(
        `t${id}`,
        text,
        on.map((n) => `t${n}`),
        name,
      ),
    ),
  }))

/** The plan with one changed task: other dependencies, none, or the task is removed. */
function rewired({ tasks }: Plan, { at, on }: { readonly at: number; readonly on: readonly boolean[] | null }): Plan {
  const { id } = tasks[at % tasks.length]!
  if (on === null) {
    const left = tasks.filter((one) => one.id !== id)
    return { tasks: left.map((one) => ({ ...one, dependsOn: one.dependsOn.filter((other) => other !== id) })) }
  }
  // No cycles: a task depends only on tasks with earlier names.
  const dependsOn = tasks.flatMap((one, i) => (one.id < id && on[i] === true ? [one.id] : []))
  return { tasks: tasks.map((one) => (one.id === id ? { ...one, dependsOn } : one)) }
}

type Rewiring = Parameters<typeof rewired>[1]
type Move =
  | { readonly plan: Plan }
  | { readonly rewire: Rewiring }
  | { readonly pick: number }
  | { readonly wait: number }
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ plan: edited }) },
  {
    weight: 3,
    arbitrary: fc.record({
      rewire: fc.record({
        at: fc.nat(5),
        on: fc.option(fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), { freq: 3 }),
      }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ pick: fc.nat(10) }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.nat(6) }) },
)

describe('whatever is changed whenever', () => {
  it('the run ends with what the last plan comes to, nothing else, and the log tells the same', async () => {
    let [changes, rewirings] = [0, 0]
    await fc.assert(
      fc.asyncProperty(edited, fc.array(move, { maxLength: 16 }), async (plan, moves) => {
        const office = new Office()
        const { engine, start, end } = await memoryEngine(office.agents, GRAPH)
        const runId = await start(plan.tasks, { strategy: 'graph' })
        await settled()
        let current = plan
        for (const one of moves) {
          if ('wait' in one) await settled(one.wait)
          else if ('pick' in one) office.letGo(office.waiting[one.pick % Math.max(1, office.waiting.length)] ?? '')
          else {
            const next = 'plan' in one ? one.plan : rewired(current, one.rewire)
            if (next.tasks.length === 0) continue
            const isTaken = await engine.replan(runId, next, 'ann').then(() => true, refusedAtEnd)
            if (isTaken) [current, changes] = [next, changes + 1]
            if (isTaken && 'rewire' in one) rewirings++
          }
        }
        office.openAll()
        const state = await end(runId)
        expect(state.status).toBe('finished')
        expect(resultsOf(state)).toEqual(carriedOut(current))
        for (const { id } of current.tasks) expect(plannedAttempt(state, id)?.status).toBe('succeeded')
        expect(fold(await engine.events(runId))).toEqual(state)
        expect(isOver(state)).toBe(true)
        await engine.close()
      }),
      { numRuns: 150, seed: 7 },
    )
    expect(Math.min(changes, rewirings)).toBeGreaterThan(100)
  }, 120_000)
})
