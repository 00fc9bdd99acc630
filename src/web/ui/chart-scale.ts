import type { Chart, ExactNumber } from '../../client/run.ts'

/** Width of a character of the labels, in pixels, at most. */
const CHARACTER = 6.4
/** Colours of `tokens.css`, `--c1` and so on. */
export const COLOURS = 8

/** A number of a chart as a double; undefined where it is unknown. */
export function valueOf(cell: ExactNumber | null | undefined): number | undefined {
  return cell === null || cell === undefined ? undefined : Number(cell)
}

export function colourOf(at: number): string {
  return `var(--c${(at % COLOURS) + 1})`
}

export function textWidth(text: string): number {
  return text.length * CHARACTER
}

/** Which values are written at their points: all of a few; along a line its highest, lowest, last and first, as far as there is room between them. */
export function labelledIndexes(values: readonly number[], isTime: boolean): ReadonlySet<number> {
  if (values.length <= 8 || (!isTime && values.length <= 14)) return new Set(values.keys())
  if (!isTime) return new Set()
  const candidates = [values.indexOf(Math.max(...values)), values.indexOf(Math.min(...values)), values.length - 1, 0]
  const room = Math.ceil(values.length / 8)
  const chosen = new Set<number>()
  for (const one of candidates) if (![...chosen].some((other) => Math.abs(other - one) < room)) chosen.add(one)
  return chosen
}

/** Round numbers, at most seven, that hold all values between them. Decimals are counted in steps, so that none is 0.30000000000000004. */
export function axisTickValues(min: number, max: number): number[] {
  if (!(max > min)) return [0, 1]
  const rough = (max - min) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * (1 - 1e-9))!
  const [first, last] = [Math.floor(min / step), Math.ceil(max / step)]
  return Array.from({ length: last - first + 1 }, (_none, at) => Number(((first + at) * step).toPrecision(12)))
}

export function shorten(label: string, length: number): string {
  return label.length > length ? `${label.slice(0, length - 1)}…` : label
}

/** A line through its points; a gap where a value is unknown. */
export function linePath(points: readonly (readonly [x: number, y: number] | undefined)[]): string {
  const pieces: (readonly [number, number])[][] = [[]]
  for (const point of points) {
    if (point === undefined) pieces.push([])
    else pieces.at(-1)!.push(point)
  }
  return pieces
    .filter((piece) => piece.length > 0)
    .map((piece) => piece.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(''))
    .join('')
}

/** Name and size of a part of a pie. */
export interface Part {
  readonly name: string
  readonly value: number
}

/** The parts of a pie; those for which there is no colour are one. */
export function pieSlices(
  { x, series, rows }: Chart,
  write: (cell: unknown) => string,
  other: string,
): readonly Part[] {
  const all = rows.map((row) => ({ name: write(row[x]), value: valueOf(row[series[0]!]) ?? 0 }))
  if (all.length <= COLOURS) return all
  const sorted = all.toSorted((a, b) => b.value - a.value)
  const otherValue = sorted.slice(COLOURS - 1).reduce((sum, { value }) => sum + value, 0)
  return [...sorted.slice(0, COLOURS - 1), { name: other, value: otherValue }]
}
