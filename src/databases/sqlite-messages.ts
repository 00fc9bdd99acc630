import type { QueryOutput } from './database.ts'
import type { TableSchema } from './schema.ts'

/** What the parent asks of the SQLite process, one thing at a time. */
export type SqliteRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly maxRows: number }
  | { readonly kind: 'schema' }

export type SqliteReply =
  | { readonly ok: true; readonly value: QueryOutput | TableSchema[] }
  | { readonly ok: false; readonly code: 'QueryError' | 'ConfigurationError'; readonly message: string }
