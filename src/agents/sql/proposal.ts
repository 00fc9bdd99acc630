import type { Table } from '../../core/table.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { LinkedQuery } from '../../question-to-sql/index.ts'
import type { Terms } from '../../terms/terms.ts'
import type { SqlSource } from './source.ts'

/** One try, as it is kept in the history (SPEC P5). */
export interface Attempt {
  readonly attempt: number
  readonly database: string
  readonly query: string
  readonly success: boolean
  readonly error?: string
  readonly latencyMs: number
  /** Refused by the safety check. */
  readonly blocked?: boolean
  /** No other wording can help: the statement was not a query at all. */
  readonly final?: boolean
}

/** A source with what it says of itself. */
export interface Database {
  readonly source: SqlSource
  readonly schema: DatabaseSchema | { readonly text: string }
  readonly terms: Terms
  /** The file of the terms. */
  readonly termsPath?: string
}

export interface ProposedQuery {
  readonly kind: 'query'
  readonly database: Database
  readonly sql: string
  readonly explanation: string
  readonly by: 'model' | 'rules'
  readonly confidence?: number
  /** The rules' own reading, which words the answer better. */
  readonly linked?: LinkedQuery
  /** What is to be said of where it comes from. */
  readonly remark?: string
  /** Other databases that the question may be about, by name, with what they have of it. */
  readonly also?: ReadonlyMap<string, string>
}

/** A question about the schema itself, answered without touching the data. */
export interface SchemaProposal {
  readonly kind: 'schema'
  readonly database: string
  readonly table: Table
  readonly explanation: string
}

export interface Refused {
  readonly kind: 'refusal'
  readonly reason: string
}

export type Proposal = ProposedQuery | SchemaProposal | Refused
