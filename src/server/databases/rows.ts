import { TuttiError } from '../../domain/errors.ts'
import type { ColumnSchema, DatabaseSchema, Dialect, TableSchema } from '../../databases/schema.ts'
import { hasText } from '../../databases/glossary/any-case.ts'
import { quoteIdentifier, quoteLiteral, tableName } from '../../databases/glossary/dialect.ts'

/** What is looked at of a table. */
export interface Look {
  readonly limit: number
  readonly offset: number
  /** Each `column:how:value`, as `HOW` names it; only rows for which all of them hold. */
  readonly filters?: readonly string[]
  readonly sort?: { readonly column: string; readonly isDown: boolean } | undefined
}

/** How a cell is held against a value. */
export const HOW = ['is', 'not', 'has', 'lt', 'le', 'gt', 'ge', 'empty', 'filled'] as const
type How = (typeof HOW)[number]
const SIGNS: Partial<Readonly<Record<How, string>>> = { lt: '<', le: '<=', gt: '>', ge: '>=' }
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** @throws TuttiError `NotFound` */
export function findTable({ tables }: DatabaseSchema, name: string): TableSchema {
  const found = tables.find((table) => qualifiedName(table) === name)
  if (found === undefined) throw new TuttiError('NotFound', `There is no table ${name}.`)
  return found
}

/** As it is named in addresses. */
export function qualifiedName({ schema, name }: Pick<TableSchema, 'schema' | 'name'>): string {
  return schema === undefined ? name : `${schema}.${name}`
}

/**
 * The query for some rows of a table. Names are those of the schema, and what is looked for is a text or a number: the gate judges
 * it as it does any other query.
 * @throws TuttiError `InvalidRequest` for a column that the table does not have, and for a filter that is none
 */
export function rowsQuery({ dialect }: DatabaseSchema, table: TableSchema, look: Look): string {
  const quoted = ({ name }: Pick<ColumnSchema, 'name'>): string => quoteIdentifier(name, dialect)
  const filters = (look.filters ?? []).map((filter) => condition(filter, table, dialect))
  const where = filters.length === 0 ? '' : ` WHERE ${filters.join(' AND ')}`
  const columns = table.columns.map(quoted).join(', ')
  const order = [...sorted(look.sort, table, dialect), ...ordered(table).map(quoted)]
  const by = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`
  return `SELECT ${columns} FROM ${tableName(table, dialect)}${where}${by} LIMIT ${look.limit + 1} OFFSET ${look.offset}`
}

/** Pages are of one order, which the key gives, or else all columns that can be compared. */
function ordered({ columns }: TableSchema): readonly ColumnSchema[] {
  const keys = columns.filter(({ primaryKey }) => primaryKey)
  return keys.length > 0 ? keys : columns.filter(isComparable)
}

function isComparable({ kind }: ColumnSchema): boolean {
  return kind !== 'json' && kind !== 'other'
}

/** What is missing stands last in both directions, and in each database. */
function sorted(sort: Look['sort'], table: TableSchema, dialect: Dialect): string[] {
  if (sort === undefined) return []
  const column = columnOf(table, sort.column)
  const name = quoteIdentifier(column.name, dialect)
  const value = isComparable(column) ? name : textOf(name, dialect)
  return [`CASE WHEN ${name} IS NULL THEN 1 ELSE 0 END`, `${value}${sort.isDown ? ' DESC' : ''}`]
}

function condition(filter: string, table: TableSchema, dialect: Dialect): string {
  const { column, how, value } = parsed(filter, table)
  const name = quoteIdentifier(column.name, dialect)
  if (how === 'empty') return `${name} IS NULL`
  if (how === 'filled') return `${name} IS NOT NULL`
  const text = quoteLiteral(value, dialect)
  const sign = SIGNS[how]
  if (sign !== undefined) {
    if (column.kind === 'number' && !NUMBER.test(value)) {
      throw new TuttiError('InvalidRequest', `${column.name} holds numbers; “${value}” is none. Write it as 1234.5.`)
    }
    return `${isComparable(column) ? name : textOf(name, dialect)} ${sign} ${column.kind === 'number' ? value : text}`
  }
  if (how === 'has') return hasText(textOf(name, dialect), value, dialect)
  // 44.50 is 44.5, whatever a database writes; and as a text it is found where the number is not kept exactly.
  const asText = `${textOf(name, dialect)} = ${text}`
  const same = column.kind === 'number' && NUMBER.test(value) ? `(${asText} OR ${name} = ${value})` : asText
  return how === 'is' ? same : `(${name} IS NULL OR NOT ${same})`
}

function textOf(name: string, dialect: Dialect): string {
  return `CAST(${name} AS ${dialect === 'mysql' ? 'char' : 'text'})`
}

/** A name may hold a colon, so the longest one that the table has counts. */
function parsed(filter: string, table: TableSchema): { column: ColumnSchema; how: How; value: string } {
  const column = table.columns
    .filter(({ name }) => filter.startsWith(`${name}:`))
    .sort((one, other) => other.name.length - one.name.length)[0]
  if (column === undefined) return columnOf(table, filter.split(':')[0]!) && unreadable(filter)
  const [said = '', ...rest] = filter.slice(column.name.length + 1).split(':')
  const how = HOW.find((one) => one === said)
  return how === undefined ? unreadable(filter) : { column, how, value: rest.join(':') }
}

function unreadable(filter: string): never {
  const message = `The filter “${filter}” cannot be read; write column:how:value, and for how one of ${HOW.join(', ')}.`
  throw new TuttiError('InvalidRequest', message)
}

function columnOf({ columns }: TableSchema, name: string): ColumnSchema {
  const found = columns.find((column) => column.name === name)
  if (found !== undefined) return found
  const known = columns.map((column) => column.name).join(', ')
  throw new TuttiError('InvalidRequest', `There is no column ${name}; there are: ${known}.`)
}
