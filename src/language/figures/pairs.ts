import type { Table } from '../../core/table.ts'
import type { Evidence } from './evidence.ts'
import { CLAUSE, partsOf, placesOf } from './parts.ts'
import { readable } from './read.ts'

/** Tables with more rows, or sentences with more names, are not looked at. */
const MOST_ROWS = 200
/** Words by which two names may stand beside each other that do not belong together. */
const BESIDE =
  /(?<!\p{L})(?:not|no|never|than|unlike|versus|vs|against|instead|rather|formerly|except|besides|without|other|between|behind|ahead|before|after|beats?|nicht|kein\p{L}*|als|statt|ohne|vor|hinter|gegen)(?!\p{L})|n['’]t(?!\p{L})|\?/iu

/**
 * Two names of different columns that one clause, or one row of a printed table, puts together, though no row has both: “Turin is
 * managed by Otto Brandt”, who manages Leeds.
 */
export function wrongPairs(sentence: string, all: readonly Evidence[]): string[] {
  const tables = all.flatMap((one) => one.tables)
  if (tables.length === 0) return []
  const text = readable(sentence)
  const parts = text.trimStart().startsWith('|') ? [[0, text.length] as const] : partsOf(text, CLAUSE)
  return parts.flatMap(([from, to]) => {
    const part = text.slice(from, to)
    if (BESIDE.test(part)) return []
    const pairs = tables.flatMap((table) => pairIn(table, part) ?? [])
    const isSaid = all.some((one) => pairs.some(({ names }) => one.statements.haveBoth(names)))
    return pairs.length > 0 && pairs.every(({ isWrong }) => isWrong) && !isSaid ? [part.trim()] : []
  })
}

interface Pair {
  readonly names: readonly string[]
  readonly isWrong: boolean
}

function pairIn({ columns, rows, truncated }: Table, part: string): Pair | undefined {
  if (rows.length < 2 || rows.length > MOST_ROWS || truncated === true) return undefined
  const named = columns.flatMap((column) =>
    rows.flatMap((row) => {
      const cell = row[column]
      const isNamed = typeof cell === 'string' && part.includes(cell) && /^\p{Lu}.*\p{Ll}/u.test(cell)
      return isNamed && placesOf(cell, part).length > 0 ? [{ column, row, cell }] : []
    }),
  )
  // “Rock and Roll” is not “Rock”.
  const names = [...new Set(named.map(({ cell }) => cell))]
  const whole = names.filter((name) => !names.some((other) => other !== name && other.includes(name)))
  const [one, other, ...more] = whole.map((name) => named.filter(({ cell }) => cell === name))
  if (one === undefined || other === undefined || more.length > 0) return undefined
  if (one.some(({ column }) => other.some((beside) => beside.column === column))) return undefined
  return { names: whole, isWrong: !one.some(({ row }) => other.some((beside) => beside.row === row)) }
}
