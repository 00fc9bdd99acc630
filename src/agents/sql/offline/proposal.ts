import type { Table } from '../../../core/table.ts'
import type { LinkedQuery } from '../../../question-to-sql/index.ts'
import type { Database } from '../open.ts'

export interface ProposedQuery {
  readonly kind: 'query'
  readonly database: Database
  readonly sql: string
  readonly explanation: string
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
