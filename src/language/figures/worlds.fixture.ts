import type fc from 'fast-check'
import type { Table } from '../../core/table.ts'

/** What is right of a world, and what is nearly the same and wrong. */
interface Claim {
  readonly right: string
  /** What is wrong of the twin, and the twin; absent where it came to be right after all. */
  readonly wrong: Readonly<Record<string, string | undefined>>
}

export interface World {
  readonly table: Table
  readonly texts?: readonly string[]
  readonly question?: string
  readonly claims: Readonly<Record<string, Claim>>
}

export interface Dice {
  of<T>(list: readonly T[]): T
  from(from: number, to: number): number
  some<T>(list: readonly T[], n: number): T[]
}

export function dice(stream: fc.Stream<number>): Dice {
  const next = (below: number): number => stream.next().value! % below
  const some = <T>(list: readonly T[], n: number): T[] => {
    const left = [...list]
    return Array.from({ length: n }, () => left.splice(next(left.length), 1)[0]!)
  }
  return { of: (list) => list[next(list.length)]!, from: (from, to) => from + next(to - from + 1), some }
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export const say = (figure: number): string => figure.toLocaleString('en-US', { maximumFractionDigits: 2 })
export const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** Distinct numbers, of which no two are near each other and none is the sum, mean or median of others by chance. */
export function numbers(draw: Dice, n: number, low: number, step: number): number[] {
  return draw
    .some(
      Array.from({ length: 300 }, (_, i) => i),
      n,
    )
    .map((place) => low + step * place + (place % Math.min(step, 7)))
}
