import type { Step } from '../../run/steps.ts'
import { hueOf } from '../../run/agents.ts'

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
    until: Math.max(...begun.map(({ endedAt }) => endedAt ?? now)),
  }
}

export function stepColour({ state, actor }: Step): string {
  return state === 'failed' ? 'var(--bad)' : `var(--ag-${hueOf(actor)})`
}

interface SpanBarProps extends Span {
  readonly span: Span
  readonly colour: string
  readonly className: string
}

/** Bar of an activity on the time scale of the run. It is decorative; the duration is shown as text. */
export function SpanBar({ span, from, until, colour, className }: SpanBarProps) {
  const whole = Math.max(1, span.until - span.from)
  const left = `min(${(100 * (from - span.from)) / whole}%, 100% - 3px)`
  const width = `max(3px, ${(100 * (until - from)) / whole}%)`
  return (
    <span className={`relative ${className}`} aria-hidden>
      <span className="absolute h-full max-w-full rounded-xs" style={{ left, width, background: colour }} />
    </span>
  )
}
