import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import type { Day } from './totals.ts'

const HEIGHT = 180
const FOOT = 24
const HEAD = 16
const SERIES = [
  ['answered', 'var(--c1)'],
  ['partly', 'var(--warn)'],
  ['declined', 'var(--c-muted)'],
  ['failed', 'var(--bad)'],
  ['other', 'var(--c2)'],
] as const

/** Runs per day by outcome. A day links to its runs; the arrow keys move between days. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const { words, formats } = useWords()
  const total = (day: Day): number => day.answered + day.partly + day.declined + day.failed + day.other
  // There is no half a run, and half of this has a line.
  const top = 2 * Math.ceil(Math.max(1, ...days.map(total)) / 2)
  const high = (n: number): number => (n / top) * (HEIGHT - FOOT - HEAD)
  const step = 100 / days.length
  const names = words.dashboard.outcome
  const withRuns = days.filter((day) => total(day) > 0).map(({ at }) => at)
  const [reached, setReached] = useState<number | undefined>()
  const entry = reached !== undefined && withRuns.includes(reached) ? reached : withRuns.at(-1)
  const move = (event: KeyboardEvent<SVGSVGElement>): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const to = step === undefined ? undefined : withRuns[withRuns.indexOf(entry!) + step]
    if (to !== undefined) event.currentTarget.querySelector<SVGAElement>(`[data-day="${to}"]`)?.focus()
  }
  return (
    <div className="p-4">
      <ul className="mb-2 flex flex-wrap gap-x-4 text-12 text-text-2">
        {SERIES.filter(([name]) => days.some((day) => day[name] > 0)).map(([name, colour]) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className="size-2.5 rounded-sm" style={{ background: colour }} aria-hidden />
            {names[name]}
          </li>
        ))}
      </ul>
      <Frame days={days} top={top} label={words.dashboard.perDay} shown={formats.axis} move={move}>
        {days.map((day, at) => {
          let y = HEIGHT - FOOT
          const dayText = `${formats.day(day.at)}: ${SERIES.map(([name]) => `${day[name]} ${names[name]}`).join(', ')}`
          const bars = (
            <>
              <title>{dayText}</title>
              <rect x={`${at * step}%`} width={`${step}%`} y="0" height={HEIGHT - FOOT} fill="transparent" />
              {SERIES.map(([name, colour]) => {
                const own = high(day[name])
                y -= own
                return own === 0 ? null : (
                  <rect
                    key={name}
                    x={`${(at + 0.12) * step}%`}
                    width={`${step * 0.76}%`}
                    y={y}
                    height={Math.max(1, own - 1)}
                    rx="2"
                    fill={colour}
                  />
                )
              })}
            </>
          )
          return total(day) === 0 ? (
            <g key={day.at}>{bars}</g>
          ) : (
            <Link
              key={day.at}
              to="/runs"
              search={{ from: new Date(day.at).toISOString(), until: new Date(day.until).toISOString() }}
              aria-label={dayText}
              data-day={day.at}
              tabIndex={day.at === entry ? 0 : -1}
              onFocus={() => setReached(day.at)}
              className="hover:opacity-80"
            >
              {bars}
            </Link>
          )
        })}
      </Frame>
    </div>
  )
}

/** How long half of a day's runs took at most. Days without a run are left out. */
export function DayLine({ days }: { days: readonly Day[] }) {
  const { words, formats } = useWords()
  const top = Math.max(1, ...days.map(({ median = 0 }) => median))
  const step = 100 / days.length
  const points = days.flatMap(({ at, median }, n) =>
    median === undefined
      ? []
      : [{ at, median, x: (n + 0.5) * step, y: HEIGHT - FOOT - (median / top) * (HEIGHT - FOOT - HEAD) }],
  )
  return (
    <div className="p-4">
      <Frame days={days} top={top} label={words.dashboard.latency} shown={formats.duration}>
        {points.map(({ at, median, x, y }, n) => (
          <g key={at}>
            <title>{`${formats.day(at)}: ${formats.duration(median)}`}</title>
            {n === 0 ? null : (
              <line
                x1={`${points[n - 1]!.x}%`}
                y1={points[n - 1]!.y}
                x2={`${x}%`}
                y2={y}
                stroke="var(--c1)"
                strokeWidth="2"
              />
            )}
            <circle cx={`${x}%`} cy={y} r="3" fill="var(--c1)" />
          </g>
        ))}
      </Frame>
    </div>
  )
}

interface FrameProps {
  readonly days: readonly Day[]
  readonly top: number
  readonly label: string
  readonly shown: (value: number) => string
  readonly children: ReactNode
  /** Given where there is something in it that is pressed, and moved through by keys. */
  readonly move?: (event: KeyboardEvent<SVGSVGElement>) => void
}

function Frame({ days, top, label, shown, children, move }: FrameProps) {
  const { formats } = useWords()
  const step = 100 / days.length
  const every = Math.ceil(days.length / 4)
  const lines = [1, 0.5].map((part) => ({ part, y: HEIGHT - FOOT - part * (HEIGHT - FOOT - HEAD) }))
  return (
    <div className="flex gap-2">
      <div className="num grid flex-none justify-items-end text-11 text-text-3" aria-hidden>
        {lines.map(({ part, y }) =>
          top * part >= 1 || part === 1 ? (
            <span key={part} className="col-start-1 row-start-1 leading-4" style={{ marginTop: y - 8 }}>
              {shown(top * part)}
            </span>
          ) : null,
        )}
      </div>
      <svg
        className="min-w-0 flex-1 overflow-visible"
        height={HEIGHT}
        role={move === undefined ? 'img' : 'group'}
        aria-label={label}
        onKeyDown={move}
      >
        {lines.map(({ part, y }) => (
          <line key={part} x1="0" x2="100%" y1={y} y2={y} stroke="var(--grid)" />
        ))}
        <line x1="0" x2="100%" y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} stroke="var(--border-strong)" />
        {children}
        {days.map(({ at }, n) =>
          n % every === 0 ? (
            <text key={at} x={`${n * step}%`} y={HEIGHT - 6} className="fill-text-3 text-11">
              {formats.day(at)}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}
