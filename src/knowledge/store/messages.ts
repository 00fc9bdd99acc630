import type { ErrorInfo } from '../../core/errors.ts'
import type { SqlKnowledge } from './sql-store.ts'

/** Where a store keeps its documents. */
export type StorePlace = { readonly sqlitePath: string } | { readonly postgresUrl: string }

export type StoreMethod = Exclude<keyof SqlKnowledge, 'close'>

/** What the store's process is told. The first one opens it; it never is in the command line, which others can read. */
export type StoreRequest =
  | { readonly kind: 'open'; readonly place: StorePlace }
  | { readonly kind: 'call'; readonly id: number; readonly method: StoreMethod; readonly values: readonly unknown[] }
  | { readonly kind: 'close' }

export type StoreReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorInfo }
