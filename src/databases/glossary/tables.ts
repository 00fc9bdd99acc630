import type { TableSchema } from '../schema.ts'

/** `table`, or `schema.table` outside the default schema. */
export function fullName({ schema, name }: Pick<TableSchema, 'schema' | 'name'>): string {
  return schema === undefined ? name : `${schema}.${name}`
}
