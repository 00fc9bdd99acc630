import type { Schemas } from '../../../client/api-types.ts'
/** A run with its usage, as returned by the server. */
export type RunUsage = Schemas['RunUsage']

interface Used {
  readonly calls: number
  readonly tokens: number
  readonly costUsd: number
}

export type Outcome = 'answered' | 'partly' | 'declined' | 'failed' | 'other'

/** Answered, declined and failed are counted separately. Active and stopped runs count as none of them. */
export function runOutcome({ status, outcome }: Pick<RunUsage, 'status' | 'outcome'>): Outcome {
  if (status === 'failed') return 'failed'
  return outcome ?? 'other'
}

export interface Day {
  /** Start of the day in the user's time zone. */
  readonly at: number
  readonly until: number
  readonly answered: number
  readonly partly: number
  readonly declined: number
  readonly failed: number
  readonly other: number
  readonly median?: number
}

/** Outcomes and median latency per day, including days without runs. */
export function usageByDay(runs: readonly RunUsage[], days: number, now: number): Day[] {
  const byDay = new Map<number, RunUsage[]>()
  for (const run of runs) {
    const day = startOfDay(Date.parse(run.createdAt), 0)
    byDay.set(day, [...(byDay.get(day) ?? []), run])
  }
  return Array.from({ length: days }, (_none, n) => {
    const at = startOfDay(now, days - 1 - n)
    const own = byDay.get(at) ?? []
    const counts = { answered: 0, partly: 0, declined: 0, failed: 0, other: 0 }
    for (const run of own) counts[runOutcome(run)]++
    const median = quantile(latencies(own), 0.5)
    return { at, until: startOfDay(now, days - 2 - n), ...counts, ...(median === undefined ? {} : { median }) }
  })
}

/** Start of the day `before` days earlier. A day may have 23 or 25 hours. */
export function startOfDay(at: number, before: number): number {
  const day = new Date(at)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - before).getTime()
}

/** Durations of the answered runs. */
export function latencies(runs: readonly RunUsage[]): number[] {
  return runs.filter(({ status }) => status === 'finished').map(({ latencyMs }) => latencyMs)
}

/** Quantile by the nearest-rank method; undefined for an empty list. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}

export interface Total extends Used {
  readonly name: string
  readonly times: number
  readonly failed: number
  readonly median?: number
}

/** Totals per name, most runs first. */
export function rankedTotals(
  entries: readonly (Used & { readonly name: string; readonly hasFailed?: boolean; readonly latencyMs?: number })[],
): Total[] {
  const names = [...new Set(entries.map(({ name }) => name))]
  return names
    .map((name) => {
      const own = entries.filter((entry) => entry.name === name)
      const sum = (of: (one: (typeof own)[number]) => number): number => own.reduce((all, one) => all + of(one), 0)
      const median = quantile(
        own.flatMap(({ latencyMs }) => latencyMs ?? []),
        0.5,
      )
      return {
        name,
        times: own.length,
        failed: sum(({ hasFailed }) => (hasFailed === true ? 1 : 0)),
        calls: sum(({ calls }) => calls),
        tokens: sum(({ tokens }) => tokens),
        costUsd: sum(({ costUsd }) => costUsd),
        ...(median === undefined ? {} : { median }),
      }
    })
    .toSorted((a, b) => b.times - a.times)
}

export interface Found {
  readonly runs: number
  /** Names in the log that share the display name, for the filter of the run list. */
  readonly by: readonly string[]
}

/** Counts the runs per display name. Several names of the log can share one display name. */
export function runsByName(
  runs: readonly RunUsage[],
  partsOf: (run: RunUsage) => readonly string[],
  nameOf: (part: string) => string = (part) => part,
): ReadonlyMap<string, Found> {
  const parts = [...new Set(runs.flatMap(partsOf))]
  return new Map(
    parts.map((part) => {
      const alike = parts.filter((one) => nameOf(one) === nameOf(part))
      const isIn = (run: RunUsage): boolean => partsOf(run).some((one) => alike.includes(one))
      return [nameOf(part), { runs: runs.filter(isIn).length, by: alike.toSorted() }]
    }),
  )
}

/** Usage of one user on the selected days. */
export interface PersonTotal extends Used {
  readonly userId: string
  readonly name: string
  readonly runs: number
}

/**
 * Usage per user, highest first.
 * @param used usage by user, day and model, from the server
 */
export function peopleOf(used: readonly UsedByPerson[]): PersonTotal[] {
  const people = new Map<string, PersonTotal>()
  for (const { userId, username, runs, calls, inputTokens, outputTokens, costUsd } of used) {
    const before = people.get(userId) ?? { userId, name: username ?? userId, runs: 0, calls: 0, tokens: 0, costUsd: 0 }
    people.set(userId, {
      ...before,
      runs: before.runs + runs,
      calls: before.calls + calls,
      tokens: before.tokens + inputTokens + outputTokens,
      costUsd: before.costUsd + costUsd,
    })
  }
  return [...people.values()].toSorted((a, b) => b.costUsd - a.costUsd || b.runs - a.runs)
}

/** Usage of one user, model and day. */
export interface UsedByPerson {
  readonly userId: string
  readonly username?: string
  readonly runs: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}
