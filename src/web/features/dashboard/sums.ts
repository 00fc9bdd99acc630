import type { Schemas } from '../../../client/api-types.ts'
/** A run with what it used, as the server tells it. */
export type RunUsage = Schemas['RunUsage']

interface Used {
  readonly calls: number
  readonly tokens: number
  readonly costUsd: number
}

export type Outcome = 'answered' | 'partly' | 'declined' | 'failed' | 'other'

/** Answered, declined and failed are never folded into one; what continues or was stopped is none of them. */
export function runOutcome({ status, outcome }: Pick<RunUsage, 'status' | 'outcome'>): Outcome {
  if (status === 'failed') return 'failed'
  return outcome ?? 'other'
}

export interface Day {
  /** Its first moment, in the time of the reader. */
  readonly at: number
  readonly until: number
  readonly answered: number
  readonly partly: number
  readonly declined: number
  readonly failed: number
  readonly other: number
  readonly median?: number
}

/** Each day from the first to the last, those without a run among them. */
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

/** When a day began, so many days before another. A day may have 23 or 25 hours. */
export function startOfDay(at: number, before: number): number {
  const day = new Date(at)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - before).getTime()
}

/** How long runs took that came to an answer. */
export function latencies(runs: readonly RunUsage[]): number[] {
  return runs.filter(({ status }) => status === 'finished').map(({ latencyMs }) => latencyMs)
}

/** The nearest rank; undefined of nothing. */
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

/** What each did and used, those that did most first. */
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
  /** What finds them in the list of runs. */
  readonly by: readonly string[]
}

/** In how many runs something takes part that goes by a name, and under which names of the log it does. */
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

/** What one person used, of the days that were asked for. */
export interface PersonTotal extends Used {
  readonly userId: string
  readonly name: string
  readonly runs: number
}

/** What each person used, who used most first. @param used by person, day and model, as the server tells it */
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

/** What somebody used of a model on a day. */
export interface UsedByPerson {
  readonly userId: string
  readonly username?: string
  readonly runs: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}
