import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { request, task } from '../../../test/support/engine-world.ts'
import { inputJobs, type Job } from '../../domain/job.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import type { EventBody } from '../../domain/events.ts'
import type { Outcome } from '../../domain/result.ts'
import type { RunState } from '../../domain/state.ts'
import type { Finish } from '../../domain/strategy.ts'
import { simulate } from '../../testing/simulate.ts'
import { errorKind } from './errors.ts'
import { review } from './next.ts'
import { NEXT_STEPS, STEPS, type StepOutcome, type Step } from './table.ts'
import { ACTORS, type Instruction } from './types.ts'

/** How each job ends, in their order; after the last one all is well. */
type Script = readonly Came[]
/** `spent`: the last of a budget went into it. */
type Came = StepOutcome | 'spent'

const ERRORS = {
  recoverable: { type: 'QueryError', message: 'no such column' },
  critical: { type: 'ApprovalDenied', message: 'a person said no' },
  declined: { type: 'PlanningDeclined', message: 'this is for others' },
  spent: { type: 'BudgetExceeded', message: 'no calls are left' },
} as const

const stepOf = (job: Job): Step =>
  STEPS.find((step) => step !== 'researcher' && ACTORS[step] === job.actor) ?? 'researcher'

interface Setting {
  readonly research: number
  readonly limit: number
  readonly maxTurns?: number
}

/** Plays a review through. `look` is called for each job with the state in which it was started. */
function play(setting: Setting, come: (step: Step) => Came, look: (job: Job, state: RunState) => void = () => {}) {
  const { research, limit, maxTurns } = setting
  const asked = request([], {
    question: 'What is CRISPR?',
    maxRetries: limit,
    ...(maxTurns === undefined ? {} : { maxTurns }),
  })
  const tasks = Array.from({ length: research }, (_, i) => task(`r${i + 1}`, 'web', { text: `research ${i + 1}` }))
  return simulate(review, asked, (job, state): Outcome & { events?: readonly EventBody[] } => {
    look(job, state)
    const step = stepOf(job)
    const outcome = step === 'finalizer' ? 'done' : come(step)
    const events: EventBody[] = outcome === 'spent' ? [{ type: 'budget.exhausted', limit: 'calls', message: '' }] : []
    if (outcome in ERRORS) return { status: 'failed', error: ERRORS[outcome as keyof typeof ERRORS], events }
    const version = ` by ${job.key}`
    switch (step) {
      case 'planner': {
        const steps = { researchSteps: tasks.map(({ text }) => text!), expertSteps: ['define', `conclude${version}`] }
        return { data: steps, events: [{ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: '' }] }
      }
      case 'researcher':
        return { answer: `found${version}` }
      case 'expert':
        return { data: { expertAnswer: `answer${version}`, expertReasoning: 'since' } }
      case 'finalizer':
        return {
          data: { finalAnswer: 'x', finalReasoningTrace: 'y' },
          events: [{ type: 'answer.composed', answer: 'x', by: 'fallback' }],
        }
      default:
        return { data: { decision: outcome, feedback: `not ${job.dependsOn![0]}` } }
    }
  })
}

const fromScript = (script: Script) => {
  let at = 0
  return (step: Step): Came => script[at++] ?? (step.startsWith('critic') ? 'approve' : 'done')
}

const instructionOf = (job: Job): Instruction => job.input as Instruction
const keysOf = (jobs: readonly Job[]): string => jobs.map(({ key }) => key).join(' ')

/** The table as arrows, without those of errors, which the page tells in words. */
function diagram(): string {
  return NEXT_STEPS.flatMap(({ after, outcome, isResearchLeft, next, isRetry }) => {
    if (outcome === 'recoverable' || outcome === 'critical' || outcome === 'declined') return []
    const left = isResearchLeft === undefined ? [] : [isResearchLeft ? 'research left' : 'no research left']
    const label = [...(outcome === undefined ? [] : [isRetry === true ? `↻ ${outcome}` : outcome]), ...left].join(', ')
    return [`  ${after} -->${label === '' ? '' : `|${label}|`} ${next}`]
  }).join('\n')
}

describe('the table of next steps', () => {
  it('equals the diagram of docs/strategies.md', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/strategies.md'), 'utf8')
    const [, drawn] = /```mermaid\nflowchart TD\n(.*?)\n```/s.exec(page)!
    expect(drawn).toBe(diagram())
  })
})

describe('a review', () => {
  it.each<[string, Setting, Script, string]>([
    [
      'runs research steps in sequence, each with its critic',
      { research: 2, limit: 5 },
      [],
      'review-planner:1 critic-planner:1 r1 critic-researcher:1 r2 critic-researcher:2 review-expert:1 critic-expert:1 finalizer:1',
    ],
    [
      'repeats recoverable failures, and goes to the finalizer after others',
      { research: 1, limit: 5 },
      ['done', 'recoverable', 'approve', 'recoverable', 'critical'],
      'review-planner:1 critic-planner:1 critic-planner:2 r1 r1~2 finalizer:1',
    ],
    [
      'continues after a step that its agent declined',
      { research: 2, limit: 5 },
      ['done', 'approve', 'declined'],
      'review-planner:1 critic-planner:1 r1 r2 critic-researcher:1 review-expert:1 critic-expert:1 finalizer:1',
    ],
    [
      'has no expert when every step was declined',
      { research: 1, limit: 5 },
      ['done', 'approve', 'declined'],
      'review-planner:1 critic-planner:1 r1 finalizer:1',
    ],
    [
      'ends with its results when no turns are left',
      { research: 2, limit: 5, maxTurns: 1 },
      [],
      'review-planner:1 critic-planner:1 r1 critic-researcher:1 finalizer:1',
    ],
  ])('%s', (_name, setting, script, expected) => {
    const { jobs, finish } = play(setting, fromScript(script))
    expect(keysOf(jobs)).toBe(expected)
    expect(finish).toEqual({ finish: 'answered' })
  })

  it('gives each actor its task without the results; feedback is passed with the job', () => {
    const script: Script = ['done', 'reject', 'done', 'approve', 'done', 'reject', 'done', 'approve', 'done', 'reject']
    const { jobs } = play({ research: 1, limit: 5 }, fromScript(script))
    const told = jobs.map((job) => {
      if (stepOf(job) === 'researcher') return ['researcher', (job.input as { text: string }).text, job.feedback]
      const { sender, receiver, type, content, stepId } = instructionOf(job)
      expect([sender, type]).toEqual(['orchestrator', 'instruction'])
      return stepId === null ? [receiver, content] : [receiver, content, stepId]
    })
    const sentBack = { by: 'critic-researcher', text: 'not r1', from: 'critic-researcher:1' }
    expect(told).toEqual([
      ['planner', 'Develop a logical plan to answer: What is CRISPR?'],
      ['critic_planner', 'Review plan'],
      ['planner', 'Develop a logical plan to answer: What is CRISPR?'],
      ['critic_planner', 'Review plan'],
      ['researcher', 'research 1', undefined],
      ['critic_researcher', 'Review research', 0],
      ['researcher', 'research 1', sentBack],
      ['critic_researcher', 'Review research', 0],
      ['expert', 'Perform steps: define conclude by review-planner:2'],
      ['critic_expert', 'Review expert answer'],
      ['expert', 'Perform steps: define conclude by review-planner:2'],
      ['critic_expert', 'Review expert answer'],
      ['finalizer', 'Generate final answer and reasoning trace'],
    ])
  })

  it('classifies every error', () => {
    for (const type of ERROR_CODES) expect(errorKind({ type }).category).toMatch(/^(?:network|validation|tool|state)$/)
    expect(errorKind({ type: 'LaterVersion' as 'Internal' })).toEqual({ category: 'state', isRecoverable: false })
  })
})

/** The rules of the orchestrator, step by step with variables of its own, to hold the strategy against. */
function expectedSteps(research: number, limit: number, outcome: readonly Came[]): Step[] {
  const steps: Step[] = []
  let current: Step = 'planner'
  let index = -1
  let retries = 0
  for (const came of outcome) {
    steps.push(current)
    if (came === 'critical') return [...steps, 'finalizer']
    if (came === 'reject' || came === 'recoverable') {
      retries++
      if (retries >= limit) return [...steps, 'finalizer']
      if (came === 'reject') current = current.replace('critic_', '') as Step
      continue
    }
    if (current === 'critic_planner' || current === 'critic_researcher') {
      if (index >= research - 1) current = 'expert'
      else {
        current = 'researcher'
        index++
      }
    } else if (current === 'critic_expert') return [...steps, 'finalizer']
    else current = `critic_${current}` as Step
  }
  throw new Error(`The review was not over after ${steps.join(' ')}.`)
}

/** All ways in which the steps can end, each once: the next way differs at the last place that had another choice. */
function* everyWay(setting: Setting, isRejectionAlone: boolean, isAll = false) {
  const options = (step: Step): readonly Came[] => {
    const isCritic = step.startsWith('critic')
    if (isRejectionAlone) return isCritic ? ['approve', 'reject'] : ['done']
    const ends: readonly Came[] = [...(isAll ? (['spent'] as const) : []), 'recoverable', 'critical']
    if (isCritic) return ['approve', 'reject', ...ends]
    return isAll && step === 'researcher' ? ['done', 'declined', ...ends] : ['done', ...ends]
  }
  for (let chosen: number[] | undefined = []; chosen !== undefined;) {
    const taken: { readonly at: number; readonly of: readonly Came[] }[] = []
    const seen: { readonly job: Job; readonly inputs: readonly string[] }[] = []
    const given: readonly number[] = chosen
    const played = play(
      setting,
      (step) => {
        const of = options(step)
        const at = given[taken.length] ?? 0
        taken.push({ at, of })
        return of[at]!
      },
      (job, state) => seen.push({ job, inputs: inputJobs(job, state).map(({ key }) => key) }),
    )
    yield { ...played, seen, outcome: taken.map(({ at, of }) => of[at]!) }
    const last = taken.findLastIndex(({ at, of }) => at + 1 < of.length)
    chosen = last < 0 ? undefined : [...taken.slice(0, last).map(({ at }) => at), taken[last]!.at + 1]
  }
}

describe('every path of a review', () => {
  const settings: readonly (Setting & { readonly isRejectionAlone?: true })[] = [
    ...[0, 1, 2].flatMap((research) => [1, 2, 3].map((limit) => ({ research, limit }))),
    ...[1, 2].map((maxTurns) => ({ research: 2, limit: 3, maxTurns })),
    ...[0, 1, 2, 3].map((research) => ({ research, limit: 5, isRejectionAlone: true as const })),
  ]

  it('ends within its retries, without rejected work', () => {
    let ways = 0
    for (const { isRejectionAlone = false, ...setting } of settings) {
      for (const { jobs, finish, seen, outcome } of everyWay(setting, isRejectionAlone)) {
        ways++
        const about = `${JSON.stringify(setting)}: ${outcome.join(' ')}`
        const { ending, isAtLimit } = endOf(setting, jobs, finish, outcome, about)
        if (setting.maxTurns === undefined) {
          if (!isAtLimit && ending === 'unanswered') throw new Error(`No answer before the limit: ${about}`)
          const expected = expectedSteps(setting.research, setting.limit, outcome)
          if (jobs.map(stepOf).join() !== expected.join()) throw new Error(`Other steps: ${about}`)
        }
        assertNothingRejected(seen, outcome, about)
      }
    }
    expect(ways).toBe(3_091)
  })

  it('also ends when agents decline, a user denies or a budget is used up', () => {
    let ways = 0
    const some = [0, 1, 2].flatMap((research) => [1, 2].map((limit) => ({ research, limit })))
    for (const setting of [...some, { research: 2, limit: 2, maxTurns: 1 }]) {
      for (const { jobs, finish, seen, outcome } of everyWay(setting, false, true)) {
        ways++
        const about = `${JSON.stringify(setting)}: ${outcome.join(' ')}`
        const { ending } = endOf(setting, jobs, finish, outcome, about)
        const wasEnded = outcome.includes('critical') || outcome.includes('spent')
        if (wasEnded && ending === 'approved') throw new Error(`An answer after a refusal: ${about}`)
        assertNothingRejected(seen, outcome, about)
      }
    }
    expect(ways).toBe(842)
  })
})

/** The end of a review, which is within its retries. */
function endOf({ limit }: Setting, jobs: readonly Job[], finish: Finish, counted: readonly Came[], about: string) {
  const retries = counted.filter((came) => came === 'reject' || came === 'recoverable').length
  const { ending } = jobs.at(-1)!.input as { readonly ending: string }
  const isAtLimit = retries >= limit
  if (finish.finish !== 'answered' || stepOf(jobs.at(-1)!) !== 'finalizer') throw new Error(`No end: ${about}`)
  if (retries > limit) throw new Error(`Too many retries: ${about}`)
  if (isAtLimit && ending !== 'unanswered') throw new Error(`An answer at the limit: ${about}`)
  return { ending, isAtLimit }
}

/** Roles other than critics get approved attempts only, in their order. */
function assertNothingRejected(
  seen: readonly { readonly job: Job; readonly inputs: readonly string[] }[],
  outcome: readonly Came[],
  about: string,
): void {
  const approved = new Set<string>()
  const research: string[] = []
  for (const [i, { job, inputs }] of seen.entries()) {
    const step = stepOf(job)
    if (step.startsWith('critic')) {
      if (inputs.join() !== job.dependsOn!.join()) throw new Error(`${job.key} judges another attempt: ${about}`)
      if (outcome[i] === 'approve') approved.add(inputs[0]!)
      if (outcome[i] === 'approve' && step === 'critic_researcher') research.push(inputs[0]!)
      continue
    }
    if (inputs.some((key) => !approved.has(key))) throw new Error(`${job.key} is given what was rejected: ${about}`)
    if (step === 'expert' && inputs.join() !== research.join()) throw new Error(`Not all research: ${about}`)
  }
}
