import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER, type Owner } from '../../domain/events.ts'
import { stages, type Task } from '../../domain/plan.ts'
import type { RunRequest } from '../../domain/request.ts'
import type { RunState } from '../../domain/state.ts'
import type { UsageTotals } from '../../domain/usage.ts'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../options.ts'

/** How a question would be worked on. */
export interface PlannedQuestion {
  readonly question: string
  readonly strategy: RunRequest['strategy']
  /** The user's intent in a few words, if the planner gives it. */
  readonly intent?: string
  readonly entities: Readonly<Record<string, unknown>>
  readonly tasks: readonly Task[]
  /** Tasks that run in parallel, in order of the stages; one task per stage for strategies that work sequentially. */
  readonly stages: readonly (readonly Task[])[]
  readonly rationale: string
  readonly confidence?: number
  readonly guardrails: Readonly<Record<string, unknown>>
  readonly usage: UsageTotals
}

/**
 * Plans a question and does nothing else. It is a run like any other, so that its model calls are budgeted and retried;
 * give it a store of its own that is thrown away, and strategies that end with the plan.
 * @throws TuttiError of the planner; `InvalidRequest` for a strategy that begins without a plan
 */
export async function planQuestion(
  options: EngineOptions,
  request: RunRequest,
  owner: Owner = LOCAL_OWNER,
): Promise<PlannedQuestion> {
  const engine = new Engine(options)
  try {
    const state = await engine.outcome(await engine.start(request, { owner }))
    return plannedQuestion(
      state,
      options.strategies.some(({ name, isInOrder }) => name === request.strategy && isInOrder === true),
    )
  } finally {
    await engine.close()
  }
}

/** The plan of a run. @throws TuttiError the reason if there is none */
export function plannedQuestion({ request, plan, jobs, error, usage }: RunState, isInOrder: boolean): PlannedQuestion {
  if (plan === undefined) {
    throw TuttiError.fromInfo(error ?? { type: 'Internal', message: 'The planner ended without a plan.' })
  }
  const { intent, entities } = understood.safeParse(jobs.get('plan:1')?.result?.data).data ?? {}
  const { tasks } = plan.plan
  return {
    question: request.question,
    strategy: request.strategy,
    ...(intent === undefined ? {} : { intent }),
    entities: entities ?? {},
    tasks,
    stages: isInOrder ? tasks.map((task) => [task]) : stages(plan.plan),
    rationale: plan.rationale,
    ...(plan.confidence === undefined ? {} : { confidence: plan.confidence }),
    guardrails: plan.guardrails ?? {},
    usage,
  }
}

/** The master planner returns its understanding as the data of its result. */
const understood = z.object({ intent: z.string().optional(), entities: z.record(z.string(), z.unknown()).optional() })
