import { isExactNumber } from '../../core/exact-number.ts'
import { counted } from '../../core/counted.ts'
import type { Table } from '../../core/table.ts'
import type { GivenTable } from '../python/given-data.ts'
import { comparison } from './number-rules.ts'
import {
  add,
  divide,
  HUNDRED,
  multiply,
  parseDecimal,
  rational,
  subtract,
  absolute,
  ZERO,
  type Rational,
  literal,
} from './rational.ts'
import { Unclear, type Reading } from './read.ts'
import { FIGURE_NAMES, figureCode, figureOf, figureTitle, figureValue } from './statistics.ts'
import { finding, plainValue, type Finding, type Show } from './wording.ts'

const LEAD =
  /^(?:(?:what|which|how much) (?:is|are|was|were)|calculate|compute|work out|find|determine|give me|show me|show|estimate)\s+/
const THEY = '(?:they|these|those|this|it|that|them)'

/**
 * Answers a question over tables that earlier agents found. Of a question in several parts ("List … and what share … are
 * they"), the last is taken: what went before is what those agents answered.
 * @throws Unclear when the tables allow more than one answer
 */
export function answerFromTables({ text }: Reading, tables: readonly GivenTable[], show: Show): Finding | undefined {
  if (tables.length === 0) return undefined
  for (const part of parts(text)) {
    const found =
      shareOfAll(part, tables, show) ??
      betweenTwo(part, tables, show) ??
      shareOfEach(part, tables, show) ??
      overColumn(part, tables, show)
    if (found !== undefined) return found
  }
  return undefined
}

/** The whole question, then what follows its last "and"; without its opener. */
function parts(text: string): string[] {
  const cut =
    /^.*(?:,|\band\b|\bthen\b|;)\s*(?:also |then )?((?:what|which|how much|calculate|compute|compare|show|give)\b.*)$/.exec(
      text,
    )
  return [text, ...(cut === null ? [] : [cut[1]!])].map((part) => part.replace(LEAD, '').replace(/^the /, ''))
}

/** "What share of all orders are they": the rows of one table among those that another tells. */
function shareOfAll(part: string, tables: readonly GivenTable[], show: Show): Finding | undefined {
  const pattern = new RegExp(
    `^(?:what |which )?(?:share|percent|percentage|%|proportion|fraction) of (?:all|the total|total)(?: (?:of )?(?:the )?([a-z]+))?(?: (?:they|these|those) are| (?:are|is) ${THEY}| (?:do|does) ${THEY} (?:make up|represent)| this is)?$`,
  )
  const match = pattern.exec(part)
  if (match === null) return undefined
  const noun = match[1] ?? 'rows'
  for (const { table } of tables) {
    if (table.truncated === true) throw new Unclear('A table was cut off, so a share over it would be wrong.')
  }
  const readings = tables.flatMap(({ table }, i) =>
    tables.flatMap(({ table: whole }, j) => {
      const all = i === j || isOneCell(table) ? undefined : countIn(whole, table, noun)
      return all === undefined ? [] : [{ part: table.rows.length, all }]
    }),
  )
  const distinct = new Map(readings.map((reading) => [`${reading.part}/${reading.all}`, reading]))
  const [only] = [...distinct.values()]
  if (only === undefined || distinct.size > 1) {
    const found = tables.map(({ name, table }) => `${counted(table.rows.length, 'row')} from ${name}`).join(', ')
    throw new Unclear(`I have ${found}, but cannot tell how many ${noun} there are in all. Ask for that number too.`)
  }
  const [part_, all] = [rational(BigInt(only.part)), rational(BigInt(only.all))]
  const value = multiply(divide(part_, all), HUNDRED)
  const answer = `They are ${show(part_)} of ${show(all)} ${noun}, a share of ${show(value)}%.`
  return finding(answer, `${only.part} / ${only.all} * 100`, value)
}

/** How many things there are in all, by a table that counts them or lists them together with those of `part`. */
function countIn(whole: Table, part: Table, noun: string): number | undefined {
  const cell = isOneCell(whole) ? numberOf(whole.rows[0]![whole.columns[0]!]) : undefined
  if (cell !== undefined) {
    const column = whole.columns[0]!.toLowerCase().replace(/[^a-z]+/g, ' ')
    const isCount = /\b(count|number|total|n)\b/.test(column) || column.split(' ').includes(noun)
    const count = isCount && cell.bottom === 1n ? Number(cell.top) : undefined
    return count !== undefined && count > 0 && count >= part.rows.length ? count : undefined
  }
  if (whole.rows.length <= part.rows.length || whole.columns.join('\0') !== part.columns.join('\0')) return undefined
  const rows = new Set(whole.rows.map((row) => JSON.stringify(whole.columns.map((column) => row[column] ?? null))))
  const isWithin = part.rows.every((row) =>
    rows.has(JSON.stringify(whole.columns.map((column) => row[column] ?? null))),
  )
  return isWithin ? whole.rows.length : undefined
}

/** "The difference between them": two single values, or the two rows of a table. */
function betweenTwo(part: string, tables: readonly GivenTable[], show: Show): Finding | undefined {
  const match =
    /^(?:(difference|ratio|sum|total) (?:between|of) (?:them|the two|both|these|those|the two (?:numbers|values|figures|results))|(compare) (?:them|the two|both|these|those)|(difference|ratio))$/.exec(
      part,
    )
  if (match === null) return undefined
  const pair = twoValues(tables)
  if (pair === undefined) throw new Unclear('I need exactly two values to compare, and the tables hold more or fewer.')
  const [a, b] = pair
  switch (match[1] ?? match[2] ?? match[3]) {
    case 'compare':
      return comparison(a, b, show)
    case 'ratio': {
      const value = divide(a, b)
      return finding(`The ratio of ${show(a)} to ${show(b)} is ${show(value)}.`, `${literal(a)} / ${literal(b)}`, value)
    }
    case 'difference': {
      const value = absolute(subtract(a, b))
      return finding(
        `The difference between ${show(a)} and ${show(b)} is ${show(value)}.`,
        `abs(${literal(a)} - ${literal(b)})`,
        value,
      )
    }
    default: {
      const value = add(a, b)
      return finding(`${show(a)} and ${show(b)} are ${show(value)} together.`, `${literal(a)} + ${literal(b)}`, value)
    }
  }
}

function twoValues(tables: readonly GivenTable[]): [Rational, Rational] | undefined {
  const cells = tables.flatMap(({ table }) => {
    const numeric = table.columns.filter(
      (column) => table.rows.length > 0 && table.rows.every((row) => numberOf(row[column]) !== undefined),
    )
    return numeric.length === 1
      ? table.rows.map((row) => numberOf(row[numeric[0]!])!)
      : [undefined, undefined, undefined]
  })
  const [a, b] = cells
  return cells.length === 2 && a !== undefined && b !== undefined ? [a, b] : undefined
}

/** "The share of each customer": one numeric column, as percentages of its sum. */
function shareOfEach(part: string, tables: readonly GivenTable[], show: Show): Finding | undefined {
  const match =
    /^(?:what |which )?(?:share|percent|percentage|%)(?: of (?:the )?total)?(?: (?:of|for|per|by|does) (?:each|every)?(?: ?([a-z]+))?)?(?: (?:has|have|makes up|is))?$/.exec(
      part,
    )
  if (match === null || !/each|every|per|by/.test(part)) return undefined
  const only = tables.length === 1 ? tables[0]!.table : undefined
  if (only === undefined) throw new Unclear('There are several tables; say over which the shares are meant.')
  if (only.truncated === true) throw new Unclear('The table was cut off, so shares over it would be wrong.')
  const numeric = only.columns.filter(
    (column) => only.rows.length > 0 && only.rows.every((row) => isExactNumber(row[column])),
  )
  const label = only.columns.find((column) => !numeric.includes(column))
  if (numeric.length !== 1 || label === undefined)
    throw new Unclear('Shares need one column of numbers and one of names.')
  const noun = match[1]
  if (noun !== undefined && !sameName(label, noun)) return undefined
  const column = numeric[0]!
  const values = only.rows.map((row) => numberOf(row[column])!)
  const total = values.reduce(add, ZERO)
  const rows = only.rows.map((row, i) => ({
    [label]: row[label],
    [column]: row[column],
    share_percent: plainValue(multiply(divide(values[i]!, total), HUNDRED)),
  }))
  const lines = rows
    .slice(0, 10)
    .map((row, i) => `${String(row[label])} ${show(multiply(divide(values[i]!, total), HUNDRED))}%`)
  return {
    answer: `Shares of ${column} (${show(total)} in all): ${lines.join('; ')}${rows.length > 10 ? '; and more in the table' : ''}.`,
    code: `[row[${JSON.stringify(column)}] / sum(r[${JSON.stringify(column)}] for r in rows) * 100 for row in rows]`,
    table: { columns: [label, column, 'share_percent'], rows },
  }
}

/** "The average amount", "the difference between the highest and lowest price". */
function overColumn(part: string, tables: readonly GivenTable[], show: Show): Finding | undefined {
  const spread =
    /^(?:difference|ratio) (?:between|of) (?:the )?(?:highest|largest|biggest|maximum) (?:and|to) (?:the )?(?:lowest|smallest|minimum) ([a-z_ ]+?)$/.exec(
      part,
    )
  const plain = new RegExp(
    `^(${FIGURE_NAMES})(?: of)?(?: (?:the|all|their|its))*(?: ([a-z_ ]+?))?(?: of (?:them|these|those|all))?$`,
  ).exec(part)
  const name = spread?.[1] ?? plain?.[2]
  if ((spread === null && plain === null) || name === undefined) return undefined
  const fitting = tables.flatMap(({ table }) =>
    table.columns.filter((column) => sameName(column, name)).map((column) => ({ table, column })),
  )
  const [found] = fitting
  if (found === undefined) return undefined
  if (fitting.length > 1) throw new Unclear(`Several tables have a column “${name}”; say which is meant.`)
  const { table, column } = found
  if (table.truncated === true) throw new Unclear('The table was cut off, so a figure over it would be wrong.')
  const filled = table.rows.map((row) => row[column]).filter((cell) => cell !== null && cell !== undefined)
  const values = filled.map(numberOf)
  if (!values.every((value) => value !== undefined))
    throw new Unclear(`The column “${column}” holds more than numbers.`)
  const list = `[row[${JSON.stringify(column)}] for row in rows]`
  const empty = table.rows.length - filled.length
  const over = `over ${counted(values.length, 'row')}${empty === 0 ? '' : `, ${empty} without a value left out`}`
  if (spread !== null) return spreadOf(part.startsWith('ratio'), values, column, list, over, show)
  const figure = figureOf(plain![1]!)
  const value = figureValue(figure, values)
  return finding(
    `The ${figureTitle(figure)} of ${column} is ${show(value)} (${over}).`,
    figureCode(figure, list),
    value,
  )
}

function spreadOf(
  isRatio: boolean,
  values: readonly Rational[],
  column: string,
  list: string,
  over: string,
  show: Show,
): Finding {
  const [high, low] = [figureValue('max', values), figureValue('min', values)]
  const value = isRatio ? divide(high, low) : subtract(high, low)
  const answer = `The ${isRatio ? 'ratio' : 'difference'} between the highest ${column} (${show(high)}) and the lowest (${show(low)}) is ${show(value)} (${over}).`
  return finding(answer, `max(${list}) ${isRatio ? '/' : '-'} min(${list})`, value)
}

function isOneCell({ columns, rows }: Table): boolean {
  return columns.length === 1 && rows.length === 1
}

/** Numbers, and exact decimals that travel as text. */
export function numberOf(cell: unknown): Rational | undefined {
  return isExactNumber(cell) ? parseDecimal(String(cell)) : undefined
}

/** `unit_price` is "unit price" and "unit prices". */
export function sameName(column: string, words: string): boolean {
  const plain = (name: string): string =>
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
      .split(' ')
      .map((word) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))
      .join(' ')
  return plain(column) === plain(words)
}
