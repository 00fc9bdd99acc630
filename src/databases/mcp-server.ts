import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { systemClock, type Clock } from '../core/clock.ts'
import { errorInfo, TuttiError } from '../core/errors.ts'
import type { Database } from './database.ts'
import type { Gate } from './gate/index.ts'
import { createTableCatalog } from './gate/tables.ts'
import { blockedReply, failureReply, queryReply, successReply, type QueryReply } from './query-reply.ts'
import { SchemaCache } from './schema-cache.ts'
import type { DatabaseSchema } from './schema.ts'

export interface DatabaseServerOptions {
  /** By name of the database: tables and views that may be seen and read, as `x` or `schema.x`; absent, all. */
  readonly allowedTables?: Readonly<Record<string, readonly string[]>>
  /** Milliseconds for which a schema is kept; 60,000 when absent. */
  readonly schemaLifeMs?: number
  readonly clock?: Clock
}

const MAX_ROWS = 10_000
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/**
 * The built-in MCP server over the configured databases, with the tools `mcp_db_schema` and `mcp_db_query` (SPEC P5). Every
 * query passes the gate first. Closing the server closes neither databases nor gate.
 * @throws TuttiError `ConfigurationError` when two databases have one name, or tables are allowed of an unknown one
 */
export async function createDatabaseMcpServer(
  databases: readonly Database[],
  gate: Gate,
  options: DatabaseServerOptions = {},
): Promise<McpServer> {
  const reader = new GatedReader(databases, gate, options)
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const server = new McpServer({ name: 'tutti-databases', version: '1' })
  const names = databases.map((database) => database.name).join(', ')
  const database = z.string().optional().describe(`One of: ${names}. May be left out when there is only one.`)

  server.registerTool(
    'mcp_db_schema',
    {
      description: 'Tables, views, columns, keys and comments of a database.',
      inputSchema: {
        database,
        tables: z.array(z.string()).optional().describe('Only these tables, as "name" or "schema.name".'),
        refresh: z.boolean().optional().describe('Reads the schema anew rather than one kept for a short while.'),
      },
      annotations: READ_ONLY,
    },
    async ({ database, tables, refresh }) => {
      try {
        const schema = await reader.schema(database, tables, refresh === true)
        // The gate needs a thousand names of functions; a reader of the text does not.
        const { callable: _, ...shown } = schema
        return toResult(schema, false, shown)
      } catch (error) {
        const { type, message } = errorInfo(error)
        return toResult({ error: message, error_code: type }, true)
      }
    },
  )

  server.registerTool(
    'mcp_db_query',
    {
      description: 'Runs one read-only SELECT query on a database and returns its rows.',
      inputSchema: {
        sql: z.string().describe('One SELECT statement in the dialect of the database.'),
        database,
        maxRows: z.number().int().min(1).max(MAX_ROWS).optional().describe('Most rows to return, 1,000 by default.'),
      },
      outputSchema: queryReply.shape,
      annotations: READ_ONLY,
    },
    async ({ sql, database, maxRows }, { signal }) => {
      const reply = await reader.query(database, sql, { signal, ...(maxRows === undefined ? {} : { maxRows }) })
      return toResult(reply, !reply.success)
    },
  )
  return server
}

function toResult(value: object, isError: boolean, shown = value): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(shown) }],
    structuredContent: { ...value },
    ...(isError ? { isError } : {}),
  }
}

/** Databases behind the gate and the allow-lists. */
class GatedReader {
  readonly #entries = new Map<string, { readonly database: Database; readonly cache: SchemaCache }>()
  readonly #gate: Gate
  readonly #allowedTables: Readonly<Record<string, readonly string[]>>

  constructor(databases: readonly Database[], gate: Gate, options: DatabaseServerOptions) {
    const { clock = systemClock, schemaLifeMs = 60_000, allowedTables = {} } = options
    this.#gate = gate
    this.#allowedTables = allowedTables
    for (const database of databases) {
      if (this.#entries.has(database.name)) {
        throw new TuttiError(
          'ConfigurationError',
          `Two databases are named "${database.name}"; give each a name of its own.`,
        )
      }
      this.#entries.set(database.name, { database, cache: new SchemaCache(database, clock, schemaLifeMs) })
    }
    for (const name of Object.keys(allowedTables)) this.#entry(name)
  }

  async schema(
    name: string | undefined,
    tables: readonly string[] | undefined,
    fresh: boolean,
  ): Promise<DatabaseSchema> {
    const { database, cache } = this.#entry(name)
    const schema = await (fresh ? cache.refresh() : cache.get())
    const { allowed } = createTableCatalog(schema, this.#allowedTables[database.name])
    const visible = { ...schema, tables: allowed }
    return tables === undefined ? visible : { ...visible, tables: createTableCatalog(visible, tables).allowed }
  }

  /** Never throws: what fails or is blocked is told in the reply. */
  async query(
    name: string | undefined,
    sql: string,
    options: { readonly signal: AbortSignal; readonly maxRows?: number },
  ): Promise<QueryReply> {
    try {
      const { database, cache } = this.#entry(name)
      const verdict = await this.#check(sql, database, cache)
      if (!verdict.allowed) return blockedReply(verdict.reason, verdict.rule)
      return successReply(await database.query(sql, options))
    } catch (error) {
      return failureReply(error)
    }
  }

  /** An unknown table or column may be newer than the cached schema, so the schema is read again once. */
  async #check(sql: string, database: Database, cache: SchemaCache): Promise<Awaited<ReturnType<Gate['check']>>> {
    const allowedTables = this.#allowedTables[database.name]
    const options = allowedTables === undefined ? {} : { allowedTables }
    const kept = await cache.get()
    const verdict = await this.#gate.check(sql, kept, options)
    if (verdict.allowed || (verdict.rule !== 'table' && verdict.rule !== 'column')) return verdict
    return this.#gate.check(sql, await cache.refresh(), options)
  }

  #entry(name: string | undefined): { readonly database: Database; readonly cache: SchemaCache } {
    const only = name === undefined && this.#entries.size === 1 ? [...this.#entries.values()][0] : undefined
    const entry = only ?? (name === undefined ? undefined : this.#entries.get(name))
    if (entry !== undefined) return entry
    const names = [...this.#entries.keys()].map((known) => `"${known}"`).join(', ') || 'none'
    throw new TuttiError(
      'ConfigurationError',
      name === undefined
        ? `Say which database is meant; there are: ${names}.`
        : `There is no database "${name}"; there are: ${names}.`,
    )
  }
}
