import type { Schemas } from '../../../client/api-types.ts'
import { useGet } from '../../app/data.ts'
import { axisTicks } from '../../run/axis-ticks.ts'
import { useDrag } from '../../ui/use-drag.ts'
import { useWords } from '../../locales/words.tsx'
import { dayRange, isoOf, type TimeRange } from './time-range.ts'

type Counts = Schemas['RunCounts']

const DAY = 86_400_000
const HEIGHT = 40
/** Labels of the time that have room, on a phone as well. */
const MAX_TICKS = 5

interface RunsOverTimeProps extends Required<TimeRange> {
  /** As of the list. */
  readonly query: string
  readonly look: (more: TimeRange) => void
}

/** How many runs began when, over the list of them: a drag or two dates take the time that is looked at. */
export function RunsOverTime({ query, from, until, look }: RunsOverTimeProps) {
  const { words } = useWords()
  const [first, last] = dayRange({ from, until })
  const offset = -new Date().getTimezoneOffset()
  const { data, isError } = useGet<Counts>(`/runs/counts?offset=${offset}&${query}`, true, 30_000)
  // Nothing to show, or the list gives the reason.
  if (data === undefined ? isError : data.items.length === 0 && query === '') return null
  return (
    <section
      className="mb-3 flex flex-col lg:flex-row lg:flex-wrap lg:items-center"
      aria-label={words.runsLook.overTime}
    >
      {data === undefined ? (
        <div className="w-full lg:order-1" style={{ height: HEIGHT + 40 }} />
      ) : (
        <Histogram counts={data} look={look} />
      )}
      <div className="mt-1 flex flex-wrap lg:mt-0 items-center gap-x-3 gap-y-2 text-12 text-text-2">
        <DateField label={words.runsLook.from} value={first} onChange={(day) => look({ from: isoOf(day) })} />
        <DateField label={words.runsLook.to} value={last} onChange={(day) => look({ until: isoOf(day, 1) })} />
      </div>
    </section>
  )
}

function DateField({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <label className="flex items-center gap-1.5">
      {label}
      <input type="date" className="input w-auto!" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  )
}

function Histogram({ counts, look }: { counts: Counts; look: RunsOverTimeProps['look'] }) {
  const { words, formats } = useWords()
  const { stepMs, items } = counts
  const [from, until] = [Date.parse(counts.from), Date.parse(counts.until)]
  const stretches = Math.max(1, Math.ceil((until - from) / stepMs))
  const end = from + stretches * stepMs
  const max = Math.max(1, ...items.map(({ runs }) => runs))
  const beginOf = (n: number): number => from + n * stepMs
  const stretchAt = (share: number): number => Math.min(stretches - 1, Math.floor(share * stretches))
  const { dragged, on } = useDrag(([a, b]) => {
    look({ from: isoAt(beginOf(stretchAt(a))), until: isoAt(beginOf(stretchAt(b) + 1)) })
  })
  /** First and last bar of a drag. */
  const range = dragged?.map(stretchAt)
  const rangeItems = range === undefined ? items : itemsIn(items, beginOf(range[0]!), beginOf(range[1]! + 1))
  const sum = (of: 'runs' | 'declined' | 'failed'): number => rangeItems.reduce((all, one) => all + one[of], 0)
  const [runs, declined, failed] = [sum('runs'), sum('declined'), sum('failed')]
  const runsText = words.runsLook.runs({ n: formats.number(runs), isOne: runs === 1 })
  const spanOf = (a: number, b: number): string =>
    stepMs < DAY ? `${formats.date(a)} – ${formats.time(b)}` : `${formats.day(a)} – ${formats.day(b - 1)}`
  const rangeText =
    range !== undefined
      ? words.runsLook.within({ span: spanOf(beginOf(range[0]!), beginOf(range[1]! + 1)), runs: runsText })
      : counts.isCut
        ? words.runsLook.latest({ n: formats.number(runs) })
        : runsText
  const offsetMs = new Date(from).getTimezoneOffset() * 60_000
  return (
    <>
      <p className="num mb-1 flex min-h-4 flex-1 flex-wrap gap-x-3 text-12 text-text-2">
        <b className="font-medium text-text">{rangeText}</b>
        {declined === 0 ? null : (
          <Legend colour="var(--text-3)" text={words.runsLook.declined({ n: formats.number(declined) })} />
        )}
        {failed === 0 ? null : (
          <Legend colour="var(--bad)" text={words.runsLook.failed({ n: formats.number(failed) })} />
        )}
      </p>
      <div
        // Vertical drags still scroll the page.
        className="relative mt-1 w-full cursor-crosshair lg:order-1 touch-pan-y select-none"
        {...on}
      >
        <svg
          className="block w-full border-b border-line-strong"
          height={HEIGHT}
          viewBox={`0 0 ${stretches} ${max}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.runsLook.overTime}
        >
          {items.map(({ from: begin, runs, declined, failed }) => {
            const x = (Date.parse(begin) - from) / stepMs + 0.1
            const right = runs - declined - failed
            return (
              <g key={begin}>
                <rect x={x} width={0.8} y={max - right} height={right} fill="var(--accent)" />
                <rect x={x} width={0.8} y={max - right - declined} height={declined} fill="var(--text-3)" />
                <rect x={x} width={0.8} y={max - runs} height={failed} fill="var(--bad)" />
              </g>
            )
          })}
        </svg>
        {range === undefined ? null : (
          <span
            className="pointer-events-none absolute inset-y-0 bg-accent/20"
            style={{
              left: `${(range[0]! / stretches) * 100}%`,
              width: `${((range[1]! + 1 - range[0]!) / stretches) * 100}%`,
            }}
          />
        )}
      </div>
      <div className="relative h-5 w-full overflow-hidden lg:order-1" aria-hidden>
        {axisTicks(from, end, MAX_TICKS, offsetMs)
          .filter(({ share }) => share < 0.88)
          .map(({ at, share }) => (
            <span
              key={at}
              className="absolute border-l border-line pl-1 text-11 whitespace-nowrap text-text-3"
              style={{ left: `${share * 100}%` }}
            >
              {new Date(at).getHours() === 0 ? formats.day(at) : formats.time(at)}
            </span>
          ))}
      </div>
    </>
  )
}

function Legend({ colour, text }: { colour: string; text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className="size-2 rounded-xs" style={{ background: colour }} aria-hidden />
      {text}
    </span>
  )
}

function itemsIn(items: Counts['items'], from: number, until: number): Counts['items'] {
  return items.filter(({ from: begin }) => Date.parse(begin) >= from && Date.parse(begin) < until)
}

function isoAt(at: number): string {
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}
