import { TuttiError } from '../../core/errors.ts'
import type { DatabaseSchema, TableSchema } from '../../databases/schema.ts'
import { quoteName, quoteText, tableName } from '../../terms/dialect.ts'

/** What is looked at of a table. */
export interface Look {
  readonly limit: number
  readonly offset: number
  /** Only rows whose text in this column is this value. */
  readonly column?: string | undefined
  readonly value?: string | undefined
}

/** @throws TuttiError `NotFound` */
export function tableOf({ tables }: DatabaseSchema, name: string): TableSchema {
  const found = tables.find((table) => nameOf(table) === name)
  if (found === undefined) throw new TuttiError('NotFound', `There is no table ${name}.`)
  return found
}

/** As it is named in addresses. */
export function nameOf({ schema, name }: Pick<TableSchema, 'schema' | 'name'>): string {
  return schema === undefined ? name : `${schema}.${name}`
}

/**
 * The query for some rows of a table. Names are those of the schema, and what is looked for is a text: the gate judges it
 * as it does any other query.
 * @throws TuttiError `InvalidRequest` for a column that the table does not have
 */
export function rowsQuery({ dialect }: DatabaseSchema, table: TableSchema, look: Look): string {
  const quoted = (name: string): string => quoteName(name, dialect)
  const has = (name: string): boolean => table.columns.some((column) => column.name === name)
  if (look.column !== undefined && !has(look.column)) {
    const known = table.columns.map(({ name }) => name).join(', ')
    throw new TuttiError('InvalidRequest', `There is no column ${look.column}; there are: ${known}.`)
  }
  const type = dialect === 'mysql' ? 'char' : 'text'
  const filter =
    look.column === undefined || look.value === undefined
      ? ''
      : ` WHERE CAST(${quoted(look.column)} AS ${type}) = ${quoteText(look.value, dialect)}`
  // Pages are of one order, which the key gives, or else all columns that can be compared.
  const keys = table.columns.filter(({ primaryKey }) => primaryKey)
  const order = (keys.length > 0 ? keys : table.columns.filter(({ kind }) => kind !== 'json' && kind !== 'other')).map(
    ({ name }) => quoted(name),
  )
  const by = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ')
  return `SELECT ${columns} FROM ${tableName(table, dialect)}${filter}${by} LIMIT ${look.limit + 1} OFFSET ${look.offset}`
}
