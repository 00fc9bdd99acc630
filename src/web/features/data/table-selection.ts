import type { Answer } from '../../app/data.ts'

export type TableInfo = Answer<'GET /databases/{database}/tables'>['items'][number]

/** Comparisons of a cell with a value, in the server's words. */
export const FILTER_OPERATORS = ['is', 'not', 'has', 'ge', 'gt', 'le', 'lt', 'empty', 'filled'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

export interface Filter {
  readonly column: string
  readonly how: FilterOperator
  readonly value: string
}

/** The current view: a table, its filters and its order. */
export interface TableSelection {
  readonly table: string
  readonly filters?: readonly Filter[]
  readonly sort?: { readonly column: string; readonly isDown: boolean } | undefined
}

/** As stored in the URL: one filter per line. */
export interface SelectionParams {
  readonly table?: string
  readonly where?: string
  readonly sort?: string
  readonly order?: string
}

/** Whether a comparison needs a value. */
export const hasValue = (how: FilterOperator): boolean => how !== 'empty' && how !== 'filled'

type ColumnType = TableInfo['columns'][number]['holds']

/** What must be typed for an order comparison with a column; undefined if the value is valid. */
export function expectedInput(holds: ColumnType, how: FilterOperator, value: string): 'number' | 'day' | undefined {
  if (how !== 'ge' && how !== 'gt' && how !== 'le' && how !== 'lt') return undefined
  if (holds === 'number') return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(value) ? undefined : 'number'
  if (holds !== 'date' && holds !== 'datetime') return undefined
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(value) ?? []
  // `Date` accepts 31 April as 1 May.
  const at = new Date(`${day}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day!) ? undefined : 'day'
}

/** A filter in the server's syntax. */
const filterText = ({ column, how, value }: Filter): string => `${column}:${how}:${hasValue(how) ? value : ''}`

export function toParams({ table, filters = [], sort }: TableSelection): SelectionParams {
  const where = filters.map((filter) => filterText(filter).replaceAll('\\', '\\\\').replaceAll('\n', '\\n')).join('\n')
  return {
    table,
    ...(where === '' ? {} : { where }),
    ...(sort === undefined ? {} : { sort: sort.column, ...(sort.isDown ? { order: 'down' } : {}) }),
  }
}

/** The selection in the parameters of the URL. Names of columns may contain a colon. */
export function fromParams({ name: table, columns }: TableInfo, params: SelectionParams): TableSelection {
  const { where = '', sort, order } = params
  const names = columns.map(({ name }) => name).toSorted((a, b) => b.length - a.length)
  const filters = where.split('\n').flatMap((line): Filter[] => {
    const text = line.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
    const column = names.find((name) => text.startsWith(`${name}:`))
    if (column === undefined) return []
    const [operator, ...value] = text.slice(column.length + 1).split(':')
    const how = FILTER_OPERATORS.find((one) => one === operator)
    return how === undefined ? [] : [{ column, how, value: value.join(':') }]
  })
  return {
    table,
    filters,
    sort: sort === undefined ? undefined : { column: sort, isDown: order === 'down' },
  }
}

/** The address of the rows on the server. @param path of the database there */
export function rowsPath(
  path: string,
  { table, filters = [], sort }: TableSelection,
  limit: number,
  offset: number,
): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) })
  for (const filter of filters) query.append('filter', filterText(filter))
  if (sort !== undefined) {
    query.set('sort', sort.column)
    if (sort.isDown) query.set('direction', 'down')
  }
  return `${path}/tables/${encodeURIComponent(table)}/rows?${query}`
}
