import type { ExactNumber } from '../../client/run.ts'
import { useWords } from '../words/words.tsx'

export interface ChartPoint {
  readonly label: string
  readonly value: ExactNumber
}

const HEIGHT = 180
const LABELS = 20
/** Per cent of the width, for the numbers beside the lines. */
const AXIS = 11

/** Bars of one series, or a line where the labels are points in time. Its table says the same to who cannot see it. */
export function Chart({ points, isTime, title }: { points: readonly ChartPoint[]; isTime: boolean; title: string }) {
  const { formats } = useWords()
  const values = points.map(({ value }) => Number(value))
  const ticks = ticksFor(Math.min(0, ...values), Math.max(0, ...values))
  const [bottom, top] = [ticks[0]!, ticks.at(-1)!]
  const span = top - bottom || 1
  const step = (100 - AXIS) / points.length
  const y = (value: number): number => LABELS + ((top - value) / span) * (HEIGHT - 2 * LABELS)
  const every = Math.ceil(points.length / 8)
  const isLabelled = labelledOf(values, isTime)
  return (
    <figure className="p-4">
      <figcaption className="pb-2 text-12 text-text-2">{title}</figcaption>
      <svg className="w-full overflow-visible" height={HEIGHT} role="img" aria-label={title}>
        {ticks.map((value) => (
          <g key={value}>
            <line x1={`${AXIS}%`} x2="100%" y1={y(value)} y2={y(value)} stroke="var(--grid)" />
            <text x={`${AXIS - 2}%`} y={y(value) + 4} textAnchor="end" className="fill-text-3 text-11">
              {formats.axis(value)}
            </text>
          </g>
        ))}
        <line x1={`${AXIS}%`} x2="100%" y1={y(0)} y2={y(0)} stroke="var(--border-strong)" />
        {points.map(({ label, value: exact }, at) => (
          <g key={label}>
            <title>{`${label}: ${formats.number(exact)}`}</title>
            {isTime ? (
              <>
                {at === 0 ? null : (
                  <line
                    x1={`${AXIS + (at - 0.5) * step}%`}
                    y1={y(values[at - 1]!)}
                    x2={`${AXIS + (at + 0.5) * step}%`}
                    y2={y(values[at]!)}
                    stroke="var(--c1)"
                    strokeWidth="2"
                  />
                )}
                <circle cx={`${AXIS + (at + 0.5) * step}%`} cy={y(values[at]!)} r="3" fill="var(--c1)" />
              </>
            ) : (
              <rect
                x={`${AXIS + (at + 0.15) * step}%`}
                width={`${step * 0.7}%`}
                y={Math.min(y(0), y(values[at]!))}
                height={Math.max(1, Math.abs(y(0) - y(values[at]!)))}
                rx="3"
                fill="var(--c1)"
              />
            )}
            {at % every === 0 && AXIS + (at + 0.5) * step < 97 ? (
              <text
                x={`${AXIS + (at + 0.5) * step}%`}
                y={HEIGHT - 4}
                textAnchor="middle"
                className={`fill-text-3 text-11 ${points.length > 4 && (at / every) % 2 === 1 ? 'max-sm:hidden' : ''}`}
              >
                {/* Days and months have all the room that they need. */}
                {isTime ? label : short(label, points.length > 6 ? 9 : 16)}
              </text>
            ) : null}
          </g>
        ))}
        {points.map(({ label }, at) =>
          isLabelled.has(at) ? (
            // In front of all lines.
            <text
              key={label}
              x={`${AXIS + (at + 0.5) * step}%`}
              y={y(values[at]!) - 7}
              textAnchor="middle"
              className="halo fill-text text-11"
            >
              {formats.compact(values[at]!)}
            </text>
          ) : null,
        )}
      </svg>
    </figure>
  )
}

/** Which values are written at their points: all of a few; along a line its highest, lowest, last and first, as far as there is room between them. */
export function labelledOf(values: readonly number[], isTime: boolean): ReadonlySet<number> {
  if (values.length <= 8 || (!isTime && values.length <= 14)) return new Set(values.keys())
  if (!isTime) return new Set()
  const wanted = [values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values)), values.length - 1, 0]
  const room = Math.ceil(values.length / 8)
  const taken = new Set<number>()
  for (const one of wanted) if (![...taken].some((other) => Math.abs(other - one) < room)) taken.add(one)
  return taken
}

/** Round numbers, at most seven, that hold all values between them. Decimals are counted in steps, so that none is 0.30000000000000004. */
export function ticksFor(least: number, most: number): number[] {
  if (!(most > least)) return [0, 1]
  const rough = (most - least) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * (1 - 1e-9))!
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)]
  return Array.from({ length: last - first + 1 }, (_none, at) => Number(((first + at) * step).toPrecision(12)))
}

function short(label: string, length: number): string {
  return label.length > length ? `${label.slice(0, length - 1)}…` : label
}
