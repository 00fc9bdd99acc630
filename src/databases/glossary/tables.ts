import type { DatabaseSchema, TableSchema } from '../schema.ts'

/** Whether a database described itself by a schema, and not in prose. */
export function isSchema(schema: DatabaseSchema | { readonly text: string }): schema is DatabaseSchema {
  return 'tables' in schema
}

/** `table`, or `schema.table` outside the default schema. */
export function fullName({ schema, name }: Pick<TableSchema, 'schema' | 'name'>): string {
  return schema === undefined ? name : `${schema}.${name}`
}
