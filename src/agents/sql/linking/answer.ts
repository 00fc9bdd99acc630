import type { Table } from '../../../core/table.ts'
import { listed } from './refusal.ts'
import type { AnswerColumn, Linked } from './types.ts'

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
  const [row] = table.rows
  const columns = linked.columns.filter((c) => table.columns.includes(c.name))
  const last = columns.at(-1)
  const isEmpty =
    row === undefined || last === undefined || (table.rows.length === 1 && columns.every((c) => row[c.name] == null))
  if (isEmpty) return 'No data was returned.'
  const said = (cell: unknown, column: AnswerColumn): string => format(cell, column, locale)
  const labels = columns.filter((c) => c.role === 'label')
  if (columns.length === 1 && last.role !== 'label') {
    const verb = /^(sales|units sold)$/.test(last.title) ? 'are' : 'is'
    return `The ${last.title} ${verb} ${said(row[last.name], last)}.`
  }
  const figures = linked.shape === 'rows' ? [] : columns.filter((c) => c.role !== 'label')
  if (labels.length === 0 && figures.length > 1)
    return `${capital(
      listed(
        figures.map((c) => `the ${c.title} is ${said(row[c.name], c)}`),
        'and',
      ),
    )}.`
  const figure = columns.find((c) => c.role !== 'label' && linked.shape !== 'rows')
  const items = table.rows.slice(0, NAMED).map((r) => {
    const name = (figure === undefined ? labels.slice(0, 1) : labels).map((c) => said(r[c.name], c)).join(', ')
    const rest = columns.slice(1, columns.length > SHOWN_DETAILS ? 1 : undefined)
    if (figures.length > 1) {
      const values = figures.map((c) => `${c.title} ${said(r[c.name], c)}`)
      return name === '' ? values.join(', ') : `${name} (${values.join(', ')})`
    }
    if (figure === undefined && rest.length > 0) return `${name} (${rest.map((c) => said(r[c.name], c)).join(', ')})`
    return figure === undefined ? name : `${name} (${said(r[figure.name], figure)})`
  })
  const more =
    table.rowCount > items.length
      ? `, and ${new Intl.NumberFormat(locale).format(table.rowCount - items.length)} more`
      : ''
  const cut = table.truncated === true ? ' The list was cut off.' : ''
  if (figure === undefined) return `${capital(labels[0]?.title ?? last.title)}: ${items.join('; ')}${more}.${cut}`
  if (figures.length > 1) return `By ${labels.map((c) => c.title).join(' and ')}: ${items.join('; ')}${more}.${cut}`
  return `${capital(figure.title)} by ${labels.map((c) => c.title).join(' and ')}: ${items.join(', ')}${more}.${cut}`
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** A day that the database keeps as a moment is shown as a day. */
function withoutMidnight(text: string): string {
  return text.replace(/^(\d{4}-\d{2}-\d{2})[ T]00:00:00(\.0+)?Z?$/, '$1')
}

/** Exact decimals arrive as strings; only what is called a number is formatted as one. */
function format(cell: unknown, column: AnswerColumn, locale: string): string {
  if (cell === null || cell === undefined) return column.role === 'label' ? 'not given' : 'unknown'
  const number = typeof cell === 'number' ? cell : typeof cell === 'bigint' ? cell : Number(cell)
  if (column.role === 'label' || (typeof number === 'number' && !Number.isFinite(number)))
    return withoutMidnight(String(cell))
  const digits =
    column.role === 'money' ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 2 }
  return `${new Intl.NumberFormat(locale, digits).format(number)}${column.role === 'percent' ? ' %' : ''}`
}
