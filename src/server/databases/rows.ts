import { TuttiError } from '../../domain/errors.ts'
import type { ColumnSchema, DatabaseSchema, Dialect, TableSchema, ColumnKind } from '../../databases/schema.ts'
import { containsText } from '../../databases/glossary/case-folding.ts'
import { quoteIdentifier, quoteLiteral, tableName } from '../../databases/glossary/dialect.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import { z } from 'zod'

/** The requested part of a table. */
export interface TableSelection {
  readonly limit: number
  readonly offset: number
  /** Each is `column:how:value` with an operator of `HOW`; all must match. */
  readonly filters?: readonly string[]
  readonly sort?: { readonly column: string; readonly isDown: boolean } | undefined
}

/** Operators of filters. */
export const FILTER_OPERATORS = ['is', 'not', 'has', 'lt', 'le', 'gt', 'ge', 'empty', 'filled'] as const
type FilterOperator = (typeof FILTER_OPERATORS)[number]
const SIGNS: Partial<Readonly<Record<FilterOperator, string>>> = { lt: '<', le: '<=', gt: '>', ge: '>=' }
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** @throws TuttiError `NotFound` */
export function findTable({ tables }: DatabaseSchema, name: string): TableSchema {
  const match = tables.find((table) => fullName(table) === name)
  if (match === undefined) throw new TuttiError('NotFound', `There is no table ${name}.`)
  return match
}

/**
 * The query for some rows of a table. It contains only names from the schema and literal values, and passes the same
 * guard as any other query.
 * @throws TuttiError `InvalidRequest` for an unknown column or an invalid filter
 */
export function rowsQuery({ dialect }: DatabaseSchema, table: TableSchema, look: TableSelection): string {
  const quoted = ({ name }: Pick<ColumnSchema, 'name'>): string => quoteIdentifier(name, dialect)
  const filters = (look.filters ?? []).map((filter) => condition(filter, table, dialect))
  const where = filters.length === 0 ? '' : ` WHERE ${filters.join(' AND ')}`
  const columns = table.columns.map(quoted).join(', ')
  const order = [...sorted(look.sort, table, dialect), ...ordered(table).map(quoted)]
  const by = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`
  return `SELECT ${columns} FROM ${tableName(table, dialect)}${where}${by} LIMIT ${look.limit + 1} OFFSET ${look.offset}`
}

/** Columns for a stable order of pages: the primary key, or else all comparable columns. */
function ordered({ columns }: TableSchema): readonly ColumnSchema[] {
  const keys = columns.filter(({ primaryKey }) => primaryKey)
  return keys.length > 0 ? keys : columns.filter(isComparable)
}

function isComparable({ kind }: ColumnSchema): boolean {
  return kind !== 'json' && kind !== 'other'
}

/** Sorts NULL last in both directions, in every database. */
function sorted(sort: TableSelection['sort'], table: TableSchema, dialect: Dialect): string[] {
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
      throw new TuttiError(
        'InvalidRequest',
        `${column.name} holds numbers; “${value}” is not a number. Write it as 1234.5.`,
      )
    }
    return `${isComparable(column) ? name : textOf(name, dialect)} ${sign} ${column.kind === 'number' ? value : text}`
  }
  if (how === 'has') return containsText(textOf(name, dialect), value, dialect)
  // Compares as number and as text: 44.50 equals 44.5, and numbers that are not stored exactly match as text.
  const asText = `${textOf(name, dialect)} = ${text}`
  const same = column.kind === 'number' && NUMBER.test(value) ? `(${asText} OR ${name} = ${value})` : asText
  return how === 'is' ? same : `(${name} IS NULL OR NOT ${same})`
}

function textOf(name: string, dialect: Dialect): string {
  return `CAST(${name} AS ${dialect === 'mysql' ? 'char' : 'text'})`
}

/** Column names may contain colons, so the longest matching name is used. */
function parsed(filter: string, table: TableSchema): { column: ColumnSchema; how: FilterOperator; value: string } {
  const column = table.columns
    .filter(({ name }) => filter.startsWith(`${name}:`))
    .sort((one, other) => other.name.length - one.name.length)[0]
  if (column === undefined) return columnOf(table, filter.split(':')[0]!) && unreadable(filter)
  const [said = '', ...rest] = filter.slice(column.name.length + 1).split(':')
  const how = FILTER_OPERATORS.find((one) => one === said)
  return how === undefined ? unreadable(filter) : { column, how, value: rest.join(':') }
}

function unreadable(filter: string): never {
  const message = `The filter “${filter}” cannot be read; write column:how:value, and for how one of ${FILTER_OPERATORS.join(', ')}.`
  throw new TuttiError('InvalidRequest', message)
}

function columnOf({ columns }: TableSchema, name: string): ColumnSchema {
  const match = columns.find((column) => column.name === name)
  if (match !== undefined) return match
  const names = columns.map((column) => column.name).join(', ')
  throw new TuttiError('InvalidRequest', `Unknown column ${name}. Available: ${names}.`)
}

const KINDS = [
  'number',
  'text',
  'date',
  'datetime',
  'time',
  'boolean',
  'json',
  'other',
] as const satisfies readonly ColumnKind[]

const tableSchema = z.object({
  name: z.string(),
  kind: z.enum(['table', 'view']),
  columns: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        holds: z.enum(KINDS),
        nullable: z.boolean(),
        primaryKey: z.boolean(),
      }),
    )
    .readonly(),
  foreignKeys: z
    .array(
      z.object({
        columns: z.array(z.string()).readonly(),
        table: z.string(),
        referencedColumns: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
  approximateRows: z.number().optional(),
})

export const tablesSchema = z.object({ dialect: z.string(), items: z.array(tableSchema) })

export function tableItem({ kind, columns, foreignKeys, approximateRows, ...table }: TableSchema) {
  return {
    name: fullName(table),
    kind,
    columns: columns.map(({ name, type, kind: own, holds = own, nullable, primaryKey }) => ({
      name,
      type,
      holds,
      nullable,
      primaryKey,
    })),
    foreignKeys,
    approximateRows,
  }
}

export const rowsSchema = z.object({
  sql: z.string().describe('The query that was run'),
  columns: z.array(z.string()).readonly(),
  rows: z.array(z.array(z.unknown()).readonly()).readonly(),
  hasMore: z.boolean(),
})

const listOf = <T extends z.ZodType>(item: T, max: number) =>
  z.preprocess(
    (input) => (input === undefined || Array.isArray(input) ? input : [input]),
    z.array(item).max(max).optional(),
  )

/** Query parameters that select rows of a table. */
export const selectionQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  filter: listOf(z.string().max(1_300), 20).describe(
    `Only rows for which all of these hold, each column:how:value; how is one of ${FILTER_OPERATORS.join(', ')}`,
  ),
  sort: z.string().max(200).optional().describe('Column to sort by; NULL comes last'),
  direction: z.enum(['up', 'down']).default('up'),
})

export function parseSelection({ filter, sort, direction, ...page }: z.infer<typeof selectionQuery>): TableSelection {
  const order = sort === undefined ? undefined : { column: sort, isDown: direction === 'down' }
  return { ...page, filters: filter ?? [], sort: order }
}
