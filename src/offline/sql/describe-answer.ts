import type { Table } from '../../domain/table.ts'
import { formatNumber, isExactNumber } from '../../shared/exact-number.ts'
import { isYearColumn, localeProfile } from '../../shared/locale.ts'
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
  if (linked.shape === 'figure') return figures(linked, row, locale)
  const items = table.rows.slice(0, MAX_NAMED).map((one) => item(columns, one, locale))
  const isCut = table.truncated === true || table.rowCount === linked.limit
  const format = (count: number): string => `${isCut ? 'at least ' : ''}${new Intl.NumberFormat(locale).format(count)}`
  const rest = table.rowCount - items.length
  const titles = (isLabel: boolean): string =>
    joinWords(
      columns.flatMap(({ role, title }) => ((role === 'label') === isLabel ? [title] : [])),
      'and',
    )
  const head =
    noun === undefined
      ? `${titles(false)} by ${titles(true)}`.trim()
      : `${format(table.rowCount)} ${table.rowCount === 1 ? noun.one : noun.many}`
  return `${capital(head)}${where}: ${items.join('; ')}${rest <= 0 ? '' : `, and ${format(rest)} more`}.`
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
  const [name, ...others] = columns
    .toSorted((a, b) => Number(b.role === 'label') - Number(a.role === 'label'))
    .map((column) => cell(row[column.name], column, locale))
  return `${name}${others.length === 0 ? '' : ` (${others.join(', ')})`}`
}

function cell(value: unknown, column: AnswerColumn, locale: string): string {
  if (value === null || value === undefined) return column.role === 'label' ? 'not given' : 'unknown'
  if (typeof value === 'object') return JSON.stringify(value)
  if (column.role === 'label' || !isExactNumber(value)) return String(value).replace(/[ T]00:00:00(?:\.0+)?Z?$/, '')
  if (isYearColumn(column.title, value)) return String(value)
  if (column.role === 'money') return localeProfile(locale).money(value)
  return `${formatNumber(new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }), value)}${column.role === 'percent' ? ' %' : ''}`
}
