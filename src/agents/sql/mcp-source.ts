import type { SqlGuard, Verdict } from '../../databases/sql-guard/index.ts'
import type { SqlSources } from '../../databases/sources.ts'
import type { SqlSource } from './source.ts'
import { isSchema } from '../../databases/glossary/tables.ts'

export interface McpSourceOptions {
  readonly name: string
  /** Whether the data are the operator's own; for an external MCP server, only if the operator configures it. */
  readonly trusted: boolean
  readonly allowedTables?: readonly string[]
}

/** A source of the databases' MCP servers as this agent uses it. */
export function mcpSource(sources: SqlSources, gate: SqlGuard, options: McpSourceOptions): SqlSource {
  const { name, trusted, allowedTables } = options
  return {
    name,
    trusted,
    async schema(signal) {
      const schema = await sources.schema(name, { signal })
      if (!isSchema(schema)) return schema
      const { callable: _, ...shown } = schema
      return shown
    },
    async check(sql, signal) {
      const schema = await sources.schema(name, { signal })
      if (!isSchema(schema)) return checkKeywords(sql)
      return gate.check(sql, schema, allowedTables === undefined ? {} : { allowedTables })
    },
    query: (sql, signal) => sources.query(name, sql, { signal }),
  }
}

/** Words that do not occur in a read-only query. */
const FORBIDDEN = /\b(?:CREATE|DROP|ALTER|TRUNCATE|INSERT|UPDATE|DELETE|MERGE|GRANT|REVOKE|CALL|EXEC|EXECUTE|INVOKE)\b/i

/**
 * A keyword check, for an external server that reports neither dialect nor tables. It is coarser than the SQL guard: it also
 * refuses harmless texts that contain such a word. The server's own protection is the second barrier.
 */
function checkKeywords(sql: string): Verdict {
  const word = FORBIDDEN.exec(sql)?.[0]
  if (word === undefined) return { allowed: true, tables: [], functions: [] }
  return {
    allowed: false,
    rule: 'statement-kind',
    reason: `Only reading is allowed, and the query has "${word}" in it.`,
  }
}
