import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventBody, RunEvent } from '../../domain/events.ts'
import type { Job } from '../../domain/job.ts'
import type { Task } from '../../domain/plan.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { RunRequest } from '../../domain/request.ts'
import type { Outcome } from '../../domain/result.ts'
import { applyEvent, fold, isSettled, type RunState } from '../../domain/state.ts'
import { isFinish, MAX_JOBS, type Strategy } from '../../domain/strategy.ts'
import { request, task } from '../../../test/support/engine-world.ts'
import { composed, failure, modelCall, planSet } from '../../../test/support/strategy-events.ts'
import { simulate } from '../../testing/simulate.ts'
import { graph } from './next.ts'
import { pipeline } from '../pipeline/next.ts'
import { planOnly } from '../plan-only.ts'

/** How a task ends on its own: `partial` is a failure that left something behind, `idle` an agent with nothing to do. */
type Ends = 'succeeded' | 'unsure' | 'failed' | 'partial' | 'idle' | 'refused'
type Edges = Readonly<Record<string, readonly string[]>>

const OUTCOMES: Readonly<Record<Ends, Outcome>> = {
  succeeded: { status: 'succeeded' },
  failed: { status: 'failed', error: failure },
  partial: { status: 'failed', error: failure, partial: { rows: 3 } },
  unsure: { status: 'succeeded', confidence: 0.2 },
  idle: { status: 'skipped' },
  refused: {
    status: 'failed',
    error: { type: 'ApprovalDenied', message: 'Ann denied it.', details: { tool: 'send', reason: 'denied_by_user' } },
    partial: { reason: 'denied_by_user' },
  },
}

const tasksOf = (edges: Edges): Task[] =>
  Object.entries(edges).map(([id, dependsOn]) => task(id, id, { dependsOn: [...dependsOn] }))

interface Case {
  readonly edges: Edges
  readonly ends?: Readonly<Record<string, Ends>>
  readonly more?: Edges
  readonly confidence?: number
  readonly maxTurns?: number
  readonly exhaustedBy?: string
}

/** One job at a time; what is skipped is marked with `-`. */
function play({ edges, ends = {}, more = {}, confidence, maxTurns, exhaustedBy }: Case) {
  const given = request([], maxTurns === undefined ? {} : { maxTurns })
  const { jobs, finish, state } = simulate(graph, given, (job) => {
    if (job.actor === 'master-planner') {
      return {
        events: [
          modelCall(job.key),
          planSet(tasksOf(job.key === 'plan:1' ? edges : { ...edges, ...more }), confidence),
        ],
      }
    }
    if (job.actor === 'composer') return { events: [composed] }
    if (job.skip !== undefined) return { status: 'skipped', error: job.skip }
    const used: EventBody[] = exhaustedBy === job.key ? [{ type: 'budget.exhausted', limit: 'calls', message: '' }] : []
    return { ...OUTCOMES[ends[job.key] ?? 'succeeded'], events: used }
  })
  return { order: jobs.map((job) => `${job.skip === undefined ? '' : '-'}${job.key}`).join(' '), jobs, finish, state }
}

const CHAIN: Edges = { rag: [], code: ['rag'], mail: ['code'] }
const DIAMOND: Edges = { rag: [], web: [], code: ['rag', 'web'] }

describe('the graph', () => {
  it.each<[string, Case, string]>([
    [
      'runs tasks in order of readiness, not of the plan',
      { edges: { mail: ['rag'], rag: [] } },
      'plan:1 rag mail compose:1',
    ],
    [
      'gives the reason of a refusal to the tasks that depend on it',
      { edges: CHAIN, ends: { rag: 'refused' } },
      'plan:1 rag code mail compose:1',
    ],
    ['keeps to the turn limit', { edges: { a: [], b: [], c: [] }, maxTurns: 2 }, 'plan:1 a b compose:1'],
    [
      'does not count skipped tasks as turns',
      { edges: { a: [], b: ['a'], c: ['a'], d: [] }, ends: { a: 'failed' }, maxTurns: 2 },
      'plan:1 a -b -c d compose:1',
    ],
    ['stops at the budget', { edges: CHAIN, exhaustedBy: 'rag' }, 'plan:1 rag compose:1'],
    [
      'plans again, once, when its confidence was low and all tasks failed',
      { edges: CHAIN, ends: { rag: 'failed', b: 'failed' }, confidence: 0.4, more: { b: [] } },
      'plan:1 rag -code -mail plan:2 b compose:1',
    ],
    [
      'does not plan again at the threshold',
      { edges: { a: [] }, ends: { a: 'failed' }, confidence: 0.5, more: { b: [] } },
      'plan:1 a compose:1',
    ],
    [
      'plans again, once, when its confidence was low and a part is unanswered',
      { edges: { a: [], b: [] }, ends: { a: 'failed' }, confidence: 0.1, more: { c: [] } },
      'plan:1 a b plan:2 c compose:1',
    ],
    [
      'plans again, once, when the confidence of a result was low and a part is unanswered',
      { edges: { a: [], b: [] }, ends: { a: 'failed', b: 'unsure' }, more: { c: [] } },
      'plan:1 a b plan:2 c compose:1',
    ],
    [
      'does not plan again when its confidence was high and a task succeeded, nor after a refused call',
      { edges: { a: [], b: [] }, ends: { a: 'refused', b: 'unsure' }, confidence: 0.1, more: { c: [] } },
      'plan:1 a b compose:1',
    ],
    [
      'does not plan again when an agent had nothing to do',
      { edges: { a: [], b: [] }, ends: { a: 'failed', b: 'idle' }, confidence: 0.1, more: { c: [] } },
      'plan:1 a b compose:1',
    ],
    [
      'does not plan again without turns or budget',
      { edges: { a: [] }, ends: { a: 'failed' }, confidence: 0.1, more: { b: [] }, maxTurns: 1 },
      'plan:1 a compose:1',
    ],
  ])('%s', (_name, given, expected) => {
    const { order, finish } = play(given)
    expect(order).toBe(expected)
    expect(finish).toEqual({ finish: 'answered' })
  })

  it('names the failed dependencies of skipped tasks', () => {
    const { jobs } = play({ edges: DIAMOND, ends: { rag: 'failed', web: 'idle' } })
    expect(jobs.find((job) => job.key === 'code')?.skip).toEqual({
      type: 'DependencyFailed',
      message: 'Task "code" was not run, since nothing came of what it needs: "rag" failed, "web" had nothing to do.',
    })
  })

  it('returns all ready tasks at once, within the turn limit, together with the skipped ones', () => {
    const edges = { a: [], b: [], c: [], d: ['x'], x: [] }
    const names = (of: RunRequest): string[] => {
      const state = started(of)
      settle(state, 'plan:1', {}, [planSet(tasksOf(edges))])
      settle(state, 'x', OUTCOMES.failed)
      return (graph.next(state) as Job[]).map((job) => `${job.skip === undefined ? '' : '-'}${job.key}`)
    }
    expect(names(request([]))).toEqual(['a', 'b', 'c', '-d'])
    expect(names(request([], { maxTurns: 3 }))).toEqual(['a', 'b', '-d'])
  })

  it('returns at most `MAX_JOBS` tasks of a long list, after those that run', () => {
    const state = started(request([]))
    settle(state, 'plan:1', {}, [planSet(Array.from({ length: 99 }, (_, i) => task(`t${i}`)))])
    const first = graph.next(state) as Job[]
    expect(first.map(({ key }) => key)).toEqual(Array.from({ length: MAX_JOBS }, (_, i) => `t${i}`))
    settle(state, 't3', {})
    expect((graph.next(state) as Job[]).at(-1)?.key).toBe(`t${MAX_JOBS}`)
  })

  it('continues skipping a task that the log had as started when the process died', () => {
    const state = started(request([]))
    settle(state, 'plan:1', {}, [planSet(tasksOf({ a: [], b: ['a'] }))])
    settle(state, 'a', OUTCOMES.failed)
    push(state, { type: 'job.started', key: 'b', actor: 'b', attempt: 1, task: task('b', 'b', { dependsOn: ['a'] }) })
    expect(graph.next(state)).toMatchObject([{ key: 'b', skip: { type: 'DependencyFailed' } }])
  })

  it('fails with the planner’s or the composer’s error', () => {
    const fails = (actor: string) =>
      simulate(graph, request([]), (job) => {
        if (job.actor === actor) return { status: 'failed', error: failure }
        return { events: [planSet([])] }
      }).finish
    expect(fails('master-planner')).toEqual({ finish: 'failed', error: failure })
    expect(fails('composer')).toEqual({ finish: 'failed', error: failure })
  })
})

describe('every graph of up to four tasks, with any results', () => {
  // The strategy treats a refusal as a failure, as the table has it.
  const statuses = ['succeeded', 'failed', 'partial', 'idle'] as const
  const outcomes = (n: number): Ends[][] =>
    n === 0 ? [[]] : outcomes(n - 1).flatMap((before) => statuses.map((status) => [...before, status]))

  /** All graphs whose edges lead from a later task to an earlier one. */
  function* graphs(n: number): Generator<Edges> {
    const pairs = Array.from({ length: n }, (_, i) => Array.from({ length: i }, (_, j) => [i, j] as const)).flat()
    for (let mask = 0; mask < 1 << pairs.length; mask++) {
      const chosen = pairs.filter((_pair, bit) => (mask >> bit) & 1)
      yield Object.fromEntries(
        Array.from({ length: n }, (_, i) => [`t${i}`, chosen.filter(([from]) => from === i).map(([, to]) => `t${to}`)]),
      )
    }
  }

  it('starts the right tasks and skips the rest', () => {
    let cases = 0
    for (let n = 0; n <= 4; n++) {
      for (const edges of graphs(n)) {
        for (const ends of outcomes(n)) {
          cases++
          const named = Object.fromEntries(ends.map((end, i) => [`t${i}`, end]))
          const { order, finish } = play({ edges, ends: named })
          if (order !== expectedOrder(edges, named) || finish.finish !== 'answered') {
            throw new Error(`${JSON.stringify({ edges, ends })} went ${order}`)
          }
        }
      }
    }
    expect(cases).toBe(1 + 4 + 2 * 16 + 8 * 64 + 64 * 256)
  })

  /** Said another way: in passes over the plan, whatever is ready first; of use are successes and parts. */
  function expectedOrder(edges: Edges, ends: Readonly<Record<string, Ends>>): string {
    const order: string[] = ['plan:1']
    const useful = new Map<string, boolean>()
    for (;;) {
      const next = Object.keys(edges).find((id) => !useful.has(id) && edges[id]!.every((before) => useful.has(before)))
      if (next === undefined) break
      const skipped = edges[next]!.length > 0 && edges[next]!.every((before) => useful.get(before) === false)
      order.push(`${skipped ? '-' : ''}${next}`)
      useful.set(next, !skipped && (ends[next] === 'succeeded' || ends[next] === 'partial'))
    }
    return [...order, 'compose:1'].join(' ')
  }
})

describe('any graph, with its jobs ending in any order', () => {
  /** Edges to earlier tasks, how each ends, and the order in which jobs in flight settle. */
  const world = fc.integer({ min: 1, max: 10 }).chain((n) =>
    fc.record({
      edges: fc.tuple(...Array.from({ length: n }, (_, i) => fc.subarray(Array.from({ length: i }, (_, j) => j)))),
      ends: fc.array(fc.constantFrom(...(Object.keys(OUTCOMES) as Ends[])), { minLength: n, maxLength: n }),
      shuffled: fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i),
        { minLength: n, maxLength: n },
      ),
      maxTurns: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    }),
  )
  type World = typeof world extends fc.Arbitrary<infer W> ? W : never

  function run({ edges, ends, shuffled, maxTurns }: World, picks: readonly number[]) {
    // The plan may name a task before those it depends on.
    const all = Object.fromEntries(shuffled.map((i) => [`t${i}`, edges[i]!.map((j) => `t${j}`)]))
    const state = started(request([], maxTurns === undefined ? {} : { maxTurns }))
    settle(state, 'plan:1', {}, [planSet(tasksOf(all))])
    const inFlight: Job[] = []
    let startedTasks = 0
    for (let step = 0; ; step++) {
      const decision = graph.next(state)
      if (isFinish(decision)) return { state, finish: decision, all, startedTasks }
      for (const job of decision) {
        if (state.jobs.has(job.key)) continue
        for (const key of job.dependsOn ?? []) expect(isSettled(state.jobs.get(key))).toBe(true)
        begin(state, job)
        if (job.skip !== undefined) settle(state, job.key, { status: 'skipped', error: job.skip })
        else inFlight.push(job)
        if (job.actor !== 'composer' && job.skip === undefined) startedTasks++
      }
      if (inFlight.length === 0) continue
      const [job] = inFlight.splice((picks[step] ?? 0) % inFlight.length, 1)
      if (job!.actor === 'composer') settle(state, job!.key, {}, [composed])
      else settle(state, job!.key, OUTCOMES[ends[Number(job!.key.slice(1))]!])
    }
  }

  const picks = fc.array(fc.nat(), { minLength: 24, maxLength: 24 })

  it('starts nothing early, settles everything, and keeps the turn limit', () => {
    fc.assert(
      fc.property(world, picks, (given, order) => {
        const { state, finish, all, startedTasks } = run(given, order)
        expect(finish).toEqual({ finish: 'answered' })
        expect(startedTasks).toBeLessThanOrEqual(given.maxTurns ?? Infinity)
        const open = Object.keys(all).filter((id) => !isSettled(state.jobs.get(id)))
        expect(given.maxTurns === undefined ? open : []).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('gives the same result for any order of ends', () => {
    const outcome = ({ state }: { state: RunState }): Record<string, string> =>
      Object.fromEntries([...state.jobs].map(([key, job]) => [key, job.status]).sort())
    fc.assert(
      fc.property(world, picks, picks, ({ maxTurns: _all, ...given }, one, other) => {
        const unlimited = { ...given, maxTurns: undefined }
        expect(outcome(run(unlimited, one))).toEqual(outcome(run(unlimited, other)))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a plan-only request', () => {
  it.each([
    ['pipeline', 'planner'],
    ['graph', 'master-planner'],
  ] as const)('asks for %s the %s and ends', (name, planner) => {
    const strategy = planOnly([pipeline, graph].find((one) => one.name === name)!)
    const { jobs, finish } = simulate(strategy, request([]), () => ({ events: [planSet(tasksOf(CHAIN))] }))
    expect(jobs.map(({ key, actor }) => [key, actor])).toEqual([['plan:1', planner]])
    expect(finish).toEqual({ finish: 'answered' })
    const failed = simulate(strategy, request([]), () => ({ status: 'failed', error: failure }))
    expect(failed.finish).toEqual({ finish: 'failed', error: failure })
  })

  it('is refused without any job by a strategy that starts without a plan', () => {
    const eager: Strategy = { name: 'eager', next: () => [{ key: 'mail', actor: 'mail', input: null }] }
    const { jobs, finish } = simulate(planOnly(eager), request([]), () => ({}))
    expect(jobs).toEqual([])
    expect(finish).toMatchObject({ finish: 'failed', error: { type: 'InvalidRequest' } })
  })
})

function started(given: RunRequest): RunState {
  return fold([{ type: 'run.started', request: given, runId: 'r', seq: 1, at: new Date(0).toISOString(), v: 1 }])
}

function push(state: RunState, body: EventBody): void {
  applyEvent(state, { ...body, runId: 'r', seq: state.seq + 1, at: new Date(0).toISOString(), v: 1 } as RunEvent)
}

function begin(state: RunState, { key, actor, input }: Job): void {
  const about = key.includes(':') ? {} : { task: input as Task }
  push(state, { type: 'job.started', key, actor, attempt: 1, ...about })
}

function settle(state: RunState, key: string, outcome: Outcome, events: readonly EventBody[] = []): void {
  if (!state.jobs.has(key)) begin(state, { key, actor: key, input: task(key) })
  for (const event of events) push(state, event)
  push(state, {
    type: 'job.settled',
    key,
    result: { status: 'succeeded', ...outcome, provenance: BY_USER, latencyMs: 0 },
  })
}
