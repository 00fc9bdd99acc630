import { expect, it } from 'vitest'
import { request, task } from '../../../test/support/engine-world.ts'
import { inputJobs, latestAttempt } from '../../core/attempts.ts'
import type { EventBody } from '../../core/events.ts'
import type { Outcome } from '../../core/result.ts'
import type { Task } from '../../core/plan.ts'
import { simulate } from '../../testing/simulate.ts'
import { approvedResearch, review } from './review.ts'

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

/** @param editAt the job, from 0, during which the plan is changed @param rejectAt the judgement that is a rejection */
function play(edit: readonly Task[], editAt: number, rejectAt: number) {
  let at = -1
  let judged = -1
  let isEdited = false
  const played = simulate(review, request([], { question: 'What?' }), (job): Outcome & { events?: EventBody[] } => {
    at++
    const mine = job.actor === 'review-planner' ? [set(PLAN, 'planner')] : []
    const theirs = at === editAt && at > 0 ? [set(edit, 'user')] : []
    isEdited ||= theirs.length > 0 && job.actor !== 'finalizer'
    const events = [...mine, ...theirs]
    if (job.actor === 'review-planner') {
      return { events, data: { researchSteps: PLAN.map(({ text }) => text!), expertSteps: [`conclude ${at}`] } }
    }
    if (job.actor.startsWith('critic')) {
      judged++
      return { events, data: { decision: judged === rejectAt ? 'reject' : 'approve', feedback: 'no' } }
    }
    if (job.actor === 'review-expert') {
      return { events, data: { expertAnswer: `answer ${at}`, expertReasoning: 'since' } }
    }
    if (job.actor === 'finalizer') {
      events.push({ type: 'answer.composed', answer: 'x', by: 'fallback' })
      return { events, data: { finalAnswer: 'x', finalReasoningTrace: 'y' } }
    }
    return { events, answer: `found ${job.key}` }
  })
  return { ...played, isEdited }
}

it('is followed: all of the new plan is researched and approved, and nothing of the old one reaches the answer', () => {
  let ways = 0
  for (const [name, edit] of Object.entries(EDITS)) {
    for (let rejectAt = -1; rejectAt < 5; rejectAt++) {
      for (let editAt = 1; editAt < 16; editAt++) {
        const { jobs, finish, state, isEdited } = play(edit, editAt, rejectAt)
        const about = `${name} during job ${editAt}, rejection ${rejectAt}: ${jobs.map(({ key }) => key).join(' ')}`
        expect(finish, about).toEqual({ finish: 'answered' })
        const last = jobs.at(-1)!
        expect(last, about).toMatchObject({ actor: 'finalizer', input: { ending: 'approved' } })
        if (!isEdited) continue
        ways++
        expect(state.plan!.plan.tasks, about).toEqual(edit)
        const latest = edit.map(({ id }) => latestAttempt(state, id)!)
        expect(
          latest.map(({ task: done }) => done),
          about,
        ).toEqual(edit)
        expect(approvedResearch(state), about).toEqual(latest)
        const given = inputJobs(last, state).map(({ key }) => key)
        const expert = [...state.jobs.keys()].findLast((key) => key.startsWith('review-expert'))
        expect(given, about).toEqual([...latest.map(({ key }) => key), expert])
        // The expert has seen all of it.
        expect(jobs.find(({ key }) => key === expert)!.dependsOn, about).toEqual(latest.map(({ key }) => key))
      }
    }
  }
  expect(ways).toBeGreaterThan(400)
})
