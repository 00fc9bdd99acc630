import type { Step } from '../../run/steps.ts'

/** From the first thing that was done to the last, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** @param now until when something lasts that is not over */
export function spanOf(steps: readonly Step[], now: number): Span | undefined {
  const begun = steps.filter(({ startedAt }) => startedAt !== undefined)
  if (begun.length === 0) return undefined
  return {
    from: Math.min(...begun.map(({ startedAt }) => startedAt!)),
    until: Math.max(...begun.map(({ endedAt }) => endedAt ?? now)),
  }
}

interface SpanBarProps extends Span {
  readonly span: Span
  readonly colour: string
}

/** When something was done, on the scale of all of it, in the same place of each row. It is for the eye: how long it took stands beside it. */
export function SpanBar({ span, from, until, colour }: SpanBarProps) {
  const whole = Math.max(1, span.until - span.from)
  const left = Math.min(100, Math.max(0, ((from - span.from) / whole) * 100))
  return (
    <span className="relative hidden h-2 w-[40cqw] flex-none @2xl:block" aria-hidden>
      <span
        className="absolute h-2 max-w-full rounded-xs"
        style={{
          left: `min(${left}%, 100% - 3px)`,
          width: `max(3px, ${Math.min(100 - left, ((until - from) / whole) * 100)}%)`,
          background: colour,
        }}
      />
    </span>
  )
}
