import { useEffect, useRef, useState, type Ref, type ReactNode } from 'react'
import type { Chart as ChartData } from '../../client/run.ts'
import { useWords, type Localization } from '../locales/words.tsx'
import {
  colourOf,
  labelledIndexes,
  pieSlices,
  linePath,
  shorten,
  textWidth,
  axisTickValues,
  valueOf,
  type Part,
} from './chart-scale.ts'

const HEIGHT = 260
const TOP = 26
const BOTTOM = 40
const RIGHT = 14
const LEGEND_LINE = 20
const RADIUS = 96
/** Maximum characters of a label on the x axis. */
const MAX_LABEL = 18
const MAX_SLANTED = 12
/** Minimum width of a bar with a slanted label, in pixels. */
const MIN_SLANTED = 12
/** As wide as it is until it has been measured. */
const FIRST_WIDTH = 640

interface ChartProps {
  readonly chart: ChartData
  /** Writes a cell of the x axis. */
  readonly write?: (cell: unknown) => string
  /** The drawing, to be saved. */
  readonly drawing?: Ref<SVGSVGElement>
}

/** A chart as SVG, at the width that there is. Its card has a table which says the same. */
export function Chart({ chart, write = plain, drawing }: ChartProps) {
  const locale = useWords()
  const [box, width] = useWidth()
  const parts = chart.type === 'pie' ? pieSlices(chart, write, locale.words.reading.otherParts) : []
  const names = chart.type === 'pie' ? pieLegend(parts, locale) : chart.series.map(readable)
  const legend = names.length > 1 || chart.type === 'pie' ? legendPlaces(names, width) : []
  const below = (legend.at(-1)?.line ?? -1) + 1
  const height = HEIGHT + below * LEGEND_LINE + (below > 0 ? 8 : 0)
  return (
    <div ref={box} className="w-full">
      <svg
        ref={drawing}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={chart.title}
      >
        {chart.type === 'pie' ? (
          <Pie parts={parts} width={width} locale={locale} />
        ) : (
          <Plot chart={chart} width={width} write={write} locale={locale} />
        )}
        {legend.map(({ name, x, line }, at) => (
          <g key={at} transform={`translate(${x} ${HEIGHT + 10 + line * LEGEND_LINE})`}>
            <rect width="10" height="10" y="1" rx="2" fill={colourOf(at)} />
            <text x="16" y="10" className="fill-text-2 text-11">
              {name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

function plain(cell: unknown): string {
  return cell === null || cell === undefined ? '–' : String(cell)
}

function readable(column: string): string {
  return column.replaceAll('_', ' ')
}

function useWidth(): readonly [Ref<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const wide = Math.floor(entry!.contentRect.width)
      if (wide > 0) setWidth(wide)
    })
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return [box, width]
}

function pieLegend(parts: readonly Part[], { formats }: Localization): string[] {
  const total = parts.reduce((sum, { value }) => sum + value, 0) || 1
  return parts.map(
    ({ name, value }) => `${shorten(name, 28)}: ${formats.number(value)} (${formats.percent(value / total)})`,
  )
}

/** Names side by side, in as many lines as they need. */
function legendPlaces(names: readonly string[], width: number) {
  let [x, line] = [0, 0]
  return names.map((name) => {
    const wide = textWidth(name) + 32
    if (x > 0 && x + wide > width) [x, line] = [0, line + 1]
    const place = { name, x, line }
    x += wide
    return place
  })
}

function Pie({ parts, width, locale: { formats } }: { parts: readonly Part[]; width: number; locale: Localization }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0) || 1
  const [cx, cy] = [width / 2, HEIGHT / 2]
  const at = (share: number): string => {
    const angle = (share - 0.25) * 2 * Math.PI
    return `${(cx + RADIUS * Math.cos(angle)).toFixed(2)} ${(cy + RADIUS * Math.sin(angle)).toFixed(2)}`
  }
  const starts = parts.map((_part, n) => parts.slice(0, n).reduce((sum, { value }) => sum + value, 0) / total)
  return parts.map(({ name, value }, n) => {
    const [from, share] = [starts[n]!, value / total]
    const title = <title>{`${name}: ${formats.number(value)} (${formats.percent(share)})`}</title>
    const look = { fill: colourOf(n), stroke: 'var(--surface)', strokeWidth: 1.5 }
    if (share > 0.9999) {
      return (
        <circle key={name} cx={cx} cy={cy} r={RADIUS} {...look}>
          {title}
        </circle>
      )
    }
    const arc = `A${RADIUS} ${RADIUS} 0 ${share > 0.5 ? 1 : 0} 1 ${at(from + share)}`
    return (
      <path key={name} d={`M${cx} ${cy}L${at(from)}${arc}Z`} {...look}>
        {title}
      </path>
    )
  })
}

interface PlotProps extends Required<Pick<ChartProps, 'chart' | 'write'>> {
  readonly width: number
  readonly locale: Localization
}

/** Axes, and bars or lines between them. */
function Plot({ chart, width, write, locale: { formats } }: PlotProps) {
  const { type, x, series, rows, unit } = chart
  const figures = series.map((column) => rows.map((row) => valueOf(row[column])))
  const values = figures.flat().filter((value) => value !== undefined)
  const ticks = axisTickValues(Math.min(0, ...values), Math.max(0, ...values))
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const left = Math.max(...ticks.map((tick) => textWidth(formats.axis(tick)))) + 10
  const inner = width - left - RIGHT
  const step = inner / rows.length
  const middle = (at: number): number => left + (at + 0.5) * step
  const names = rows.map((row) => shorten(write(row[x]), MAX_LABEL))
  const widest = Math.max(...names.map(textWidth)) + 8
  // Each bar has its label, slanted where they do not fit side by side.
  const isSlanted = type === 'bar' && widest > step && step > MIN_SLANTED
  const labels = isSlanted ? names.map((name) => shorten(name, MAX_SLANTED)) : names
  const every = isSlanted ? 1 : Math.max(1, Math.ceil(widest / step))
  const bottom = isSlanted ? BOTTOM + 44 : BOTTOM
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - bottom)
  const base = y(Math.max(low, Math.min(high, 0)))
  const xLabels = labels.flatMap((label, at) => (at % every === 0 ? [[middle(at), label] as const] : []))
  const isLine = type === 'line'
  const firstSeries = figures[0]!.map((value) => value ?? low)
  const written = series.length > 1 ? new Set<number>() : labelledIndexes(firstSeries, isLine)
  const valueName = series.length === 1 ? readable(series[0]!) : ''
  const titleOf = (n: number, at: number): ReactNode => {
    const cell = rows[at]![series[n]!]
    return (
      <title>{`${write(rows[at]![x])}, ${readable(series[n]!)}: ${formats.number(cell!)}${unit === undefined ? '' : ` ${unit}`}`}</title>
    )
  }
  return (
    <>
      <text x="0" y="12" className="fill-text-3 text-11">
        {valueName === '' || unit === undefined ? `${valueName}${unit ?? ''}` : `${valueName} (${unit})`}
      </text>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} stroke="var(--grid)" />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end" className="fill-text-3 text-11">
            {formats.axis(tick)}
          </text>
        </g>
      ))}
      <line x1={left} x2={width - RIGHT} y1={base} y2={base} stroke="var(--border-strong)" />
      {xLabels.map(([place, label]) => (
        <text
          key={place}
          transform={`translate(${place} ${HEIGHT - bottom + 16})${isSlanted ? ' rotate(-40)' : ''}`}
          textAnchor={isSlanted ? 'end' : 'middle'}
          className="fill-text-3 text-11"
        >
          {label}
        </text>
      ))}
      <text x={left + inner / 2} y={HEIGHT - 6} textAnchor="middle" className="fill-text-3 text-11">
        {readable(x)}
      </text>
      {figures.map((column, n) => {
        const placed = column.map((value, at) => (value === undefined ? undefined : ([middle(at), y(value)] as const)))
        const bar = (step * 0.7) / series.length
        return (
          <g key={series[n]}>
            {isLine ? <path d={linePath(placed)} fill="none" stroke={colourOf(n)} strokeWidth="2" /> : null}
            {placed.map((point, at) => {
              if (point === undefined) return null
              const [px, py] = point
              if (isLine) {
                return (
                  <circle key={at} cx={px} cy={py} r={rows.length > 60 ? 2 : 3} fill={colourOf(n)}>
                    {titleOf(n, at)}
                  </circle>
                )
              }
              const from = left + at * step + step * 0.15 + n * bar
              return (
                <rect
                  key={at}
                  x={from}
                  width={Math.max(1, bar - (series.length > 1 ? 1 : 0))}
                  y={Math.min(base, py)}
                  height={Math.max(1, Math.abs(base - py))}
                  rx={bar > 8 ? 3 : 0}
                  fill={colourOf(n)}
                >
                  {titleOf(n, at)}
                </rect>
              )
            })}
          </g>
        )
      })}
      {[...written].map((at) =>
        figures[0]![at] === undefined || (!isLine && textWidth(formats.compact(firstSeries[at]!)) > step) ? null : (
          // In front of all lines.
          <text
            key={at}
            x={middle(at)}
            y={y(firstSeries[at]!) - 7}
            textAnchor="middle"
            className="halo fill-text text-11"
          >
            {formats.compact(firstSeries[at]!)}
          </text>
        ),
      )}
    </>
  )
}
