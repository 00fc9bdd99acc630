import type { Period } from '../language/periods.ts'
import type { Table } from '../core/table.ts'
import type { Terms } from '../terms/terms.ts'
import type { Place, ValueHit, ValueLookup } from '../terms/value-lookup.ts'

export type { Place, ValueHit, ValueLookup }

export type QueryShape = 'count' | 'aggregate' | 'grouped' | 'top' | 'rows' | 'share'

/** A question that became one SELECT. */
export interface LinkedQuery {
  readonly kind: 'query'
  readonly sql: string
  /** One plain sentence: what the query computes and which readings were chosen. */
  readonly explanation: string
  /** 0 to 1; each assumption lowers it. */
  readonly confidence: number
  readonly shape: QueryShape
  readonly assumptions: readonly string[]
  /** The result columns, in order, and how to speak of them. */
  readonly columns: readonly AnswerColumn[]
  /** How to speak of a list: `12 orders for “open”`. */
  readonly list?: AnswerList
  /** What holds of the rows of a figure, as the question said it: ` for “Brazil” in 2023`; empty where nothing. */
  readonly where?: string
  /** One was asked for; more than one row means that they are equal. */
  readonly isTied?: boolean
  /** How many were asked for; more rows mean that the last are equal. */
  readonly top?: number
  /** Columns that are of two times compared, by their names. */
  readonly times?: readonly string[]
}

export interface AnswerList {
  readonly noun: string
  readonly nouns: string
  /** What they have in common, beginning with a blank; empty where nothing. */
  readonly where: string
  /** Rows at which the list was cut though nobody asked for so many. */
  readonly limit?: number
}

export interface AnswerColumn {
  readonly name: string
  readonly role: 'label' | 'number' | 'money' | 'percent'
  /** What a number is, in words: `revenue`, `number of customers`, `average unit price`. */
  readonly title: string
  /** `day`, `minute`: what the number counts, where the column says so. */
  readonly unit?: string
  /** Says yes or no: how yes is written. */
  readonly yes?: string
}

/** A question about the schema itself, answered without touching the data. */
export interface LinkedSchemaAnswer {
  readonly kind: 'schema'
  readonly shape: 'table-list' | 'describe'
  readonly table: Table
  readonly explanation: string
  readonly confidence: number
  readonly assumptions: readonly string[]
}

/** A question that was not understood well enough to answer. */
export interface LinkedRefusal {
  readonly kind: 'refusal'
  /** Names the words that were not understood, and what there is to ask for. */
  readonly reason: string
}

export type Linked = LinkedQuery | LinkedSchemaAnswer | LinkedRefusal

export interface LinkOptions {
  readonly lookup: ValueLookup
  /** YYYY-MM-DD; what “this year” and “last 3 months” are counted from. */
  readonly today: string
  /** What the question's period was found to be by whoever asks; it counts for the one that the question names, or all of it. */
  readonly period?: Pick<Period, 'from' | 'before'>
  /** What the people who use the database mean by their words. */
  readonly terms?: Terms
  /** Row limit of lists; 100 unless told. */
  readonly maxRows?: number
}
