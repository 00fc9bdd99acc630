import { stepKey, type Job } from '../../domain/job.ts'
import type { Task } from '../../domain/plan.ts'
import { isSettled, type JobState, type RunState } from '../../domain/state.ts'
import type { Finish, Strategy } from '../../domain/strategy.ts'
import { dueJobs, graph } from '../graph/next.ts'
import { pipeline } from '../pipeline/next.ts'
import { review } from '../review/next.ts'
import { latestRound } from '../steps.ts'
import { supervisor } from '../supervisor/next.ts'
import { ASSISTANT, assistantData, type AssistantData } from './types.ts'

const DELEGATED_STRATEGIES = { pipeline, graph, supervisor, review }

/**
 * One assistant with the tools of all agents answers. It may delegate tasks, which run as in `graph`; then a new job of the assistant
 * continues its transcript with their results. It may also hand the whole question over to another strategy.
 */
export const direct: Strategy = Object.freeze({
  name: 'direct',
  next(state: RunState): readonly Job[] | Finish {
    const latest = latestRound(state, ASSISTANT) ?? state.jobs.get(ASSISTANT)
    if (!isSettled(latest)) return [assistantJob(state, latest)]
    const { status, result } = latest!
    if (status === 'failed') return { finish: 'failed', error: result!.error! }
    const { strategy } = assistantResult(latest!)
    if (strategy !== undefined) return DELEGATED_STRATEGIES[strategy].next(withoutAssistant(state))
    if (state.answer !== undefined) return { finish: 'answered' }
    const due = dueJobs(state)
    return due.length > 0 ? due : [assistantJob(state, latest)]
  },
})

/** Another strategy works as if it had been chosen from the start. */
function withoutAssistant(state: RunState): RunState {
  return { ...state, jobs: new Map([...state.jobs].filter(([, { actor }]) => actor !== ASSISTANT)) }
}

/** The data of a settled job of the assistant. */
export function assistantResult({ result }: Pick<JobState, 'result'>): AssistantData {
  return assistantData.catch({}).parse(result?.data)
}

/** The first job, the one in progress, or the one that continues after the delegated tasks of the latest. */
function assistantJob(state: RunState, latest: JobState | undefined): Job<Task> {
  const input = { id: ASSISTANT, agent: ASSISTANT, text: state.request.question, dependsOn: [] }
  if (latest === undefined || !isSettled(latest)) {
    return {
      key: latest?.key ?? ASSISTANT,
      actor: ASSISTANT,
      input,
      ...(latest?.dependsOn && { dependsOn: latest.dependsOn }),
    }
  }
  const dependsOn = assistantResult(latest).delegated?.flatMap(({ tasks }) => tasks) ?? []
  return { key: stepKey(ASSISTANT, latest.round + 1), actor: ASSISTANT, input, dependsOn }
}
