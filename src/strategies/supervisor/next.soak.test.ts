// Soak test: searches every path of a run.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLong } from '../../../test/support/length.ts'
import { request, task } from '../../../test/support/engine-world.ts'
import { inputJobs, type Job } from '../../domain/job.ts'
import type { EventBody } from '../../domain/events.ts'
import type { Task } from '../../domain/plan.ts'
import { agentResultsOf } from '../../domain/agent-results.ts'
import type { Outcome } from '../../domain/result.ts'
import type { RunState } from '../../domain/state.ts'
import { composed, failure, planSet } from '../../../test/support/strategy-events.ts'
import { simulate } from '../../testing/simulate.ts'
import { supervisor } from './next.ts'
import { TABLE } from './table.ts'
import { supervisorProgress, turnsIn } from './turns.ts'
import type { Choice } from './types.ts'

type Act = Outcome & { readonly events?: readonly EventBody[] }
type Route = readonly string[]
/** What the supervisor decides: whom it chooses, and the plan where it sets another one. */
interface Decides extends Pick<Choice, 'isLast' | 'question'> {
  readonly route: Route
  readonly plan?: readonly Task[]
}

const FAILED: Outcome = { status: 'failed', error: failure }
const REFUSED: Outcome = {
  status: 'failed',
  error: { type: 'ApprovalDenied', message: 'Ann denied it.' },
  partial: { reason: 'denied_by_user' },
}
const found = (answer: string): Outcome => ({ status: 'succeeded', answer })
const withGap = (answer: string): Outcome => ({ ...found(answer), unanswered: ['the rest'] })

function decided({ plan }: RunState, { route, plan: tasks, ...more }: Decides): Act {
  const planned = tasks ?? plan!.plan.tasks
  const choice: Choice = {
    route: route.map((id) => ({ task: id, agent: planned.find((one) => one.id === id)?.agent ?? id })),
    planRound: plan!.round + (tasks === undefined ? 0 : 1),
    ...more,
  }
  return { data: choice, ...(tasks === undefined ? {} : { events: [planSet(tasks, undefined, 'supervisor')] }) }
}

interface Case {
  readonly plan: readonly (string | Task)[]
  /** In their order; the last one stays. */
  readonly decides: readonly (Route | Decides | 'fails')[]
  /** By task, one for each attempt; the last one stays. */
  readonly ends?: Readonly<Record<string, readonly Outcome[]>>
  readonly answers?: readonly boolean[]
  readonly interactive?: boolean
  readonly maxTurns?: number
  /** What a person makes of the plan while this job is worked on. */
  readonly edits?: Readonly<Record<string, readonly Task[]>>
  readonly writes?: Readonly<Record<string, string>>
  readonly exhaustedBy?: string
}

function play(given: Case) {
  const { plan, decides, ends = {}, answers = [], interactive = false, edits = {}, writes = {}, maxTurns } = given
  const tasks = plan.map((one) => (typeof one === 'string' ? task(one) : one))
  let [decisions, questions] = [0, 0]
  const attempts = new Map<string, number>()
  const act = (job: Job, state: RunState): Act => {
    if (job.actor === 'preprocess') return { events: [planSet(tasks)] }
    if (job.actor === 'composer') return { events: [composed] }
    if (job.actor === 'clarifier') {
      return answers[questions++] === true ? { data: { question: '?', answer: 'the blue one' } } : FAILED
    }
    if (job.actor === 'supervisor') {
      const next = decides[Math.min(decisions++, decides.length - 1)]!
      return next === 'fails' ? FAILED : decided(state, 'route' in next ? next : { route: next as Route })
    }
    const id = (job.input as Task).id
    const nth = attempts.get(id) ?? 0
    attempts.set(id, nth + 1)
    const list = ends[id] ?? [found(`found ${id}`)]
    return list[Math.min(nth, list.length - 1)]!
  }
  const more = { interactive, ...(maxTurns === undefined ? {} : { maxTurns }) }
  const { jobs, finish, state } = simulate(supervisor, request([], more), (job, state) => {
    const { events = [], ...outcome } = act(job, state)
    const edit = edits[job.key]
    const name = writes[job.key]
    return {
      ...outcome,
      events: [
        ...events,
        ...(edit === undefined ? [] : [planSet(edit, undefined, 'user')]),
        ...(name === undefined ? [] : [{ type: 'shared.set', key: job.key, by: job.actor, name, value: 1 } as const]),
        ...(given.exhaustedBy === job.key ? [{ type: 'budget.exhausted', limit: 'calls', message: '' } as const] : []),
      ],
    }
  })
  const stopped = jobs.findLast(({ actor }) => actor === 'composer')!.input as { stopped?: string } | null
  return {
    order: jobs.map(({ key }) => key.replace('supervisor', 's')).join(' '),
    jobs,
    finish,
    state,
    stopped: stopped?.stopped,
  }
}

const says = (situation: 'earlyAgain' | 'broken' | 'breaker' | 'derailed' | 'unanswered'): string =>
  TABLE[situation].says

/** Tasks `a` to `d` of agent `a`. */
const OF_ONE_AGENT = [task('a'), ...['b', 'c', 'd'].map((id) => task(id, 'a', { text: id }))]

/** The same agent under ever new words: the tasks `t0`, `t1`, …, an end for each, and a turn for each. */
const anew = (count: number): Task[] =>
  Array.from({ length: count }, (_none, n) => task(`t${n}`, 'a', { text: `Try ${n}` }))
const endsOf = (count: number, end: (n: number) => Outcome): Record<string, Outcome[]> =>
  Object.fromEntries(anew(count).map(({ id }, n) => [id, [end(n)]]))
const turnsOf = (count: number): Route[] => anew(count).map(({ id }) => [id])
/** Each turn adds its task to the plan. */
const growing = (count: number): Decides[] => turnsOf(count).map((route, n) => ({ route, plan: anew(n + 1) }))

describe('the supervisor', () => {
  it.each<[string, Case, string, string?]>([
    ['composes at once without a choice', { plan: [], decides: [[]] }, 'plan:1 s:1 compose:1'],
    [
      'respects dependencies among chosen tasks',
      { plan: ['a', task('b', 'b', { dependsOn: ['a'] })], decides: [['a', 'b'], []] },
      'plan:1 s:1 a b s:2 compose:1',
    ],
    [
      'adds a task that a result requires',
      {
        plan: ['a'],
        decides: [['a'], { route: ['c'], plan: [task('a'), task('c')] }, []],
      },
      'plan:1 s:1 a s:2 c s:3 compose:1',
    ],
    [
      'repeats a task instead of its failed attempt',
      { plan: ['a'], ends: { a: [FAILED, found('now')] }, decides: [['a'], ['a'], []] },
      'plan:1 s:1 a s:2 a~2 s:3 compose:1',
    ],
    [
      'the same agent without progress is routed to at most twice',
      {
        plan: OF_ONE_AGENT.slice(0, 3),
        ends: { a: [FAILED], b: [FAILED] },
        decides: [['a'], ['b'], ['c']],
      },
      'plan:1 s:1 a s:2 b s:3 compose:1',
      says('breaker'),
    ],
    [
      'repeated words are no progress',
      {
        plan: OF_ONE_AGENT,
        ends: { a: [found('x')], b: [found('x')], c: [found('x')] },
        decides: [['a'], ['b'], ['c'], ['d'], []],
      },
      'plan:1 s:1 a s:2 b s:3 c s:4 compose:1',
      says('breaker'),
    ],
    ...[[[], 'no '] as const, [[{ day: 1 }], ''] as const].map(([rows, kind]): [string, Case, string, string?] => [
      `a table of ${rows.length} rows is ${kind}progress`,
      {
        plan: OF_ONE_AGENT.slice(0, 3),
        ends: Object.fromEntries(
          ['a', 'b', 'c'].map((id) => [
            id,
            [{ data: { sql: id }, tabular: { columns: ['day', id], rows, rowCount: rows.length, truncated: false } }],
          ]),
        ),
        decides: [['a'], ['b'], ['c'], []],
      },
      rows.length === 0 ? 'plan:1 s:1 a s:2 b s:3 compose:1' : 'plan:1 s:1 a s:2 b s:3 c s:4 compose:1',
      ...((rows.length === 0 ? [says('breaker')] : []) as [string?]),
    ]),
    [
      'a denial is progress when it cites a passage',
      {
        plan: anew(6),
        ends: endsOf(6, (n) => ({
          answer: 'It does not say.',
          sources: [{ kind: 'document', name: 'a.pdf', excerpt: `§ ${n}` }],
        })),
        decides: [...turnsOf(6), []],
      },
      'plan:1 s:1 t0 s:2 t1 s:3 t2 s:4 t3 s:5 t4 s:6 t5 s:7 compose:1',
    ],
    [
      'is not asked again after steps that it declared the last ones',
      { plan: ['a', 'b'], decides: [{ route: ['a', 'b'], isLast: true }] },
      'plan:1 s:1 a b compose:1',
    ],
    [
      'is asked again when one of the last steps failed',
      { plan: ['a', 'b'], ends: { b: [FAILED] }, decides: [{ route: ['a', 'b'], isLast: true }, []] },
      'plan:1 s:1 a b s:2 compose:1',
    ],
    [
      'is asked again when one of the last steps reports a gap, and gives the gap to another agent',
      {
        plan: ['a', 'b'],
        ends: { b: [withGap('half')] },
        decides: [
          { route: ['a', 'b'], isLast: true },
          { route: ['c'], plan: [task('a'), task('b'), task('c')], isLast: true },
        ],
      },
      'plan:1 s:1 a b s:2 c compose:1',
    ],
    [
      'is not asked again about a gap when the turns are used up',
      { plan: ['a'], maxTurns: 1, ends: { a: [withGap('half')] }, decides: [{ route: ['a'], isLast: true }] },
      'plan:1 s:1 a compose:1',
    ],
    [
      'gaps in other words are no progress',
      {
        plan: OF_ONE_AGENT.slice(0, 3),
        ends: { a: [withGap('x')], b: [withGap('y')], c: [withGap('z')] },
        decides: ['a', 'b', 'c'].map((id) => ({ route: [id], isLast: true })),
      },
      'plan:1 s:1 a s:2 b s:3 compose:1',
      says('breaker'),
    ],
    [
      'asks the user what only they know, and continues with the answer',
      {
        plan: [],
        interactive: true,
        answers: [true],
        decides: [{ route: [], question: 'Which?' }, { route: ['a'], plan: [task('a')] }, []],
      },
      'plan:1 s:1 clarifier:1 s:2 a s:3 compose:1',
    ],
    [
      'a new name on the blackboard is progress',
      {
        plan: OF_ONE_AGENT,
        ends: { a: [FAILED], b: [FAILED], c: [FAILED] },
        writes: { a: 'one', b: 'two', c: 'two' },
        decides: [['a'], ['b'], ['c'], ['d'], []],
      },
      'plan:1 s:1 a s:2 b s:3 c s:4 d s:5 compose:1',
    ],
    [
      'a changed plan is progress; repeated changes without results are derailment',
      {
        plan: anew(1),
        ends: endsOf(9, () => FAILED),
        decides: [['t0'], ...growing(9).slice(1)],
      },
      'plan:1 s:1 t0 s:2 t1 s:3 t2 s:4 t3 s:5 compose:1',
      says('derailed'),
    ],
    [
      'repeats no succeeded step, and reports that until the breaker ends a completed run',
      { plan: ['a'], decides: [['a'], ['a']] },
      'plan:1 s:1 a s:2 s:3 s:4 compose:1',
    ],
    ...(['ApprovalDenied', 'ApprovalTimedOut', 'ApprovalExpired', 'EffectUnknown'] as const).map(
      (type): [string, Case, string, string] => [
        `does not repeat for the user a task that ended with ${type}`,
        { plan: ['a'], ends: { a: [{ ...FAILED, error: { type, message: '' } }] }, decides: [['a'], ['a']] },
        'plan:1 s:1 a s:2 s:3 compose:1',
        says('breaker'),
      ],
    ),
    [
      'is asked once more when it leaves parts open, and then continues',
      { plan: ['a', 'b'], decides: [['a'], [], ['b'], []] },
      'plan:1 s:1 a s:2 s:3 b s:4 compose:1',
    ],
    [
      'ends when it leaves parts open twice: it cannot declare the work complete',
      { plan: ['a', 'b'], decides: [['a'], []] },
      'plan:1 s:1 a s:2 s:3 compose:1',
      says('earlyAgain'),
    ],
    [
      'is asked again when it chooses only tasks with open dependencies',
      { plan: ['a', task('b', 'b', { dependsOn: ['a'] })], decides: [['b'], ['a', 'b'], []] },
      'plan:1 s:1 s:2 a b s:3 compose:1',
    ],
    [
      'starts no task that depends on a failed one',
      { plan: ['a', task('b', 'b', { dependsOn: ['a'] })], ends: { a: [REFUSED] }, decides: [['a', 'b'], ['b']] },
      'plan:1 s:1 a s:2 compose:1',
    ],
    [
      'asks the user instead of giving up, and continues with the answer',
      {
        plan: ['a'],
        interactive: true,
        answers: [true],
        ends: { a: [FAILED] },
        decides: [['a'], ['a'], ['a'], { route: ['b'], plan: [task('a'), task('b')] }, []],
      },
      'plan:1 s:1 a s:2 a~2 s:3 clarifier:1 s:4 b s:5 compose:1',
    ],
    [
      'ends without an answer',
      { plan: ['a'], interactive: true, ends: { a: [FAILED] }, decides: [['a']] },
      'plan:1 s:1 a s:2 a~2 s:3 clarifier:1 compose:1',
      says('unanswered'),
    ],
    [
      'asks the user at most twice',
      {
        plan: anew(10),
        interactive: true,
        answers: [true, true, true],
        ends: endsOf(10, () => FAILED),
        decides: turnsOf(10),
      },
      'plan:1 s:1 t0 s:2 t1 s:3 clarifier:1 s:4 t3 s:5 t4 s:6 clarifier:2 s:7 t6 s:8 t7 s:9 compose:1',
      says('breaker'),
    ],
    ['keeps to the turn limit', { plan: ['a', 'b'], maxTurns: 1, decides: [['a', 'b']] }, 'plan:1 s:1 a compose:1'],
    ['ends with the budget', { plan: ['a', 'b'], exhaustedBy: 'a', decides: [['a'], ['b']] }, 'plan:1 s:1 a compose:1'],
    ['ends when the supervisor fails', { plan: ['a'], decides: ['fails'] }, 'plan:1 s:1 compose:1', says('broken')],
    [
      'is asked again when a user changes the plan during its decision',
      { plan: ['a', 'b'], decides: [['a'], ['c'], []], edits: { 'supervisor:1': [task('c')] } },
      'plan:1 s:1 s:2 c s:3 compose:1',
    ],
    [
      'omits a task that a user removes while it runs',
      { plan: ['a', 'b'], decides: [['a', 'b'], []], edits: { a: [task('a')] } },
      'plan:1 s:1 a s:2 compose:1',
    ],
    [
      'runs a task that a user adds during the composition',
      { plan: ['a'], decides: [['a'], [], ['b'], []], edits: { 'compose:1': [task('a'), task('b')] } },
      'plan:1 s:1 a s:2 compose:1 s:3 b s:4 compose:2',
    ],
  ])('%s', (_name, given, order, stopped) => {
    const run = play(given)
    expect(run.order).toBe(order)
    expect(run.stopped).toBe(stopped)
    expect(run.finish).toEqual({ finish: 'answered' })
  })

  it('fails the run when planning failed', () => {
    const { finish } = simulate(supervisor, request([]), () => FAILED)
    expect(finish).toMatchObject({ finish: 'failed', error: { message: 'went wrong' } })
  })

  it('stops four turns after the last new result, for any names of steps and metadata', () => {
    const ended = says('derailed')
    const outcome = (kind: number, n: number, isTable: boolean): Outcome => {
      const rows = [{ n: kind }, { n: 'x' }]
      const data = { sql: `SELECT n -- ${n}`, runId: `run-${n}` }
      if (!isTable) return { ...found(`The well ${'of stone '.repeat(kind)}is deep.`), data }
      const tabular = { columns: ['n'], rows: n % 2 === 0 ? rows : rows.toReversed(), rowCount: 2, truncated: false }
      return { ...found(`In words of turn ${'so '.repeat(n)}`), tabular, data }
    }
    /** Turns until four in a row brought what had been brought before. */
    const expected = (finds: readonly number[]): [number, string | undefined] => {
      let barren = 0
      for (const [n, kind] of finds.entries()) {
        barren = finds.slice(0, n).includes(kind) ? barren + 1 : 0
        if (barren === 4 && n + 1 < finds.length) return [n + 1, ended]
      }
      return [finds.length, undefined]
    }
    const finds = fc.array(fc.nat(5), { minLength: 14, maxLength: 14 })
    fc.assert(
      fc.property(finds, fc.boolean(), (kinds, isTable) => {
        const { order, stopped } = play({
          plan: anew(1),
          ends: endsOf(kinds.length, (n) => outcome(kinds[n]!, n, isTable)),
          decides: [...growing(kinds.length), []],
        })
        expect([order.match(/ t\d+/g)!.length, stopped]).toEqual(expected(kinds))
      }),
    )
  })

  it('stops after four reports of a gap, though each brings other passages, unless they are cited', () => {
    const played = (mark: string) => {
      const gap = (n: number): Outcome => ({
        ...withGap(`No document names it, in words ${'so '.repeat(n)}${mark}.`),
        sources: [{ kind: 'document', name: 'a', excerpt: `Passage ${n}` }],
      })
      const { order, stopped } = play({ plan: anew(1), ends: endsOf(6, gap), decides: [...growing(6), []] })
      return [order.match(/ t\d+/g)!.length, stopped]
    }
    expect(played('')).toEqual([4, says('derailed')])
    expect(played(' [1]')).toEqual([6, undefined])
  })

  it('counts a retry once per turn, for any number of repeated agents', () => {
    const { state } = play({
      plan: ['a', 'b', task('c', 'a', { text: 'C' }), task('d', 'b', { text: 'D' })],
      ends: { a: [FAILED], b: [FAILED], c: [FAILED], d: [FAILED] },
      decides: [['a', 'b'], ['c', 'd'], []],
    })
    expect(supervisorProgress(state, turnsIn(state).slice(0, 2)).retries).toBe(1)
  })
})

/** Takes one path after the other through all that outsiders can do; a state that was seen is not gone on from again. */
class Paths {
  readonly states = new Set<string>()
  paths = 0
  private readonly taken: { value: number; of: number }[] = []
  private at = 0

  /** @param stateOf all that the rest of the path depends on */
  next(of: number, stateOf: () => string): number {
    if (this.at === this.taken.length) {
      const state = stateOf()
      if (this.states.has(state)) throw new Seen()
      this.states.add(state)
      this.taken.push({ value: 0, of })
    }
    return this.taken[this.at++]!.value
  }

  /** Whether there is another path. */
  advance(): boolean {
    this.paths++
    this.at = 0
    while (this.taken.length > 0) {
      const last = this.taken.at(-1)!
      if (++last.value < last.of) return true
      this.taken.pop()
    }
    return false
  }
}

class Seen extends Error {}

/**
 * An independent check of the limits, from the order of jobs alone. Returns jobs that started although the same job had
 * failed twice.
 */
function brokenBy(jobs: readonly Job[], state: RunState): string[] {
  const [asked, known] = [new Set<string>(), new Set<string>()]
  let [retries, round, isNew] = [0, 0, false]
  const wrong: string[] = []
  for (const { key, actor, input } of jobs) {
    const { result, supersededBy } = state.jobs.get(key)!
    const isTask = typeof input === 'object' && input !== null && 'agent' in input
    if (actor === 'supervisor' && supersededBy === undefined && result?.status === 'succeeded') {
      const { route, planRound } = result.data as Choice
      if (isNew || planRound > round) asked.clear()
      if (asked.size === 0) retries = 0
      if (route.some(({ agent }) => asked.has(agent))) retries++
      for (const { agent } of route) asked.add(agent)
      ;[round, isNew] = [planRound, false]
    }
    if (isTask && retries >= 2) wrong.push(key)
    const words = actor === 'clarifier' ? key : isTask ? result?.answer : undefined
    if (result?.status === 'succeeded' && words !== undefined && !known.has(words)) isNew = true
    known.add(words ?? '')
  }
  const { stopped } = (jobs.findLast(({ actor }) => actor === 'composer')!.input ?? {}) as { stopped?: string }
  return stopped === says('breaker') && retries < 2 ? [...wrong, 'stopped too early'] : wrong
}

describe('every path of a run with two agents', () => {
  const ends = [found('one'), FAILED, REFUSED]

  function walk(paths: Paths, more: object) {
    let [changes, budget] = [0, 1]
    return simulate(supervisor, request([], { maxTurns: 3, ...more }), (job, now): Act => {
      const stateOf = (): string => {
        const done = [...now.jobs.values()].map(({ key, result, isOutdated }) => [
          [key, isOutdated, result?.status, result?.answer, result?.error?.type],
          result?.data,
        ])
        return JSON.stringify([job, done, now.plan, now.exhausted, changes, budget])
      }
      const choose = (of: number): number => paths.next(of, stateOf)
      if (job.actor === 'composer') return { events: [composed] }
      if (job.actor === 'preprocess') {
        const dependsOn = choose(2) === 0 ? [] : ['a']
        return { events: [planSet([task('a'), task('b', 'b', { dependsOn })])] }
      }
      if (job.actor === 'clarifier') return choose(2) === 0 ? { data: { question: '?', answer: 'a' } } : FAILED
      if (job.actor === 'supervisor') {
        const { tasks } = now.plan!.plan
        const [first, second] = [tasks.at(-2)!.id, tasks.at(-1)!.id]
        const routes = [[], [first], [second], [first, second]]
        const taken = choose(routes.length + (changes < 1 ? 1 : 0))
        if (taken < routes.length) return decided(now, { route: routes[taken]! })
        changes++
        const kept = tasks.filter(({ id }) => now.jobs.has(id))
        const added = [task('a2', 'a', { text: 'Else' }), task('c', 'a', { text: 'C' })]
        return decided(now, { route: ['c'], plan: [...kept, ...added] })
      }
      const taken = choose(ends.length + budget)
      if (taken < ends.length) return ends[taken]!
      budget = 0
      return { ...FAILED, events: [{ type: 'budget.exhausted', limit: 'calls', message: '' }] }
    })
  }

  it.each([
    ['nobody to ask', { interactive: false }],
    ['somebody to ask', { interactive: true, maxTurns: isLong ? 3 : 2 }],
  ])(
    'ends, stops without progress, and passes on no replaced attempt: %s',
    (name, more) => {
      const paths = new Paths()
      let longest = 0
      do {
        try {
          const { jobs, finish, state } = walk(paths, more)
          longest = Math.max(longest, jobs.length)
          const handedOn = jobs.flatMap((job) => inputJobs(job, state)).filter((job) => job.supersededBy !== undefined)
          const read = agentResultsOf(state).filter(({ task: id, status, answer }) => {
            const last = jobs.findLast((job) => (job.input as Task | null)?.id === id)
            if (last === undefined) return status !== 'pending'
            const { result } = state.jobs.get(last.key)!
            return result?.status !== status || result?.answer !== answer
          })
          const broken = brokenBy(jobs, state)
          expect({ ...finish, handedOn, read, broken }).toEqual({
            finish: 'answered',
            handedOn: [],
            read: [],
            broken: [],
          })
        } catch (thrown) {
          if (!(thrown instanceof Seen)) throw thrown
        }
      } while (paths.advance())
      console.log(`${name}: ${paths.states.size} states, ${paths.paths} paths, ${longest} jobs at most`)
      expect(longest).toBeGreaterThan(8)
    },
    300_000,
  )
})
