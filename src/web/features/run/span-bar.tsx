import { axisTicks } from '../../run/axis-ticks.ts'
import { shareOf, type Span } from '../../run/trace.ts'
import { useWords } from '../../locales/words.tsx'

/** Position of the bars in a trace: beside their rows, or below if there is no room. */
const COLUMN = 'relative order-last w-full flex-none @2xl:order-none @2xl:w-[40cqw]'

interface SpanBarProps extends Span {
  readonly span: Span
  readonly colour: string
}

/** Bar of an activity on the time scale of the run. It is decorative; the duration is shown as text. */
export function SpanBar({ span, from, until, colour }: SpanBarProps) {
  const [left, width] = shareOf({ from, until }, span) ?? []
  return (
    <span className={`${COLUMN} h-1.5 @2xl:h-2`} aria-hidden>
      {left === undefined ? null : (
        <span
          className="absolute h-full max-w-full rounded-xs"
          style={{
            left: `min(${left * 100}%, 100% - 3px)`,
            width: `max(3px, ${width! * 100}%)`,
            background: colour,
          }}
        />
      )}
    </span>
  )
}

const MAX_TICKS = 5

/** The scale of the bars, above and behind them. @param begin of the run, from which time is counted */
export function TimeAxis({ span, begin, isBehind = false }: { span: Span; begin: number; isBehind?: boolean }) {
  const { formats } = useWords()
  const ticks = axisTicks(span.from, span.until, MAX_TICKS, begin)
  const step = (ticks[1]?.at ?? 0) - (ticks[0]?.at ?? 0)
  const digits = [1_000, 100, 10].findIndex((least) => step >= least)
  const isLong = span.until - begin >= 60_000
  const label = (ms: number): string =>
    isLong && step >= 1_000 ? clockOf(ms) : `${formats.number(ms / 1_000, ms === 0 ? 0 : digits === -1 ? 3 : digits)} s`
  return (
    <span className={`${COLUMN} ${isBehind ? '' : 'h-4'}`} aria-hidden>
      {ticks.map(({ at, share }) => (
        <span
          key={at}
          className="absolute inset-y-0 border-l border-line pl-1 text-11 whitespace-nowrap text-text-3"
          style={{ left: `${share * 100}%` }}
        >
          {isBehind || share > 0.9 ? null : label(at - begin)}
        </span>
      ))}
    </span>
  )
}

/** Minutes and seconds, as a stopwatch shows them. */
function clockOf(ms: number): string {
  const [seconds, minutes] = [Math.floor(ms / 1_000) % 60, Math.floor(ms / 60_000)]
  const twoDigits = (value: number): string => String(value).padStart(2, '0')
  return minutes < 60
    ? `${minutes}:${twoDigits(seconds)}`
    : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds)}`
}
