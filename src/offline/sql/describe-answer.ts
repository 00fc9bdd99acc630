import { formatNumber, isExactNumber } from '../../shared/exact-number.ts'
import { isYearColumn, localeProfile } from '../../shared/locale.ts'
import type { Table } from '../../domain/table.ts'
import { capital } from './resolve.ts'
import { joinWords, type AnswerColumn, type LinkedQuery } from './types.ts'

/** Rows named in a sentence; the rest is in the table. */
const MAX_NAMED = 10

type Row = Table['rows'][number]

/**
 * The result in one plain sentence: a figure, or a list as “Rock (826.65), Latin (382.14), …”.
 * @param locale formats numbers (BCP 47)
 */
export function describeAnswer(linked: LinkedQuery, table: Table, locale = 'en-US'): string {
  const { columns, where, noun } = linked
  const [row] = table.rows
  const isEmpty = row === undefined || (table.rowCount === 1 && columns.every(({ name }) => row[name] == null))
  if (isEmpty) return `No data was returned${where === '' ? '' : `: there is nothing${where}`}.`
  const cut = table.truncated === true ? ' The list was cut off.' : ''
  if (linked.shape === 'figure') return figures(linked, row, locale)
  const items = table.rows.slice(0, MAX_NAMED).map((one) => item(columns, one, locale))
  const rest = table.rowCount - items.length
  const isCut = table.rowCount === linked.limit
  const format = (count: number): string => new Intl.NumberFormat(locale).format(count)
  const more = rest <= 0 ? '' : `, and ${isCut ? 'at least ' : ''}${format(rest)} more`
  const isTied = linked.top !== undefined && table.rowCount > linked.top
  const tied = isTied
    ? `; ${isCut ? 'at least ' : ''}${table.rowCount} and not ${linked.top}, since the last of them are equal`
    : ''
  const titles = (isLabel: boolean): string[] =>
    columns.flatMap(({ role, title }) => ((role === 'label') === isLabel ? [title] : []))
  const head =
    linked.shape === 'rows' && noun !== undefined
      ? `${isCut ? 'The first ' : ''}${format(table.rowCount)} ${table.rowCount === 1 ? noun.one : noun.many}`
      : capital(`${joinWords(titles(false), 'and')} by ${joinWords(titles(true), 'and')}`.trim())
  return `${head}${where}: ${items.join('; ')}${more}${tied}.${cut}`
}

/** “The number of orders in 2025 is 351.” */
function figures({ columns, where }: LinkedQuery, row: Row, locale: string): string {
  const columnTexts = columns.map((column) => {
    const isMany = /^(?:sales|units sold)\b/.test(column.title)
    return `the ${column.title}${columns.length === 1 ? where : ''} ${isMany ? 'are' : 'is'} ${cell(row[column.name], column, locale)}`
  })
  const before = columns.length > 1 && where !== '' ? `${where.trim()}: ` : ''
  return `${capital(`${before}${joinWords(columnTexts, 'and')}`)}.`
}

function item(columns: readonly AnswerColumn[], row: Row, locale: string): string {
  const labels = columns.filter(({ role }, i) => role === 'label' || i === 0)
  const [first, ...others] = [...labels, ...columns.filter((one) => !labels.includes(one))]
  const rest = others.map((column) => cell(row[column.name], column, locale))
  return `${cell(row[first!.name], first!, locale)}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`
}

function cell(value: unknown, column: AnswerColumn, locale: string): string {
  if (value === null || value === undefined) return column.role === 'label' ? 'not given' : 'unknown'
  if (typeof value === 'object') return JSON.stringify(value)
  if (column.role === 'label' || !isExactNumber(value)) return String(value).replace(/[ T]00:00:00(?:\.0+)?Z?$/, '')
  if (isYearColumn(column.title, value)) return String(value)
  if (column.role === 'money') return localeProfile(locale).money(value)
  return `${formatNumber(new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }), value)}${column.role === 'percent' ? ' %' : ''}`
}
