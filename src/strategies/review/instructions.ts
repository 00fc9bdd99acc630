import { dataOf } from '../../domain/actor.ts'
import type { RunState } from '../../domain/state.ts'
import { latestRound } from '../steps.ts'
import type { Step } from './table.ts'
import { plannerType, type Instruction, type PlanSteps } from './types.ts'

/** The planner's plan; without steps if a user set one. */
export function planSteps(state: RunState): PlanSteps {
  return dataOf(plannerType, latestRound(state, plannerType.name)) ?? { researchSteps: [], expertSteps: [] }
}

/** Steps that receive an instruction from the orchestrator. The researcher receives its tasks from the plan. */
type InstructedStep = Exclude<Step, 'researcher'>

/**
 * The orchestrator's instruction to a step. It names the work but does not quote it, since the work may contain
 * third-party text.
 */
export function instructionFor(state: RunState, step: InstructedStep, place?: number): Instruction {
  return {
    sender: 'orchestrator',
    receiver: step,
    type: 'instruction',
    content: contentFor(state, step),
    stepId: place ?? null,
  }
}

function contentFor(state: RunState, step: InstructedStep): string {
  switch (step) {
    case 'planner':
      return `Develop a logical plan to answer: ${state.request.question}`
    case 'critic_planner':
      return 'Review plan'
    case 'critic_researcher':
      return 'Review research'
    case 'expert':
      return `Perform steps: ${planSteps(state).expertSteps.join(' ')}`
    case 'critic_expert':
      return 'Review expert answer'
    case 'finalizer':
      return 'Generate final answer and reasoning trace'
  }
}
