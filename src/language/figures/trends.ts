import type { Table } from '../../core/table.ts'
import { isPeriodic, numeric } from './derive.ts'
import type { Evidence } from './evidence.ts'
import { readable, type Figure, type NumberFigure } from './read.ts'
import { inOrder } from './row-periods.ts'
import { FALLEN, RISEN } from './row-words.ts'
import { columnsIn } from './rows.ts'

const ALWAYS =
  /(?<!\p{L})(?:every|each|year (?:after|over|by) year|month (?:after|over|by) month|steadily|continuously|consistently|without exception|jedes|jeden|stetig)(?!\p{L})/iu
const NO_CLAIM =
  /(?<!\p{L})(?:not|never|if|whether|except|almost|nearly|hardly|until|nicht|fast)(?!\p{L})|n['’]t(?!\p{L})|\?/iu
const BETWEEN = /^[^\p{L}]*(?:\p{L}{1,12}\s+)?(?:to|auf|à|a)\s+[^\p{L}\d]*$/iu
const FROM = /(?<!\p{L})(?:from|von|de)\s+(?:\p{L}{1,3}\s?)?[^\p{L}\d]*$/iu

/** What is said to rise or fall and does not: “from 1,200 to 900”, or “every year” beside a table whose years say otherwise. */
export function wrongTrends(sentence: string, figures: readonly Figure[], found: readonly Evidence[]): string[] {
  const text = readable(sentence)
  const isUp = RISEN.test(text)
  if (isUp === FALLEN.test(text) || NO_CLAIM.test(text)) return []
  const moved = (isUp ? RISEN : FALLEN).exec(text)!
  const numbers = figures.filter((figure): figure is NumberFigure => figure.kind === 'number' && figure.isYear !== true)
  const turned = numbers.flatMap((from, i) => {
    const to = numbers[i + 1]
    if (to === undefined || !FROM.test(text.slice(Math.max(0, from.at - 24), from.at))) return []
    const between = text.slice(from.at + from.text.length, to.at)
    const isWrong = BETWEEN.test(between) && from.unit?.kind === to.unit?.kind && rises(from, to) === !isUp
    return isWrong ? [text.slice(moved.index, to.at + to.text.length)] : []
  })
  if (turned.length > 0 || !ALWAYS.test(text)) return turned
  const told = found.flatMap(({ tables }) => tables.flatMap((table) => alwaysIn(table, text, isUp) ?? []))
  return told.length > 0 && !told.includes(true) ? [text.trim()] : []
}

/** Whether one is more than the other in all that they may mean; undefined where it is open. */
function rises(from: NumberFigure, to: NumberFigure): boolean | undefined {
  const told = new Set(from.readings.flatMap((a) => to.readings.map((b) => Math.sign(b.value - a.value))))
  return told.size === 1 && !told.has(0) ? told.has(1) : undefined
}

/** Whether a column of a table by periods that the text speaks of goes one way alone. */
function alwaysIn(table: Table, text: string, isUp: boolean): boolean | undefined {
  const { rows, truncated } = inOrder(table)
  if (!isPeriodic(table) || truncated === true || rows.length < 3) return undefined
  const columns = columnsIn(table, text)
  if (columns.length === 0) return undefined
  return columns.some((column) => {
    const values = rows.map((row) => numeric(row[column]) ?? Number.NaN)
    return values.slice(1).every((value, i) => (isUp ? value > values[i]! : value < values[i]!))
  })
}
