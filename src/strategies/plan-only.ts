import type { Job } from '../core/job.ts'
import type { RunState } from '../core/state.ts'
import type { Finish, Strategy } from '../core/strategy.ts'
import { planJob, plannerFailure, type PlannerName } from './steps.ts'

/** Ends as soon as there is a plan, or none could be made: for looking at a plan without carrying it out. */
function planOnly(name: Strategy['name'], planner: PlannerName): Strategy {
  return Object.freeze({
    name,
    next(state: RunState): readonly Job[] | Finish {
      if (state.plan !== undefined) return { finish: 'answered' }
      return plannerFailure(state) ?? [planJob(1, planner)]
    },
  })
}

/** For each way of working that begins with a plan, its planner alone. */
export const planOnlyStrategies: readonly Strategy[] = Object.freeze([
  planOnly('pipeline', 'planner'),
  planOnly('graph', 'master-planner'),
])
