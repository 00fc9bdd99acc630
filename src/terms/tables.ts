import type { DatabaseSchema, TableSchema } from '../databases/schema.ts'

/** Whether a database described itself by a schema, and not in prose. */
export function isSchema(schema: DatabaseSchema | { readonly text: string }): schema is DatabaseSchema {
  return 'tables' in schema
}

/** `table`, or `schema.table` outside the default schema. */
export function fullName({ schema, name }: Pick<TableSchema, 'schema' | 'name'>): string {
  return schema === undefined ? name : `${schema}.${name}`
}

/** The tables that a query speaks of. */
export function tablesIn(sql: string, { tables }: DatabaseSchema): readonly TableSchema[] {
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu))
  return tables.filter(({ name }) => words.has(name.toLowerCase()))
}
