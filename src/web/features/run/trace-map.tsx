import { hueOf } from '../../run/agents.ts'
import type { Step } from '../../run/steps.ts'
import { shareOf, type Span } from '../../run/trace.ts'
import { useDrag, type Dragged } from '../../ui/use-drag.ts'
import { useWords } from '../../locales/words.tsx'

const [WIDTH, HEIGHT] = [1_000, 36]
const BAD = 'var(--bad)'

interface TraceMapProps {
  readonly steps: readonly Step[]
  /** Of all of the run. */
  readonly whole: Span
  /** The part that is shown; all of it where it is the same. */
  readonly shown: Span
  readonly zoom: (to: Span) => void
}

/** All of a run in little: a drag shows a part of it over the whole width. */
export function TraceMap({ steps, whole, shown, zoom }: TraceMapProps) {
  const { words } = useWords()
  const partOf = ([from, until]: Dragged): Span => {
    const length = whole.until - whole.from
    return { from: whole.from + from * length, until: whole.from + until * length }
  }
  const { dragged, on } = useDrag((drag) => {
    // A press that was no drag takes nothing.
    if (drag[1] - drag[0] > 0.01) zoom(partOf(drag))
  })
  const begun = steps.filter(({ startedAt }) => startedAt !== undefined)
  const lane = HEIGHT / Math.max(8, begun.length)
  const top = (HEIGHT - (begun.length - 1) * lane) / 2
  /** One line for each colour, however many steps there are. */
  const lines = new Map<string, string>()
  for (const [n, { actor, state, startedAt, endedAt }] of begun.entries()) {
    const colour = state === 'failed' ? BAD : `var(--ag-${hueOf(actor)})`
    const [left, width] = shareOf({ from: startedAt!, until: endedAt ?? whole.until }, whole)!
    const line = `M${(left * WIDTH).toFixed(1)} ${(top + n * lane).toFixed(2)}h${Math.max(2, width * WIDTH).toFixed(1)}`
    lines.set(colour, (lines.get(colour) ?? '') + line)
  }
  const marked = dragged === undefined ? shown : partOf(dragged)
  const isAll = marked.from <= whole.from && marked.until >= whole.until
  const [left, width] = shareOf(marked, whole) ?? [0, 1]
  return (
    <svg
      className="on-paper block w-full flex-none cursor-crosshair touch-pan-y border-b border-line bg-surface select-none"
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.trace.map}
      {...on}
    >
      {[...lines]
        .toSorted(([one], [other]) => Number(one === BAD) - Number(other === BAD))
        .map(([colour, line]) => (
          <path key={colour} d={line} stroke={colour} strokeWidth={Math.max(1.5, Math.min(3, lane))} fill="none" />
        ))}
      {isAll ? null : (
        <path
          d={`M0 0H${left * WIDTH}V${HEIGHT}H0ZM${(left + width) * WIDTH} 0H${WIDTH}V${HEIGHT}H${(left + width) * WIDTH}Z`}
          fill="var(--text)"
          opacity={0.15}
        />
      )}
    </svg>
  )
}
