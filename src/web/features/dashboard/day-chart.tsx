import { Link } from '@tanstack/react-router'
import { Chart } from '../../ui/chart.tsx'
import { useWords } from '../../locales/words.tsx'
import { sumOf, type Day } from './totals.ts'

/** With the legend, as high as the chart beside it. */
const HEIGHT = 236
const FOOT = 24
const HEAD = 16
const SERIES = [
  ['answered', 'var(--c1)'],
  ['partly', 'var(--warn)'],
  ['declined', 'var(--c-muted)'],
  ['failed', 'var(--bad)'],
  ['other', 'var(--c2)'],
] as const

/** Runs per day by outcome. A day links to its runs. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const { words, formats } = useWords()
  const total = (day: Day): number => sumOf(SERIES, ([name]) => day[name])
  // There is no half a run, and half of this has a line.
  const top = 2 * Math.ceil(Math.max(1, ...days.map(total)) / 2)
  const high = (n: number): number => (n / top) * (HEIGHT - FOOT - HEAD)
  const step = 100 / days.length
  const names = words.dashboard.outcome
  const every = Math.ceil(days.length / 4)
  const lines = [top, top / 2].map((value) => ({ value, y: HEIGHT - FOOT - high(value) }))
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
      <div className="flex gap-2">
        <div className="num grid flex-none justify-items-end text-11 text-text-3" aria-hidden>
          {lines.map(({ value, y }) => (
            <span key={y} className="col-start-1 row-start-1 leading-4" style={{ marginTop: y - 8 }}>
              {formats.axis(value)}
            </span>
          ))}
        </div>
        <svg
          className="min-w-0 flex-1 overflow-visible"
          height={HEIGHT}
          role="group"
          aria-label={words.dashboard.perDay}
        >
          {lines.map(({ y }) => (
            <line key={y} x1="0" x2="100%" y1={y} y2={y} stroke="var(--grid)" />
          ))}
          <line x1="0" x2="100%" y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} stroke="var(--border-strong)" />
          {days.map((day, at) => {
            let y = HEIGHT - FOOT
            const dayText = `${formats.day(day.at)}: ${SERIES.map(([name]) => `${day[name]} ${names[name]}`).join(', ')}`
            const bars = (
              <>
                <title>{dayText}</title>
                <rect x={`${at * step}%`} width={`${step}%`} y="0" height={HEIGHT - FOOT} fill="transparent" />
                {SERIES.map(([name, colour]) => {
                  const height = high(day[name])
                  y -= height
                  if (height === 0) return null
                  const [x, width] = [`${(at + 0.12) * step}%`, `${step * 0.76}%`]
                  return (
                    <rect key={name} x={x} y={y} width={width} height={Math.max(1, height - 1)} rx="2" fill={colour} />
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
                className="hover:opacity-80"
              >
                {bars}
              </Link>
            )
          })}
          {days.map(({ at }, n) =>
            n % every === 0 ? (
              <text key={at} x={`${n * step}%`} y={HEIGHT - 6} className="fill-text-3 text-11">
                {formats.day(at)}
              </text>
            ) : null,
          )}
        </svg>
      </div>
    </div>
  )
}

/** Median latency per day, in seconds. */
export function DayLine({ days }: { days: readonly Day[] }) {
  const { words, formats } = useWords()
  const rows = days.map(({ at, median }) => ({
    [words.dashboard.day]: formats.day(at),
    [words.dashboard.median]: median === undefined ? null : median / 1_000,
  }))
  return (
    <div className="p-4">
      <Chart
        chart={{
          type: 'line',
          title: words.dashboard.latency,
          x: words.dashboard.day,
          series: [words.dashboard.median],
          unit: 's',
          rows,
        }}
      />
    </div>
  )
}
