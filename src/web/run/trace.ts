import type { RunView } from './run-log.ts'
import type { Step } from './steps.ts'

/** A stretch of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number
  readonly until: number
}

/**
 * The time span from the first to the last activity.
 * @param now end of activities that are still running
 */
export function spanOf(steps: readonly Step[], now: number): Span | undefined {
  const begun = steps.filter(({ startedAt }) => startedAt !== undefined)
  if (begun.length === 0) return undefined
  return {
    from: Math.min(...begun.map(({ startedAt }) => startedAt!)),
    // The clock of the server may be ahead.
    until: Math.max(...begun.map(({ startedAt, endedAt }) => endedAt ?? Math.max(startedAt!, now))),
  }
}

/** The part of a span within another, as left offset and width in fractions; undefined if they do not overlap. */
export function shareOf({ from, until }: Span, within: Span): readonly [left: number, width: number] | undefined {
  const length = Math.max(1, within.until - within.from)
  const [begin, end] = [Math.max(from, within.from), Math.min(until, within.until)]
  return begin > end ? undefined : [(begin - within.from) / length, (end - begin) / length]
}

/** A failed step, and its failed call if there is one. */
export interface StepFailure {
  readonly step: string
  readonly path?: string
}

/** All failures, in the order of the steps. */
export function failuresIn(steps: readonly Step[], { calls }: Pick<RunView, 'calls'>): readonly StepFailure[] {
  return steps.flatMap((step): StepFailure[] => {
    const failed = (calls.get(step.id) ?? []).filter(({ error }) => error !== undefined)
    if (failed.length > 0) return failed.map(({ path }) => ({ step: step.id, path }))
    return step.state === 'failed' ? [{ step: step.id }] : []
  })
}

/** Agents of a run by start order, each with its number of calls, or of steps if there are no calls. */
export function agentsIn(steps: readonly Step[], { calls }: Pick<RunView, 'calls'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { id, actor } of steps)
    counts.set(actor, (counts.get(actor) ?? 0) + Math.max(1, calls.get(id)?.length ?? 0))
  return counts
}
