import fc from 'fast-check'
import { expect, it } from 'vitest'
import { request, task } from '../../../test/support/engine-world.ts'
import { inputJobs, latestAttempt } from '../../domain/job.ts'
import type { EventBody } from '../../domain/events.ts'
import type { Outcome } from '../../domain/result.ts'
import type { Task } from '../../domain/plan.ts'
import { simulate } from '../../testing/simulate.ts'
import { approvedResearch, review } from './next.ts'

/** A person changes the plan while any job of a review is under way, whatever was rejected before. */

const step = (id: string, text = `research ${id}`): Task => task(id, 'web', { text })
const PLAN = [step('r1'), step('r2')]

const EDITS: Readonly<Record<string, readonly Task[]>> = {
  'one more behind': [...PLAN, step('r3')],
  'one more before': [step('r0'), ...PLAN],
  'the first away': [step('r2')],
  'the last away': [step('r1')],
  'the first another': [step('r1', 'another'), step('r2')],
  'the last another': [step('r1'), step('r2', 'another')],
  'one that needs another': [...PLAN, task('r3', 'web', { text: 'sum', dependsOn: ['r1', 'r2'] })],
  'all another': [step('r7'), step('r8')],
  none: [],
}

const set = (tasks: readonly Task[], by: 'planner' | 'user'): EventBody => ({
  type: 'plan.set',
  plan: { tasks },
  by,
  rationale: '',
})

type Edits = ReadonlyMap<number, readonly Task[]>

/** @param edits the new plan by the job, from 0, during which it is set @param rejections the judgements that are none of approval */
function play(edits: Edits, rejections: ReadonlySet<number>) {
  let at = -1
  let judged = -1
  let edited: readonly Task[] | undefined
  let isLate = false
  const played = simulate(review, request([], { question: 'What?' }), (job): Outcome & { events?: EventBody[] } => {
    at++
    const edit = at === 0 ? undefined : edits.get(at)
    const events = job.actor === 'review-planner' && edited === undefined ? [set(PLAN, 'planner')] : []
    if (edit !== undefined) {
      events.push(set(edit, 'user'))
      edited = edit
      isLate = job.actor === 'finalizer'
    }
    if (job.actor === 'review-planner') {
      return { events, data: { researchSteps: PLAN.map(({ text }) => text!), expertSteps: [`conclude ${at}`] } }
    }
    if (job.actor.startsWith('critic')) {
      judged++
      return { events, data: { decision: rejections.has(judged) ? 'reject' : 'approve', feedback: 'no' } }
    }
    if (job.actor === 'review-expert') {
      return { events, data: { expertAnswer: `answer ${at}`, expertReasoning: 'since' } }
    }
    if (job.actor === 'finalizer') {
      events.push({ type: 'answer.composed', answer: 'x', by: 'fallback' })
      return { events, data: { finalAnswer: 'x', finalReasoningTrace: 'y' } }
    }
    return { events, answer: `found ${at}` }
  })
  return { ...played, edited: isLate ? undefined : edited }
}

/** Whether there was a change before the end. */
function assertFollowed(edits: Edits, rejections: ReadonlySet<number>): boolean {
  const { jobs, finish, state, edited } = play(edits, rejections)
  const about = jobs.map(({ key }) => key).join(' ')
  expect(finish, about).toEqual({ finish: 'answered' })
  const last = jobs.at(-1)!
  expect(last, about).toMatchObject({ actor: 'finalizer', input: { ending: 'approved' } })
  if (edited === undefined) return false
  expect(state.plan!.plan.tasks, about).toEqual(edited)
  const latest = edited.map(({ id }) => latestAttempt(state, id)!)
  expect(
    latest.map(({ task: done }) => done),
    about,
  ).toEqual(edited)
  expect(approvedResearch(state), about).toEqual(latest)
  const given = inputJobs(last, state).map(({ key }) => key)
  const expert = [...state.jobs.keys()].findLast((key) => key.startsWith('review-expert'))
  expect(given, about).toEqual([...latest.map(({ key }) => key), expert])
  expect(jobs.find(({ key }) => key === expert)!.dependsOn, about).toEqual(latest.map(({ key }) => key))
  return true
}

it('is followed: all of the new plan is researched and approved, and nothing of the old one is in the answer', () => {
  let ways = 0
  for (const [name, edit] of Object.entries(EDITS)) {
    for (let rejectAt = -1; rejectAt < 5; rejectAt++) {
      for (let editAt = 1; editAt < 16; editAt++) {
        try {
          if (assertFollowed(new Map([[editAt, edit]]), new Set([rejectAt]))) ways++
        } catch (error) {
          throw new Error(`${name} during job ${editAt}, rejection ${rejectAt}`, { cause: error })
        }
      }
    }
  }
  expect(ways).toBeGreaterThan(400)
})

it('is followed after any number of changes', () => {
  expect.hasAssertions()
  const edit = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.constantFrom(...Object.values(EDITS)))
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 5 }), fc.array(fc.nat(9), { maxLength: 4 }), (edits, rejections) => {
      assertFollowed(new Map(edits), new Set(rejections))
    }),
    { numRuns: 1_000, seed: 7 },
  )
})
