import { TuttiError } from '../domain/errors.ts'
import type { Clock } from '../shared/clock.ts'
import { connectMcp } from '../mcp/client.ts'
import type { McpCallOptions, McpConnection, McpSpec } from '../mcp/spec.ts'
import type { Database } from './database.ts'
import { readQueryReply, readSchemaReply } from './foreign-reply.ts'
import type { Gate } from './sql-guard/index.ts'
import { GatedDatabase } from './guarded-database.ts'
import { withinLimits } from './limits.ts'
import type { QueryReply } from './query-reply.ts'
import type { DatabaseSchema } from './schema.ts'

export interface SqlSourcesOptions {
  readonly databases: readonly Database[]
  /** By name of the database: tables and views that may be seen and read, as `x` or `schema.x`; absent, all. */
  readonly allowedTables?: Readonly<Record<string, readonly string[]>>
  readonly clock?: Clock
  readonly gate: Gate
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
    add(name, ourSource(new GatedDatabase(database, gate, { allowedTables: allowedTables[name], clock })))
  }
  for (const spec of mcp) add(spec.name, foreignSource(spec))

  const find = (name: string | undefined): Source => {
    const known = [...sources.values()]
    const found = name === undefined && known.length === 1 ? known[0] : sources.get(name ?? '')
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
function ourSource(database: GatedDatabase): Source {
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
