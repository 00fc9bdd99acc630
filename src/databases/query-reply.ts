import { errorInfo } from '../domain/errors.ts'
import type { QueryOutput } from './database.ts'

/** What `mcp_db_query` returns: `success`, `columns`, `data`, `row_count`, `error`; the rest is ours. */
export interface QueryReply {
  readonly success: boolean
  readonly columns: readonly string[]
  readonly data: readonly (readonly unknown[])[]
  readonly row_count: number
  readonly error: string | null
  readonly truncated: boolean
  /** The SQL guard refused the query; it was not run. `rule` names the protection it violated. */
  readonly blocked?: boolean
  readonly rule?: string
  /** `QueryError`, `QueryBlocked`, `ConfigurationError` and so on, where the query failed. */
  readonly error_code?: string
}

export function successReply(output: QueryOutput): QueryReply {
  const { columns, data, rowCount, truncated } = output
  return { success: true, columns, data, row_count: rowCount, error: null, truncated }
}

export function failureReply(thrown: unknown): QueryReply {
  const { type, message, details } = errorInfo(thrown)
  // By the database's own word, which is behind the SQL guard.
  if (type === 'QueryBlocked') return blockedReply(message, details?.rule ?? 'server')
  return { ...NOTHING, error: message, error_code: type }
}

export function blockedReply(reason: string, rule: string): QueryReply {
  return { ...NOTHING, error: reason, error_code: 'QueryBlocked', blocked: true, rule }
}

const NOTHING = { success: false, columns: [], data: [], row_count: 0, truncated: false }
