import { formatNumber, isExactNumber } from '../../../core/exact-number.ts'
import { isYear } from '../../../core/locale.ts'
import type { Table } from '../../../core/table.ts'
import { toldAssumptions } from '../../../language/assumed.ts'
import { saidUnit } from '../../../terms/units.ts'
import { listed, ofThings, type AnswerColumn, type Linked, type LinkedQuery } from '../../../question-to-sql/index.ts'

/** Items named in a sentence; the rest is in the table. */
const NAMED = 10

/** Lists of more columns than this are told by their names alone. */
const SHOWN_DETAILS = 4

/**
 * The result in plain English: one value as a sentence, a list as “Rock (826.65), Latin (382.14), …”; without rows, or with
 * only NULL, “No data was returned.” A refusal gives its reason. `locale` formats numbers (BCP 47, `en-US` unless told).
 */
export function describeAnswer(linked: Linked, table: Table, locale = 'en-US'): string {
  if (linked.kind === 'refusal') return linked.reason
  if (linked.kind === 'schema') return linked.explanation
  const told = toldAssumptions(linked.assumptions)
  const assumed = told === '' ? '' : ` ${told}`
  const [row] = table.rows
  const columns = linked.columns.filter((c) => table.columns.includes(c.name))
  const isEmpty = row === undefined || (table.rows.length === 1 && columns.every((c) => row[c.name] == null))
  if (isEmpty || columns.length === 0) return `No data was returned${emptyOf(linked)}.${assumed}`
  const hasLabel = columns.some((c) => c.role === 'label')
  const figures = linked.shape === 'rows' ? [] : columns.filter((c) => c.role !== 'label')
  const sentence =
    !hasLabel && linked.shape !== 'rows'
      ? describeFigures(linked, columns, row, locale)
      : figures.length === 0
        ? describeRows(linked, columns, table, locale)
        : describeGroups(linked, columns, table, locale)
  const cut = table.truncated === true ? ' The list was cut off.' : ''
  const empty = emptyTimes(linked, table)
  const lack =
    empty.length === 0 ? '' : ` There is nothing in the data for the ${listed(empty, 'or')}, so no change is known.`
  return `${sentence}${lack}${cut}${assumed}`
}

/** Of two times compared, the figures of those of which the data hold nothing. */
export function emptyTimes({ times = [], columns }: LinkedQuery, { rows }: Table): readonly string[] {
  return columns.flatMap(({ name, title }) =>
    times.includes(name) && rows.every((row) => row[name] == null || Number(row[name]) === 0) ? [title] : [],
  )
}

/** What there is nothing of: a filter or a time that was not meant is noticed. */
function emptyOf({ list, where = list?.where ?? '', columns, times = [] }: LinkedQuery): string {
  // “revenue in 2012” set against “revenue in 2013”.
  const timed = columns.flatMap(({ name, title }) => (times.includes(name) ? [title] : []))
  if (timed.length > 0) return `: there is no ${listed(timed, 'or')}`
  return where === '' ? '' : `: there is nothing${where}`
}

/** `The number of orders for “open” is 12.` Of several figures it is said before them. */
function describeFigures(
  { where = '' }: LinkedQuery,
  columns: readonly AnswerColumn[],
  row: Row,
  locale: string,
): string {
  const isOne = columns.length === 1
  const parts = columns.map((column) => {
    const verb = /^(?:sales|units sold)\b/.test(column.title) ? 'are' : 'is'
    const title = isOne ? ofThings(column.title, column.title.replace('number of ', ''), where) : column.title
    return `the ${title} ${verb} ${format(row[column.name], column, locale)}`
  })
  const said = listed(parts, 'and')
  return isOne || where === '' ? `${capital(said)}.` : `${capital(where.trim())}: ${said}.`
}

/** `12 orders for “open”: 884; 891; …`. */
function describeRows(linked: LinkedQuery, columns: readonly AnswerColumn[], table: Table, locale: string): string {
  const [label, ...details] = columns
  if (label === undefined) return 'No data was returned.'
  const said = (row: Row, column: AnswerColumn): string => format(row[column.name], column, locale)
  // A single row is told in full.
  const isOnly = table.rowCount === 1 && linked.list !== undefined && details.length > 0
  const isShort = columns.length <= SHOWN_DETAILS
  const items = table.rows.slice(0, NAMED).map((row) => {
    if (isOnly) {
      const known = details.filter((c) => row[c.name] != null)
      return `${said(row, label)} (${known.map((c) => `${c.title} ${said(row, c)}`).join(', ')})`
    }
    const shown = isShort ? details.map((c) => detailOf(c, row[c.name], said(row, c), details.length > 1)) : []
    return shown.length === 0 ? said(row, label) : `${said(row, label)} (${shown.join(', ')})`
  })
  const [first = ''] = items
  const isNamed = isOnly && table.rows[0] !== undefined && names(linked, said(table.rows[0], label))
  if (isNamed)
    return `${label.title.startsWith(`${linked.list?.noun ?? ''} `) ? `${capital(linked.list?.noun ?? '')} ` : ''}${first}.`
  return `${headOf(linked, label, table, locale)}: ${items.join('; ')}${moreOf(linked, table, items.length, locale)}${tiedOf(linked, table)}.`
}

/** Beside others a number or a day is told by its name: “(strength, hourly rate 33, not active)”. */
function detailOf(column: AnswerColumn, cell: unknown, said: string, isOneOfSeveral: boolean): string {
  const { yes, title, role, unit } = column
  const name = title.replace(/^is /, '')
  if (yes !== undefined && cell != null) return [yes, 'true'].includes(String(cell)) ? name : `not ${name}`
  const isBare = unit === undefined && (role !== 'label' || /^\d/.test(said))
  return isOneOfSeveral && isBare ? `${title} ${said}` : said
}

/** Did the question ask for this very row? */
function names({ list }: LinkedQuery, label: string): boolean {
  const where = list?.where.toLowerCase()
  return where === '' || where === ` for “${label.toLowerCase()}”` || / id exactly \d+$/.test(where ?? '')
}

function headOf({ list }: LinkedQuery, label: AnswerColumn, table: Table, locale: string): string {
  if (list === undefined) return capital(label.title)
  const count = new Intl.NumberFormat(locale).format(table.rowCount)
  const rows = ofThings(list.nouns, list.nouns, list.where)
  const isCut = table.rowCount === list.limit
  return `${isCut ? `The first ${count}` : count} ${table.rowCount === 1 ? rows.replace(list.nouns, list.noun) : rows}`
}

/** `Revenue by genre: Rock (826.65), …`; several figures are each named. */
function describeGroups(linked: LinkedQuery, columns: readonly AnswerColumn[], table: Table, locale: string): string {
  const labels = columns.filter((c) => c.role === 'label')
  const figures = columns.filter((c) => c.role !== 'label')
  const isOne = figures.length === 1
  const items = table.rows.slice(0, NAMED).map((row) => {
    const name = labels.map((c) => format(row[c.name], c, locale)).join(', ')
    const values = figures.map((c) => `${isOne ? '' : `${c.title} `}${format(row[c.name], c, locale)}`)
    return `${name} (${values.join(', ')})`
  })
  const by = `by ${labels.map((c) => c.title).join(' and ')}`
  const head = isOne && figures[0] !== undefined ? `${figures[0].title} ${by}` : by
  return `${capital(head)}${linked.where ?? ''}: ${items.join(isOne ? ', ' : '; ')}${moreOf(linked, table, items.length, locale)}${tiedOf(linked, table)}.`
}

/** So many were asked for, and more share their places. */
function tiedOf({ isTied, top = Infinity, list }: LinkedQuery, table: Table): string {
  if (table.rowCount > top) return `; ${table.rowCount} and not ${top}, since the last of them are equal`
  if (isTied !== true || table.rowCount < 2) return ''
  if (table.rowCount === list?.limit) return '; all of them are equal'
  return table.rowCount === 2 ? '; both are equal' : `; all ${table.rowCount} are equal`
}

function moreOf({ list }: LinkedQuery, table: Table, named: number, locale: string): string {
  const rest = table.rowCount - named
  if (rest <= 0) return ''
  const atLeast = list !== undefined && table.rowCount === list.limit ? 'at least ' : ''
  return `, and ${atLeast}${new Intl.NumberFormat(locale).format(rest)} more`
}

type Row = Table['rows'][number]

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** A day that the database keeps as a moment is shown as a day. */
function withoutMidnight(text: string): string {
  return text.replace(/^(\d{4}-\d{2}-\d{2})[ T]00:00:00(\.0+)?Z?$/, '$1')
}

function format(cell: unknown, column: AnswerColumn, locale: string): string {
  if (cell === null || cell === undefined) return column.role === 'label' ? 'not given' : 'unknown'
  if (typeof cell === 'object') return JSON.stringify(cell)
  if (column.role === 'label' || !isExactNumber(cell)) return withoutMidnight(String(cell))
  if (isYear(column.title, cell)) return String(cell)
  const digits =
    column.role === 'money' ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 2 }
  const shown = formatNumber(new Intl.NumberFormat(locale, digits), cell)
  return `${shown}${column.role === 'percent' ? ' %' : unitOf(column, Number(cell))}`
}

function unitOf({ unit }: AnswerColumn, amount: number): string {
  return unit === undefined ? '' : ` ${saidUnit(unit, amount)}`
}
