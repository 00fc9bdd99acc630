import { z } from 'zod'
import { errorInfo } from '../domain/errors.ts'
import type { QueryOutput } from './database.ts'

/**
 * What `mcp_db_query` returns: `success`, `columns`, `data`, `row_count`, `error`;
 * the rest is ours.
 */
export const queryReply = z.object({
  success: z.boolean(),
  columns: z.array(z.string()),
  data: z.array(z.array(z.unknown())),
  row_count: z.number(),
  error: z.string().nullable(),
  truncated: z.boolean(),
  /** The SQL guard refused the query; it was not run. `rule` names the wall it ran into. */
  blocked: z.boolean().optional(),
  rule: z.string().optional(),
  /** `QueryError`, `QueryBlocked`, `ConfigurationError` and so on, where the query failed. */
  error_code: z.string().optional(),
})

export type QueryReply = z.output<typeof queryReply>

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
