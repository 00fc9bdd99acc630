import { latestAttempt } from './job.ts'
import type { ErrorInfo } from './errors.ts'
import type { EffectiveTask, ReflectionStatus, Result, Source } from './result.ts'
import { isOver, type JobState, type RunState } from './state.ts'
import { omitUndefined, pickDefined } from '../shared/json.ts'
import type { Table } from './table.ts'
import type { TraceEvent } from './trace.ts'
import type { UsageTotals } from './usage.ts'

/** Fields that the response takes from a job's result. */
const RESULT_FIELDS = [
  ...(['answer', 'tabular', 'data', 'error', 'partial', 'latencyMs', 'confidence', 'usage', 'remarks'] as const),
  ...(['unanswered', 'models', 'reflection', 'effectiveTask'] as const),
]

/** The result of one agent. */
export interface AgentResult {
  readonly agent: string
  readonly task: string
  readonly status: 'pending' | 'running' | Result['status']
  readonly answer?: string
  readonly tabular?: Table
  readonly data?: unknown
  readonly error?: ErrorInfo
  /** Of a failed task: what it found or did before; of a call that was not approved, the reason and the tools. */
  readonly partial?: unknown
  readonly latencyMs?: number
  /** 0 to 1. */
  readonly confidence?: number
  /** Tasks whose results it received; absent without any. */
  readonly dependencies?: readonly string[]
  readonly usage?: UsageTotals
  /** Trace of its own work; absent unless the request asks for a trace. */
  readonly trace?: readonly TraceEvent[]
  readonly sources: readonly Source[]
  /** Remarks that the answer mentions, such as a database that could not be reached. */
  readonly remarks?: readonly string[]
  /** Parts of its task that it has no answer to. */
  readonly unanswered?: readonly string[]
  readonly models?: readonly string[]
  /** The result of the reflection, if there was one. */
  readonly reflection?: ReflectionStatus
  /**
   * Set when a user changed the task in an approval. With the intent `override`, the result differs from the question
   * on purpose and must be presented as it is.
   */
  readonly effectiveTask?: EffectiveTask
}

/** The results of all planned tasks, never started ones included; for a repeated task the latest. */
export function agentResultsOf(state: RunState): AgentResult[] {
  const planned = state.plan?.plan.tasks ?? []
  const latest = planned.map((task) => latestAttempt(state, task.id))
  const shown = new Set(latest.map((job) => job?.key))
  const extra = [...state.jobs.values()].filter(
    ({ key, task, supersededBy, isOutdated }) =>
      task !== undefined && supersededBy === undefined && isOutdated !== true && !shown.has(key),
  )
  return [
    ...planned.map((task, i) => agentResult(latest[i]?.actor ?? task.agent, task.id, latest[i], isOver(state))),
    ...extra.map((job) => agentResult(job.actor, job.key, job, isOver(state))),
  ]
}

/** Failures at tasks that the plan replaced: they are no part of the answer, and stay in the response. */
export function replacedResults({ jobs }: RunState): AgentResult[] {
  return [...jobs.values()].flatMap((job) => {
    const isReplaced = job.task !== undefined && job.isOutdated === true && job.supersededBy === undefined
    const isFailed = job.result?.status === 'failed' && job.result.error?.type !== 'Cancelled'
    return isReplaced && isFailed ? [agentResult(job.actor, job.key, job, true)] : []
  })
}

/** The result of a job, with the name of its task. @param over whether the run is over */
export function agentResult(agent: string, task: string, job: JobState | undefined, over: boolean): AgentResult {
  const result = job?.result
  const dependencies = job?.dependsOn?.length === 0 ? undefined : job?.dependsOn
  if (result === undefined) {
    return { agent, task, status: unsettledStatus(job, over), ...omitUndefined({ dependencies }), sources: [] }
  }
  const { status, sources = [] } = result
  return { agent, task, status, ...pickDefined(result, RESULT_FIELDS), sources, ...omitUndefined({ dependencies }) }
}

function unsettledStatus(job: JobState | undefined, over: boolean): AgentResult['status'] {
  if (over) return 'skipped'
  return job === undefined ? 'pending' : 'running'
}
