import { useState } from 'react'
import type { Task } from '../../../client/run.ts'
import { useGet } from '../../app/data.ts'
import type { RunView } from '../../run/run-log.ts'
import { stepsOfPlan } from '../../run/steps.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { useWords } from '../../locales/words.tsx'
import { startOfDay, type RunUsage } from '../dashboard/totals.ts'
import { estimateOf } from './estimate.ts'

/** Number of runs for an estimate, and their maximum age in days. */
const RUNS = 100
const DAYS = 90

/**
 * Estimated duration and cost of the tasks that have not started, based on the user's earlier runs. Renders nothing
 * without data.
 */
export function PlanEstimate({ tasks, view }: { tasks: readonly Task[]; view: RunView }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const [from] = useState(() => new Date(startOfDay(Date.now(), DAYS)).toISOString())
  const { data } = useGet<{ items: readonly RunUsage[] }>(`/runs/usage?from=${encodeURIComponent(from)}&limit=${RUNS}`)
  const steps = stepsOfPlan(tasks, view)
  const openTasks = tasks.filter((_task, at) => steps[at]!.state === 'todo')
  const likely = data === undefined ? undefined : estimateOf(openTasks, data.items)
  if (likely === undefined) return null
  const { ms, calls, costUsd, runs, unknown } = likely
  return (
    <p className="text-12 text-text-2" role="note">
      {words.planEdit.likely({ time: formats.duration(ms), calls, cost: formats.money(costUsd), runs })}
      {unknown.length === 0 ? null : ` ${words.planEdit.notCounted({ agents: unknown.map(nameOf).join(', ') })}`}
    </p>
  )
}
