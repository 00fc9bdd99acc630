import { TuttiError } from '../core/errors.ts'
import { connectMcp, type McpCallOptions, type McpConnection, type McpSpec } from '../mcp/client.ts'
import type { Database } from './database.ts'
import { readQueryReply, readSchemaReply } from './foreign-reply.ts'
import type { Gate } from './gate/index.ts'
import { createDatabaseMcpServer, type DatabaseServerOptions } from './mcp-server.ts'
import type { QueryReply } from './query-reply.ts'
import type { DatabaseSchema } from './schema.ts'

export interface SqlSourcesOptions extends DatabaseServerOptions {
  readonly databases: readonly Database[]
  readonly gate: Gate
  /** Further MCP servers that offer `mcp_db_schema` and `mcp_db_query`; each is one source under its own name. */
  readonly mcp?: readonly McpSpec[]
}

export interface SqlSource {
  /** What `schema` and `query` take. */
  readonly source: string
  /** The database behind it; absent where only an external server knows. */
  readonly database?: string
}

/** A schema from a server; an external server may describe it in any form. */
export type SourceSchema = DatabaseSchema | { readonly text: string }

/** Everything the SQL agent can ask. `source` may be left out when there is only one. */
export interface SqlSources {
  list(): Promise<readonly SqlSource[]>
  /** @throws TuttiError `ConfigurationError`, `QueryError` or `ToolError` */
  schema(source?: string, tables?: readonly string[], options?: McpCallOptions): Promise<SourceSchema>
  /** A query that fails or is blocked is told in the reply; @throws TuttiError when the server cannot be asked */
  query(source: string | undefined, sql: string, options?: SourceQueryOptions): Promise<QueryReply>
  /** Ends the connections; databases and gate stay with whoever made them. */
  close(): Promise<void>
}

export interface SourceQueryOptions extends McpCallOptions {
  readonly maxRows?: number
}

interface Server {
  readonly name: string
  readonly connect: () => Promise<McpConnection>
  readonly isOurs: boolean
}

/**
 * Puts databases and external MCP servers behind one interface. Everything goes through MCP tool calls, in memory to the
 * built-in server, so the agent cannot tell one from the other. Servers are connected on first use.
 * @throws TuttiError `ConfigurationError` when two sources have one name
 */
export function createSqlSources(options: SqlSourcesOptions): SqlSources {
  const { databases, gate, mcp = [] } = options
  const connections = new Map<string, Promise<McpConnection>>()
  const queryArguments = new Map<McpConnection, Promise<string>>()
  const ours: Server = {
    name: 'tutti-databases',
    isOurs: true,
    connect: async () => {
      const server = await createDatabaseMcpServer(databases, gate, options)
      return connectMcp({ transport: 'in-memory', name: 'tutti-databases', server })
    },
  }
  const sources = new Map<string, SqlSource & { readonly server: Server }>()
  const add = (source: SqlSource, server: Server): void => {
    if (sources.has(source.source)) {
      throw new TuttiError('ConfigurationError', `Two SQL sources are named "${source.source}"; rename one.`)
    }
    sources.set(source.source, { ...source, server })
  }
  for (const { name } of databases) add({ source: name, database: name }, ours)
  for (const spec of mcp)
    add({ source: spec.name }, { name: spec.name, isOurs: false, connect: () => connectMcp(spec) })

  const find = (name: string | undefined): SqlSource & { readonly server: Server } => {
    const known = [...sources.values()]
    const found = name === undefined && known.length === 1 ? known[0] : sources.get(name ?? '')
    if (found !== undefined) return found
    const names = known.map(({ source }) => `"${source}"`).join(', ') || 'none is configured'
    throw new TuttiError(
      'ConfigurationError',
      name === undefined ? `Say which SQL source is meant: ${names}.` : `There is no SQL source "${name}": ${names}.`,
    )
  }

  const connected = async ({ name, connect }: Server): Promise<McpConnection> => {
    let connection = connections.get(name)
    if (connection === undefined) {
      connection = connect()
      connections.set(name, connection)
      // A failure is not kept, so the next call tries again.
      connection.catch(() => connections.delete(name))
    }
    return connection
  }

  /** Ours takes `sql`; other servers take `query`. */
  const queryArgument = (connection: McpConnection): Promise<string> => {
    let found = queryArguments.get(connection)
    if (found === undefined) {
      found = findQueryArgument(connection)
      queryArguments.set(connection, found)
      found.catch(() => queryArguments.delete(connection))
    }
    return found
  }

  return {
    list: async () =>
      [...sources.values()].map(({ source, database }) => ({
        source,
        ...(database === undefined ? {} : { database }),
      })),
    async schema(name, tables, callOptions) {
      const { database, server } = find(name)
      const connection = await connected(server)
      const result = await connection.callTool(
        'mcp_db_schema',
        { ...(database === undefined ? {} : { database }), ...(tables === undefined ? {} : { tables }) },
        callOptions,
      )
      return readSchemaReply(connection.name, result)
    },
    async query(name, sql, { maxRows, ...callOptions } = {}) {
      const { database, server } = find(name)
      const connection = await connected(server)
      const argument = server.isOurs ? 'sql' : await queryArgument(connection)
      const result = await connection.callTool(
        'mcp_db_query',
        {
          [argument]: sql,
          ...(database === undefined ? {} : { database }),
          ...(maxRows === undefined || !server.isOurs ? {} : { maxRows }),
        },
        callOptions,
      )
      return readQueryReply(connection.name, result)
    },
    async close() {
      const open = [...connections.values()]
      connections.clear()
      const settled = await Promise.allSettled(open)
      await Promise.all(settled.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
    },
  }
}

/** @throws TuttiError `ConfigurationError` when the server lacks one of the two tools */
async function findQueryArgument(connection: McpConnection): Promise<string> {
  const tools = await connection.listTools()
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
