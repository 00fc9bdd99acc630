/** How a cell is held against a value, as the server calls it. */
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

/** Whether it is held against a value at all. */
export const hasValue = (how: FilterOperator): boolean => how !== 'empty' && how !== 'filled'

/** What a column holds, as the server calls it. */
export type ColumnType = 'number' | 'text' | 'date' | 'datetime' | 'time' | 'boolean' | 'json' | 'other'

/** What must be typed to be more or less than what a column holds; undefined where the value is that, or any is. */
export function expectedInput(holds: ColumnType, how: FilterOperator, value: string): 'number' | 'day' | undefined {
  if (how !== 'ge' && how !== 'gt' && how !== 'le' && how !== 'lt') return undefined
  if (holds === 'number') return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(value) ? undefined : 'number'
  if (holds !== 'date' && holds !== 'datetime') return undefined
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(value) ?? []
  // The 31st of April is the first of May to a browser.
  const at = new Date(`${day}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day!) ? undefined : 'day'
}

/** As the server reads it. */
const filterText = ({ column, how, value }: Filter): string => `${column}:${how}:${hasValue(how) ? value : ''}`

export function toParams({ table, filters = [], sort }: TableSelection): SelectionParams {
  const where = filters.map((filter) => filterText(filter).replaceAll('\\', '\\\\').replaceAll('\n', '\\n')).join('\n')
  return {
    table,
    ...(where === '' ? {} : { where }),
    ...(sort === undefined ? {} : { sort: sort.column, ...(sort.isDown ? { order: 'down' } : {}) }),
  }
}

/** @param columns of the table: names may hold a colon */
export function fromParams(table: string, shown: SelectionParams, columns: readonly string[]): TableSelection {
  const { where = '', sort, order } = shown
  const filters = where.split('\n').flatMap((line): Filter[] => {
    const text = line.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
    const name = [...columns].sort((one, other) => other.length - one.length).find((one) => text.startsWith(`${one}:`))
    const [said, ...rest] = name === undefined ? [] : text.slice(name.length + 1).split(':')
    const how = FILTER_OPERATORS.find((one) => one === said)
    return name === undefined || how === undefined ? [] : [{ column: name, how, value: rest.join(':') }]
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
  const asked = new URLSearchParams({ limit: String(limit), offset: String(offset) })
  for (const filter of filters) asked.append('filter', filterText(filter))
  if (sort !== undefined) {
    asked.set('sort', sort.column)
    if (sort.isDown) asked.set('direction', 'down')
  }
  return `${path}/tables/${encodeURIComponent(table)}/rows?${asked}`
}
