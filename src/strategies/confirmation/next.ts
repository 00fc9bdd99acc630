import { z } from 'zod'
import type { RoleType } from '../../domain/actor.ts'
import { PLAN_CONFIRMER } from '../../domain/approvals.ts'
import type { ErrorInfo } from '../../domain/errors.ts'
import type { Job } from '../../domain/job.ts'
import { isSettled, type JobState, type RunState } from '../../domain/state.ts'
import { isFinish, type Finish, type Strategy } from '../../domain/strategy.ts'
import { latestRound, stepJob } from '../steps.ts'

/** Waits for the user's confirmation of the plan. */
export const confirmerType: RoleType<null, unknown> = { name: PLAN_CONFIRMER, input: z.null(), data: z.unknown() }

/**
 * A strategy that shows its plan first if the request asks for that. The user may change the plan, and no task starts
 * until the user confirms it.
 */
export function withConfirmation(strategy: Strategy): Strategy {
  return Object.freeze({
    ...strategy,
    next(state: RunState): readonly Job[] | Finish {
      if (state.request.confirmPlan !== true) return strategy.next(state)
      const confirmation = latestRound(state, confirmerType.name)
      if (confirmation === undefined) {
        const decision = strategy.next(state)
        const begins = !isFinish(decision) && decision.some(({ actor }) => isPlanned(state, actor))
        return begins ? [stepJob(state, confirmerType, null)] : decision
      }
      if (!isSettled(confirmation)) return [stepJob(state, confirmerType, null)]
      return confirmation.status === 'succeeded'
        ? strategy.next(state)
        : { finish: 'failed', error: refusal(confirmation) }
    },
  })
}

function isPlanned({ plan }: RunState, actor: string): boolean {
  return plan?.plan.tasks.some(({ agent }) => agent === actor) === true
}

function refusal({ result }: JobState): ErrorInfo {
  const error: ErrorInfo = result?.error ?? { type: 'Internal', message: 'Nobody could be asked.' }
  return { ...error, message: `The plan was not started, and nothing of it was done. ${error.message}` }
}
