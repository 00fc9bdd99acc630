import type { RunView } from './run-log.ts'
import type { Step } from './steps.ts'

/** A stretch of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** From the first thing that was done to the last. @param now until when something lasts that is not over */
export function spanOf(steps: readonly Step[], now: number): Span | undefined {
  const begun = steps.filter(({ startedAt }) => startedAt !== undefined)
  if (begun.length === 0) return undefined
  return {
    from: Math.min(...begun.map(({ startedAt }) => startedAt!)),
    until: Math.max(...begun.map(({ endedAt }) => endedAt ?? now)),
  }
}

/** What of a stretch lies in another one, as shares of that; undefined where nothing does. */
export function shareOf({ from, until }: Span, within: Span): readonly [left: number, width: number] | undefined {
  const whole = Math.max(1, within.until - within.from)
  const [begin, end] = [Math.max(from, within.from), Math.min(until, within.until)]
  return begin > end ? undefined : [(begin - within.from) / whole, (end - begin) / whole]
}

/** Not less of a run than this is shown over the whole width. */
const LEAST = 0.01

/** So many times as much of a run, moved by a share of what is shown; undefined is all of it. */
export function zoomed(shown: Span, whole: Span, times: number, by = 0): Span | undefined {
  const all = whole.until - whole.from
  const length = Math.max((shown.until - shown.from) * times, all * LEAST)
  if (length >= all) return undefined
  const middle = (shown.from + shown.until) / 2 + by * length
  const from = Math.min(Math.max(middle - length / 2, whole.from), whole.until - length)
  return { from, until: from + length }
}

/** A step that failed, and its call that did, where it was one. */
export interface Wrong {
  readonly step: string
  readonly path?: string
}

/** Everything that went wrong, in the order of the steps. */
export function wrongIn(steps: readonly Step[], { calls }: Pick<RunView, 'calls'>): readonly Wrong[] {
  return steps.flatMap((step): Wrong[] => {
    const failed = (calls.get(step.id) ?? []).filter(({ error }) => error !== undefined)
    if (failed.length > 0) return failed.map(({ path }) => ({ step: step.id, path }))
    return step.state === 'failed' ? [{ step: step.id }] : []
  })
}

/** Agents of a run in the order in which they began, each with how much it did: its calls, or its steps without any. */
export function agentsIn(steps: readonly Step[], { calls }: Pick<RunView, 'calls'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { id, actor } of steps)
    counts.set(actor, (counts.get(actor) ?? 0) + Math.max(1, calls.get(id)?.length ?? 0))
  return counts
}
