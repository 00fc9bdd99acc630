import { z } from 'zod'
import type { SqlSource } from '../../agents/sql/source.ts'
import { TuttiError } from '../../domain/errors.ts'
import { allowedVariants, refusedPosition } from './query-suggestions.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { NO_TERMS, termsSchema } from '../../databases/glossary/terms.ts'
import type { Resource } from '../context.ts'
import { itemsSchema } from '../schemas.ts'
import { rowsQuery, findTable, parseSelection, selectionQuery, rowsSchema, tableItem, tablesSchema } from './rows.ts'
import { clientAbortSignal } from '../sse.ts'

const TIME_MS = 30_000
const termsViewSchema = z.object({
  terms: termsSchema,
  path: z.string().optional().describe('File of the terms'),
  unused: z.string().optional().describe('Why the file is not used'),
})

const sqlSchema = z.string().min(1).max(20_000)

const checkedSchema = z.object({
  allowed: z.boolean(),
  rule: z.string().optional().describe('The rule of the SQL guard that refused it'),
  reason: z.string().optional(),
  at: z
    .object({ from: z.number(), to: z.number() })
    .optional()
    .describe('The characters that caused the refusal, if known'),
  instead: z.string().optional().describe('A similar query that the SQL guard allows'),
})

/** Maximum of rows that the console shows. */
const MAX_ROWS = 1_000

/** Tables and rows of the connected databases. Queries pass the same SQL guard as those of agents. */
export const databases: Resource = async (routes, { app, closing }) => {
  const findDatabase = (name: string): SqlSource => {
    const source = app.databases.find((one) => one.name === name)
    if (source === undefined) throw new TuttiError('NotFound', `There is no database ${name}.`)
    return source
  }
  const schemaOf = (source: SqlSource): Promise<DatabaseSchema> =>
    withTimeout(source, (signal) => source.schema(signal))
  routes.get(
    '/databases',
    { access: 'admin', summary: 'The databases', response: itemsSchema(z.object({ name: z.string() })) },
    () => ({ items: app.databases.map(({ name }) => ({ name })) }),
  )
  routes.get(
    '/databases/:database/tables',
    { access: 'admin', summary: 'Tables of a database with their columns', response: tablesSchema },
    async ({ params: { database } }) => {
      const { dialect, tables } = await schemaOf(findDatabase(database))
      return { dialect, items: tables.map(tableItem) }
    },
  )
  routes.get(
    '/databases/:database/tables/:table/rows',
    { access: 'admin', summary: 'Rows of a table', query: selectionQuery, response: rowsSchema },
    async ({ params: { database, table }, query }, reply) => {
      const source = findDatabase(database)
      const schema = await schemaOf(source)
      const sql = rowsQuery(schema, findTable(schema, table), parseSelection(query))
      return runQuery(source, sql, query.limit, clientAbortSignal(reply, closing))
    },
  )
  routes.get(
    '/databases/:database/terms',
    {
      access: 'admin',
      summary: 'Terms of the users, and verified questions with their queries',
      response: termsViewSchema,
    },
    async ({ params: { database } }) => {
      const { terms = NO_TERMS, path, unused } = (await findDatabase(database).terms?.()) ?? {}
      return { terms: { ...terms, verified: [...terms.verified] }, path, unused }
    },
  )
  routes.post(
    '/databases/:database/query',
    {
      access: 'admin',
      summary: 'Run a SQL query, read-only and through the same SQL guard as agents',
      body: z.strictObject({ sql: sqlSchema.trim() }),
      response: rowsSchema,
    },
    ({ params: { database }, body: { sql } }, reply) =>
      runQuery(findDatabase(database), sql, MAX_ROWS, clientAbortSignal(reply, closing)),
  )
  routes.post(
    '/databases/:database/check',
    {
      access: 'admin',
      summary: 'Check a query against the SQL guard without running it',
      body: z.strictObject({ sql: sqlSchema }),
      response: checkedSchema,
    },
    ({ params: { database }, body: { sql } }) => checkQuery(findDatabase(database), sql),
  )
}

/** Checks a query; if it is refused, suggests a similar one that the SQL guard allows. */
async function checkQuery(source: SqlSource, sql: string): Promise<z.infer<typeof checkedSchema>> {
  return withTimeout(source, async (signal) => {
    const verdict = await source.check(sql, signal)
    if (verdict.allowed) return { allowed: true }
    const { rule, reason } = verdict
    const schema = await source.schema(signal)
    const refusal = { allowed: false, rule, reason, at: refusedPosition(sql, verdict) }
    for (const instead of allowedVariants(sql, verdict, schema.tables)) {
      if ((await source.check(instead, signal)).allowed) return { ...refusal, instead }
    }
    return refusal
  })
}

/** @throws TuttiError `QueryBlocked` with the message of the SQL guard, `QueryError` with that of the database, `Timeout` */
async function runQuery(
  source: SqlSource,
  sql: string,
  max: number,
  gone: AbortSignal,
): Promise<z.infer<typeof rowsSchema>> {
  const { columns, data, truncated } = await withTimeout(source, async (time) => {
    // If the client disconnects, the query is cancelled in the database, too.
    const signal = AbortSignal.any([time, gone])
    const { success, blocked, error, ...found } = await source.query(sql, signal)
    if (success) return found
    throw new TuttiError(blocked === true ? 'QueryBlocked' : 'QueryError', error ?? 'The query failed.')
  })
  return { sql, columns, rows: data.slice(0, max), hasMore: truncated === true || data.length > max }
}

/**
 * @throws TuttiError `Timeout`, whatever error the database reports for the cancelled query; otherwise what `work`
 * throws
 */
async function withTimeout<T>({ name }: SqlSource, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(TIME_MS)
  try {
    return await work(signal)
  } catch (thrown) {
    if (!signal.aborted) throw thrown
    const message = `${name} did not answer within ${TIME_MS / 1_000} s; ask for less (a filter, fewer joins), or try again later.`
    throw new TuttiError('Timeout', message, { retryable: true, cause: thrown })
  }
}
