import type { QueryOutput } from './database.ts'
import type { TableSchema } from './schema.ts'

/** What the parent asks of the SQLite process, one thing at a time. */
export type SqliteRequest =
  | {
      readonly kind: 'query'
      readonly sql: string
      readonly maxRows: number
      /** Asks SQLite first what the query would use, and holds it against the tables that may be read; absent, all. */
      readonly check: false | { readonly tables?: readonly string[] }
    }
  | { readonly kind: 'schema' }

export type SqliteReply =
  | { readonly ok: true; readonly value: QueryOutput | TableSchema[] }
  | {
      readonly ok: false
      readonly code: 'QueryError' | 'QueryBlocked' | 'ConfigurationError'
      readonly message: string
    }
