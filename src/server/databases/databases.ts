import { z } from 'zod'
import { isSchema, type SqlSource } from '../../agents/sql/source.ts'
import { TuttiError } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Resource } from '../parts.ts'
import { id } from '../schemas.ts'
import { nameOf, rowsQuery, tableOf } from './rows.ts'

const access = { access: { role: 'admin', scope: 'admin' } } as const
const tags = ['databases']
const TIME_MS = 30_000

const tableSchema = z.object({
  name: z.string(),
  kind: z.enum(['table', 'view']),
  columns: z
    .array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), primaryKey: z.boolean() }))
    .readonly(),
  approximateRows: z.number().optional(),
})

/** The databases that agents ask, to look at: tables and rows, read through the same gate. */
export const databases: Resource = async (server, { app }) => {
  const found = (name: string): SqlSource => {
    const source = app.databases.find((one) => one.name === name)
    if (source === undefined) throw new TuttiError('NotFound', `There is no database ${name}.`)
    return source
  }
  const schemaOf = async (source: SqlSource): Promise<DatabaseSchema> => {
    const schema = await source.schema(AbortSignal.timeout(TIME_MS))
    if (isSchema(schema)) return schema
    throw new TuttiError('QueryError', `${source.name} does not tell its tables.`)
  }
  server.get(
    '/databases',
    {
      config: access,
      schema: {
        tags,
        summary: 'The databases',
        response: { 200: z.object({ items: z.array(z.object({ name: z.string() })) }) },
      },
    },
    () => ({ items: app.databases.map(({ name }) => ({ name })) }),
  )
  server.get(
    '/databases/:database/tables',
    {
      config: access,
      schema: {
        tags,
        summary: 'The tables of one with their columns',
        params: z.object({ database: id }),
        response: { 200: z.object({ dialect: z.string(), items: z.array(tableSchema) }) },
      },
    },
    async ({ params: { database } }) => {
      const { dialect, tables } = await schemaOf(found(database))
      const items = tables.map(({ kind, columns, approximateRows, ...table }) => ({
        name: nameOf(table),
        kind,
        columns: columns.map(({ name, type, nullable, primaryKey }) => ({ name, type, nullable, primaryKey })),
        ...given({ approximateRows }),
      }))
      return { dialect, items }
    },
  )
  server.get(
    '/databases/:database/tables/:table/rows',
    {
      config: access,
      schema: {
        tags,
        summary: 'Rows of a table',
        params: z.object({ database: id, table: id }),
        querystring: z.object({
          limit: z.coerce.number().int().min(1).max(200).default(50),
          offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
          column: z.string().max(200).optional(),
          value: z.string().max(1_000).optional().describe('Only rows with this in the column'),
        }),
        response: {
          200: z.object({
            columns: z.array(z.string()).readonly(),
            rows: z.array(z.array(z.unknown()).readonly()).readonly(),
            hasMore: z.boolean(),
          }),
        },
      },
    },
    async ({ params: { database, table }, query }) => {
      const source = found(database)
      const schema = await schemaOf(source)
      const sql = rowsQuery(schema, tableOf(schema, table), query)
      const reply = await source.query(sql, AbortSignal.timeout(TIME_MS))
      if (!reply.success) {
        throw new TuttiError(reply.blocked === true ? 'QueryBlocked' : 'QueryError', reply.error ?? 'The query failed.')
      }
      return {
        columns: reply.columns,
        rows: reply.data.slice(0, query.limit),
        hasMore: reply.data.length > query.limit,
      }
    },
  )
}
