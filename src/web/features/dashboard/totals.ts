import type { Operations, Schemas } from '../../../client/api-types.ts'

/** A run with its usage, as returned by the server. */
export type RunUsage = Schemas['RunUsage']

/** Usage of one user, model and day. */
export type PersonUsage = Operations['GET /usage/all']['answer']['items'][number]

interface Usage {
  readonly calls: number
  readonly tokens: number
  readonly costUsd: number
}

export type Outcome = 'answered' | 'partly' | 'declined' | 'failed' | 'other'

/** Answered, declined and failed are counted separately. Active and stopped runs count as none of them. */
export function runOutcome({ status, outcome }: Pick<RunUsage, 'status' | 'outcome'>): Outcome {
  return status === 'failed' ? 'failed' : (outcome ?? 'other')
}

/** The runs of a day by outcome, and their median latency. */
export interface Day extends Readonly<Record<Outcome, number>> {
  /** Start of the day in the user's time zone. */
  readonly at: number
  readonly until: number
  readonly median: number | undefined
}

/** Outcomes and median latency per day, including days without runs. */
export function usageByDay(runs: readonly RunUsage[], days: number, now: number): Day[] {
  const byDay = groupsOf(runs, ({ createdAt }) => startOfDay(Date.parse(createdAt), 0))
  return Array.from({ length: days }, (_none, n) => {
    const at = startOfDay(now, days - 1 - n)
    const group = byDay.get(at) ?? []
    const counts = { answered: 0, partly: 0, declined: 0, failed: 0, other: 0 }
    for (const run of group) counts[runOutcome(run)]++
    return { at, until: startOfDay(now, days - 2 - n), ...counts, median: quantile(latencies(group), 0.5) }
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

type Entry = Usage & { readonly name: string; readonly hasFailed?: boolean; readonly latencyMs?: number }

export interface Total extends Usage {
  readonly name: string
  readonly times: number
  readonly failed: number
  readonly median: number | undefined
}

/** Totals per name, most runs first. */
export function rankedTotals(entries: readonly Entry[]): Total[] {
  return [...groupsOf(entries, ({ name }) => name)]
    .map(([name, group]) => ({
      name,
      times: group.length,
      failed: group.filter(({ hasFailed }) => hasFailed === true).length,
      calls: sumOf(group, ({ calls }) => calls),
      tokens: sumOf(group, ({ tokens }) => tokens),
      costUsd: sumOf(group, ({ costUsd }) => costUsd),
      median: quantile(
        group.flatMap(({ latencyMs }) => latencyMs ?? []),
        0.5,
      ),
    }))
    .toSorted((a, b) => b.times - a.times)
}

export interface RunCount {
  readonly runs: number
  /** Names in the log that share the display name, for the filter of the run list. */
  readonly by: readonly string[]
}

/** Counts the runs per display name. Several names of the log can share one display name. */
export function runsByName(
  runs: readonly RunUsage[],
  partsOf: (run: RunUsage) => readonly string[],
  nameOf: (part: string) => string = (part) => part,
): ReadonlyMap<string, RunCount> {
  const names = groupsOf([...new Set(runs.flatMap(partsOf))], nameOf)
  return new Map(
    [...names].map(([name, parts]) => {
      const isIn = (run: RunUsage): boolean => partsOf(run).some((part) => parts.includes(part))
      return [name, { runs: runs.filter(isIn).length, by: parts.toSorted() }]
    }),
  )
}

/** Usage of one user on the selected days. */
export interface PersonTotal extends Usage {
  readonly userId: string
  readonly name: string
  readonly runs: number
}

/** Usage per user, highest first. */
export function peopleOf(usage: readonly PersonUsage[]): PersonTotal[] {
  return [...groupsOf(usage, ({ userId }) => userId)]
    .map(([userId, group]) => ({
      userId,
      name: group[0]!.username ?? userId,
      runs: sumOf(group, ({ runs }) => runs),
      calls: sumOf(group, ({ calls }) => calls),
      tokens: sumOf(group, ({ inputTokens, outputTokens }) => inputTokens + outputTokens),
      costUsd: sumOf(group, ({ costUsd }) => costUsd),
    }))
    .toSorted((a, b) => b.costUsd - a.costUsd || b.runs - a.runs)
}

export function sumOf<T>(entries: readonly T[], valueOf: (entry: T) => number): number {
  return entries.reduce((sum, entry) => sum + valueOf(entry), 0)
}

function groupsOf<T, Key>(entries: readonly T[], keyOf: (entry: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry])
  return groups
}
