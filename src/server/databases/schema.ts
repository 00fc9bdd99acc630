import { z } from 'zod'
import type { ColumnKind, TableSchema } from '../../databases/schema.ts'
import { FILTER_OPERATORS, qualifiedName, type TableSelection } from './rows.ts'

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
        /** Kind of the values. Text columns count as dates or times if every row is one. */
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
    name: qualifiedName(table),
    kind,
    columns: columns.map(({ name, type, kind: own, holds = 'mixed', nullable, primaryKey }) => ({
      name,
      type,
      holds: holds === 'mixed' ? own : holds,
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
