import { isSummaryDue } from '../domain/conversation.ts'
import type { Job } from '../domain/job.ts'
import { isSettled, type RunState } from '../domain/state.ts'
import { isFinish, type Finish, type Strategy } from '../domain/strategy.ts'

const REMEMBER_KEY = 'remember:1'
const SUMMARISE_KEY = 'summarise:1'
const RECORD_KEY = 'record:1'
const LEARN_KEY = 'learn:1'

/**
 * A strategy whose runs have memory. The user's statements about themselves are extracted in parallel to planning, and
 * so is the summary of earlier turns. Only the end of the run waits for them, and, without a model, the answer to a
 * message that is no question. An answered run becomes a turn of its conversation, and skills are learnt from it.
 * Failures of these jobs do not fail the run; the strategy's own decision stays unchanged.
 */
export function withMemory(strategy: Strategy): Strategy {
  return Object.freeze({
    ...strategy,
    next(state: RunState): readonly Job[] | Finish {
      const decision = strategy.next(state)
      if (!hasMemory(state)) return decision
      const parallelJobs = open(state, duringPlanning(state))
      if (!isFinish(decision)) return [...decision, ...parallelJobs]
      const last = decision.finish === 'answered' ? open(state, afterAnswer(state)) : []
      const jobs = [...parallelJobs, ...last]
      return jobs.length === 0 ? decision : jobs
    },
  })
}

/**
 * Nested runs have another actor's question, forks that of their original. Neither describes the user, nor does a
 * trial. A retry is a further turn of
 * the conversation.
 */
function hasMemory({ recollection, parent, forkOf, isRetry, request }: RunState): boolean {
  const isOwn = parent === undefined && (forkOf === undefined || isRetry === true)
  return recollection !== undefined && isOwn && request.shadow !== true
}

/** Who does these jobs. */
export const MEMORY_ACTORS = ['memory-extractor', 'summarizer', 'recorder', 'learner'] as const
type MemoryActor = (typeof MEMORY_ACTORS)[number]

function duringPlanning({ request, recollection }: RunState): Job[] {
  const isDue = request.conversationId !== undefined && isSummaryDue(recollection!)
  return [job(REMEMBER_KEY, 'memory-extractor'), ...(isDue ? [job(SUMMARISE_KEY, 'summarizer')] : [])]
}

/** Whether there is something to learn is seen from the results: they say which skills they were made with. */
function afterAnswer({ request, jobs }: RunState): Job[] {
  const learns = [...jobs.values()].some(({ result }) => result?.skills !== undefined)
  return [
    ...(request.conversationId === undefined ? [] : [job(RECORD_KEY, 'recorder')]),
    ...(learns ? [job(LEARN_KEY, 'learner')] : []),
  ]
}

function job(key: string, actor: MemoryActor): Job {
  return { key, actor, input: null }
}

function open(state: RunState, jobs: readonly Job[]): Job[] {
  return jobs.filter(({ key }) => !isSettled(state.jobs.get(key)))
}
