import type { Task } from '../../../client/run.ts'
import { quantile, type RunUsage } from '../dashboard/totals.ts'

/** What a plan is likely to take, by what its agents took before. */
export interface Estimate {
  readonly ms: number
  readonly calls: number
  readonly costUsd: number
  /** Of how many runs that is known. */
  readonly runs: number
  /** Agents without data, which are not counted. */
  readonly unknown: readonly string[]
}

/** Puts into words what all tasks came to. */
const WRITER = 'composer'

type PastRun = Pick<RunUsage, 'jobs'>

/**
 * Estimates from the median per agent and task: time along the critical path, everything else as a sum. Undefined if
 * there is no data for any agent.
 */
export function estimateOf(
  tasks: readonly Pick<Task, 'id' | 'agent' | 'dependsOn'>[],
  past: readonly PastRun[],
): Estimate | undefined {
  const done = past.map(({ jobs }) => jobs.filter(({ status }) => status === 'succeeded'))
  const agents = [...new Set(tasks.map(({ agent }) => agent))]
  const took = new Map(
    [...agents, WRITER].map((agent) => {
      const jobs = done.flatMap((jobs) => jobs.filter(({ actor }) => actor === agent))
      const median = (of: (job: (typeof jobs)[number]) => number): number => quantile(jobs.map(of), 0.5) ?? 0
      const usual = {
        ms: median((job) => job.latencyMs),
        calls: median((job) => job.calls),
        costUsd: median((job) => job.costUsd),
      }
      return [agent, jobs.length === 0 ? undefined : usual]
    }),
  )
  const known = agents.filter((agent) => took.get(agent) !== undefined)
  if (known.length === 0) return undefined
  const ends = new Map<string, number>()
  /** When a task is done, from the start on. */
  const endOf = ({ id, agent, dependsOn }: (typeof tasks)[number]): number => {
    const before = ends.get(id)
    if (before !== undefined) return before
    // In a cycle, which no valid plan has, each task is counted once.
    ends.set(id, 0)
    const first = Math.max(0, ...tasks.filter((task) => dependsOn.includes(task.id)).map(endOf))
    const end = first + (took.get(agent)?.ms ?? 0)
    ends.set(id, end)
    return end
  }
  const all = [...tasks.map(({ agent }) => agent), WRITER].map((agent) => took.get(agent))
  const sum = (of: 'calls' | 'costUsd'): number => all.reduce((total, one) => total + (one?.[of] ?? 0), 0)
  return {
    ms: Math.max(...tasks.map(endOf)) + (took.get(WRITER)?.ms ?? 0),
    calls: sum('calls'),
    costUsd: sum('costUsd'),
    runs: done.filter((jobs) => jobs.some(({ actor }) => known.includes(actor))).length,
    unknown: agents.filter((agent) => !known.includes(agent)),
  }
}
