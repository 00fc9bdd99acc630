import { ERROR_CODES, type ErrorCode, TuttiError } from '../domain/errors.ts'
import type { Clock } from '../shared/clock.ts'
import { connectMcp } from '../mcp/client.ts'
import type { McpCallOptions, McpConnection, McpSpec, McpToolResult } from '../mcp/spec.ts'
import type { Database } from './database.ts'
import type { SqlGuard } from './sql-guard/index.ts'
import { GuardedDatabase } from './guarded-database.ts'
import { withinLimits } from './limits.ts'
import { failureReply, type QueryReply, queryReply } from './query-reply.ts'
import type { DatabaseSchema } from './schema.ts'
import { isDeepStrictEqual } from 'node:util'
import { tryParseExactJson, tryParseJson } from '../shared/json.ts'
import { z } from 'zod'

export interface SqlSourcesOptions {
  readonly databases: readonly Database[]
  /** By name of the database: tables and views that may be seen and read, as `x` or `schema.x`; absent, all. */
  readonly allowedTables?: Readonly<Record<string, readonly string[]>>
  readonly clock?: Clock
  readonly gate: SqlGuard
  /** MCP servers with `mcp_db_schema` and `mcp_db_query`; each is a source with its own name. */
  readonly mcp?: readonly McpSpec[]
}

/** A schema from a server; an external server may describe it in any form. */
export type SourceSchema = DatabaseSchema | { readonly text: string }

/** All sources of the SQL agent. `source` may be omitted if there is only one. */
export interface SqlSources {
  /** @throws TuttiError `ConfigurationError`, `QueryError` or `ToolError` */
  schema(source?: string, options?: McpCallOptions): Promise<SourceSchema>
  /**
   * A failed or blocked query is reported in the reply.
   * @throws TuttiError if the source is unavailable
   */
  query(source: string | undefined, sql: string, options?: McpCallOptions): Promise<QueryReply>
  /** Closes the connections. The caller keeps ownership of the databases and the SQL guard. */
  close(): Promise<void>
}

interface Source {
  schema(options: McpCallOptions): Promise<SourceSchema>
  query(sql: string, options: McpCallOptions): Promise<QueryReply>
  close(): Promise<void>
}

const TIMEOUT_MS = 60_000

/**
 * Provides databases and external MCP servers through one interface, so that they are the same to the agent: both have
 * the tools `mcp_db_schema` and `mcp_db_query`. Servers are connected on first use.
 * @throws TuttiError `ConfigurationError` if two sources have the same name
 */
export function createSqlSources({
  databases,
  gate,
  mcp = [],
  allowedTables = {},
  clock,
}: SqlSourcesOptions): SqlSources {
  const sources = new Map<string, Source>()
  const add = (name: string, source: Source): void => {
    if (sources.has(name)) {
      throw new TuttiError('ConfigurationError', `Two SQL sources are named "${name}"; rename one.`)
    }
    sources.set(name, source)
  }
  for (const database of databases) {
    const { name } = database
    add(name, ourSource(new GuardedDatabase(database, gate, { allowedTables: allowedTables[name], clock })))
  }
  for (const spec of mcp) add(spec.name, foreignSource(spec))

  const find = (name: string | undefined): Source => {
    const allSources = [...sources.values()]
    const found = name === undefined && allSources.length === 1 ? allSources[0] : sources.get(name ?? '')
    if (found !== undefined) return found
    const names = [...sources.keys()].map((source) => `"${source}"`).join(', ') || 'none is configured'
    throw new TuttiError(
      'ConfigurationError',
      name === undefined ? `Say which SQL source is meant: ${names}.` : `There is no SQL source "${name}": ${names}.`,
    )
  }
  return {
    schema: async (name, callOptions = {}) => find(name).schema(callOptions),
    query: async (name, sql, callOptions = {}) => find(name).query(sql, callOptions),
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()))
    },
  }
}

/** The database stops at its own limits; the caller stops waiting at the limits of the call. */
function ourSource(database: GuardedDatabase): Source {
  const limited = <T>({ signal, timeoutMs = TIMEOUT_MS }: McpCallOptions, work: () => Promise<T>): Promise<T> =>
    withinLimits({ timeoutMs, signal }, work, () => undefined)
  return {
    schema: (options) => limited(options, () => database.schema()),
    query: (sql, options) => {
      const { signal } = options
      return limited(options, () => database.query(sql, signal === undefined ? {} : { signal }))
    },
    close: async () => undefined,
  }
}

function foreignSource(spec: McpSpec): Source {
  let opening: Promise<McpConnection> | undefined
  let argument: Promise<string> | undefined
  // A failure is not cached, so the next call retries.
  const connected = (): Promise<McpConnection> => {
    if (opening !== undefined) return opening
    opening = connectMcp(spec)
    opening.catch(() => (opening = undefined))
    return opening
  }
  /** Some servers name the argument `sql`, some `query`. */
  const queryArgument = (connection: McpConnection): Promise<string> => {
    if (argument !== undefined) return argument
    argument = findQueryArgument(connection)
    argument.catch(() => (argument = undefined))
    return argument
  }
  return {
    async schema(options) {
      const connection = await connected()
      return readSchemaReply(
        connection.name,
        await connection.callTool('mcp_db_schema', {}, { ...options, isRead: true }),
      )
    },
    async query(sql, options) {
      const connection = await connected()
      const input = { [await queryArgument(connection)]: sql }
      return readQueryReply(
        connection.name,
        await connection.callTool('mcp_db_query', input, { ...options, isRead: true }),
      )
    },
    async close() {
      const open = opening
      opening = undefined
      argument = undefined
      await (await open?.catch(() => undefined))?.close()
    },
  }
}

/** @throws TuttiError `ConfigurationError` if the server lacks one of the two tools */
async function findQueryArgument(connection: McpConnection): Promise<string> {
  const { tools } = await connection.listTools()
  const query = tools.find((tool) => tool.name === 'mcp_db_query')
  if (query === undefined || !tools.some((tool) => tool.name === 'mcp_db_schema')) {
    throw new TuttiError(
      'ConfigurationError',
      `MCP server "${connection.name}" does not offer both mcp_db_schema and mcp_db_query, so it cannot be an SQL source.`,
    )
  }
  const { properties } = query.inputSchema as { properties?: Record<string, unknown> }
  return properties !== undefined && !('sql' in properties) && 'query' in properties ? 'query' : 'sql'
}

/** What can be understood of an external server's rows: positional, or objects by column name. */
const foreignReply = z.object({
  success: z.boolean().optional(),
  columns: z.array(z.string()).nullish(),
  data: z.union([z.array(z.array(z.unknown())), z.array(z.record(z.string(), z.unknown()))]).nullish(),
  row_count: z.number().nullish(),
  error: z.string().nullish(),
  truncated: z.boolean().nullish(),
})

const failure = z.object({ error: z.string(), error_code: z.string().optional() })

/** Enough to tell a schema in our form from one in the server's own form. */
const schemaShape = z.object({
  name: z.string(),
  dialect: z.enum(['postgres', 'mysql', 'sqlite']),
  tables: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['table', 'view']),
      columns: z.array(z.object({ name: z.string(), type: z.string(), kind: z.string() })),
      foreignKeys: z.array(z.unknown()),
    }),
  ),
})

/** @throws TuttiError with the server's own error code where it names one of ours, else `ToolError` */
function readSchemaReply(server: string, result: McpToolResult): SourceSchema {
  const value = payload(result)
  const failed = failure.safeParse(value)
  if (result.isError || (failed.success && value !== null && !('tables' in (value as object)))) {
    const code = failed.data?.error_code
    throw new TuttiError(isErrorCode(code) ? code : 'ToolError', failed.data?.error ?? `${server}: ${result.text}`)
  }
  if (schemaShape.safeParse(value).success) return value as DatabaseSchema
  return { text: result.text !== '' ? result.text : JSON.stringify(result.structured) }
}

/** @throws TuttiError `ToolError` when the answer is in no form that can be understood */
function readQueryReply(server: string, result: McpToolResult): QueryReply {
  const value = payload(result)
  const own = queryReply.safeParse(value)
  if (own.success) return own.data
  const foreign = foreignReply.safeParse(value)
  if (!foreign.success) {
    // A tool that fails the way MCP describes says why in its text.
    if (result.isError) return failureReply(new TuttiError('QueryError', result.text))
    throw new TuttiError(
      'ToolError',
      `MCP server "${server}" answered mcp_db_query in a form that is not understood; expected {success, columns, data, row_count, error}.`,
    )
  }
  const { success, error, truncated } = foreign.data
  if (result.isError || success === false || (success === undefined && typeof error === 'string')) {
    return failureReply(new TuttiError('QueryError', error ?? result.text))
  }
  const rows = foreign.data.data ?? []
  const columns = foreign.data.columns ?? namesOf(rows)
  const data = rows.map((row) => (Array.isArray(row) ? row : columns.map((name) => row[name] ?? null)))
  return { success: true, columns, data, row_count: data.length, error: null, truncated: truncated ?? false }
}

function namesOf(rows: readonly (unknown[] | Record<string, unknown>)[]): string[] {
  return [...new Set(rows.flatMap((row) => (Array.isArray(row) ? [] : Object.keys(row))))]
}

/**
 * The structured content, else the text read as JSON, else undefined. The SDK rounds the numbers of structured content;
 * where the text says the same, as MCP wants it to, its digits are taken.
 */
function payload({ structured, text }: McpToolResult): unknown {
  const isSame = structured === undefined || isDeepStrictEqual(structured, tryParseJson(text))
  return isSame ? tryParseExactJson(text) : structured
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return (ERROR_CODES as readonly (string | undefined)[]).includes(code)
}
