import type { TaskFeedback, TaskInput } from '../../domain/actor.ts'
import { inputJobs } from '../../domain/job.ts'
import type { JobState } from '../../domain/state.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { ActorCall } from './actor-call.ts'
import { findSources } from './job-sources.ts'

/** The results of the jobs that it depends on. Reading them adds their labels. */
export function inputsOf(call: ActorCall): TaskInput[] {
  return inputJobs(call.job, call.host.state).flatMap((job) => inputOf(call, job))
}

/** Why a job is done again, with the attempt before. */
export function feedbackOf(call: ActorCall): TaskFeedback | undefined {
  const { feedback, replaces, key } = call.job
  const rejections = call.host.state.jobs.get(key)?.rejections ?? []
  const sentBack = rejections.at(-1)
  if (sentBack !== undefined) {
    const { by, text, answer } = sentBack
    const combined = feedback === undefined ? text : `${text} (Before: ${feedback.text})`
    const attempt = { key, actor: call.job.actor, result: answer === undefined ? {} : { answer } }
    return { by, text: combined, attempt, rejections: rejections.length }
  }
  if (feedback === undefined) return undefined
  const { by, text } = feedback
  const before = replaces === undefined ? undefined : call.host.state.jobs.get(replaces)
  const [attempt] = before === undefined ? [] : inputOf(call, before)
  const earlier = earlierFeedback(call, before)
  return { by, text, ...omitUndefined({ attempt }), ...(earlier.length === 0 ? {} : { earlier }) }
}

/** The feedback that led to an attempt and to those before it. Its labels are those of the attempt's result, too. */
function earlierFeedback(call: ActorCall, attempt: JobState | undefined): NonNullable<TaskFeedback['earlier']> {
  if (attempt?.feedback === undefined) return []
  const { feedback, replaces = '' } = attempt
  const { by, text } = feedback
  return [...earlierFeedback(call, call.host.state.jobs.get(replaces)), { by, text }]
}

function inputOf(call: ActorCall, job: JobState): TaskInput[] {
  const { key, actor, result } = job
  if (result === undefined) return []
  call.addReadLabels(result.provenance)
  const label = call.host.agents.find(({ name }) => name === actor)?.label
  return [{ key, actor, ...omitUndefined({ label }), result, found: findSources(call.host.state, job) }]
}
