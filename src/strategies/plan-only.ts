import type { Job } from '../domain/job.ts'
import type { RunState } from '../domain/state.ts'
import { isFinish, type Finish, type Strategy } from '../domain/strategy.ts'

/** Ends as soon as there is a plan, or none could be made: for looking at a plan without carrying it out. */
export function planOnly(strategy: Strategy): Strategy {
  return Object.freeze({
    ...strategy,
    next(state: RunState): readonly Job[] | Finish {
      if (state.plan !== undefined) return { finish: 'answered' }
      const decision = strategy.next(state)
      if (isFinish(decision)) return decision
      const planning = decision.filter(({ actor }) => actor === strategy.planner)
      if (planning.length > 0) return planning
      const failed = [...state.jobs.values()].findLast(({ actor }) => actor === strategy.planner)
      return { finish: 'failed', error: failed?.result?.error ?? withoutPlan(strategy) }
    },
  })
}

function withoutPlan({ name }: Strategy): NonNullable<Finish['error']> {
  return {
    type: 'InvalidRequest',
    message: `The strategy "${name}" begins without a plan, so there is none to look at.`,
  }
}
