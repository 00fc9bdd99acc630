import { dataOf } from '../../core/actor.ts'
import { latestAttempt } from '../../core/attempts.ts'
import type { Feedback } from '../../core/job.ts'
import type { RunState } from '../../core/state.ts'
import { latestRound } from '../steps.ts'
import type { Step } from './table.ts'
import { expertType, plannerType, type Instruction, type PlanSteps } from './types.ts'

/** The plan as the planner made it; without steps where a person set one. */
export function planSteps(state: RunState): PlanSteps {
  return dataOf(plannerType, latestRound(state, plannerType.name)) ?? { researchSteps: [], expertSteps: [] }
}

/** What the orchestrator tells an actor: the critic's feedback where it is sent back, else what the step is. */
export function instructionFor(state: RunState, step: Step, place?: number, feedback?: Feedback): Instruction {
  return {
    sender: 'orchestrator',
    receiver: step,
    type: 'instruction',
    content: feedback?.text ?? contentFor(state, step, place),
    stepId: place ?? null,
  }
}

function contentFor(state: RunState, step: Step, place = 0): string {
  const { question } = state.request
  const { researchSteps, expertSteps } = planSteps(state)
  const task = state.plan?.plan.tasks[place]
  switch (step) {
    case 'planner':
      return `Develop a logical plan to answer: ${question}`
    case 'critic_planner':
      return `Review plan: ${researchSteps.join('\n')}\n${expertSteps.join('\n')}`
    case 'researcher':
      return `Research: ${task?.text ?? question}`
    case 'critic_researcher':
      return `Review research: ${(task && latestAttempt(state, task.id)?.result?.answer) ?? ''}`
    case 'expert':
      return `Perform steps: ${expertSteps.join(' ')}`
    case 'critic_expert':
      return `Review expert answer: ${dataOf(expertType, latestRound(state, expertType.name))?.expertAnswer ?? ''}`
    case 'finalizer':
      return 'Generate final answer and reasoning trace'
  }
}
