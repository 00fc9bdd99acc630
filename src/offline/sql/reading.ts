import type { Attribute, Edge, Entity } from '../../databases/glossary/catalogue.ts'
import type { Grain } from '../../databases/glossary/dialect.ts'
import type { Period } from '../language/periods.ts'
import type { ColumnName } from './names.ts'
import type { ValueHit } from './types.ts'

export type Aggregate = 'sum' | 'avg' | 'min' | 'max' | 'median'

/** A number to compare with. */
export interface Bound {
  readonly op: string
  /** Digits of a literal. */
  readonly value: string
}

/** A figure. */
export type Measure =
  | { readonly kind: 'count'; readonly entity: Entity }
  | { readonly kind: 'column'; readonly fn: Aggregate; readonly names: readonly ColumnName[] }
  /** The amount that a table has for each row: `invoices.total`. */
  | { readonly kind: 'amount'; readonly fn: Aggregate; readonly entity: Entity }
  | { readonly kind: 'metric'; readonly name: string }
  /** Revenue, if no metric defines it. */
  | { readonly kind: 'sales' }

export type Group =
  | { readonly kind: 'entity'; readonly entity: Entity; readonly via?: Edge | undefined; readonly isEach: boolean }
  | { readonly kind: 'column'; readonly names: readonly ColumnName[]; readonly text: string }
  | { readonly kind: 'grain'; readonly grain: Grain }

export type Test =
  | {
      readonly kind: 'value'
      readonly hits: readonly ValueHit[]
      readonly others: readonly (readonly ValueHit[])[]
      /** The question names its column or table. */
      readonly isNamed?: boolean | undefined
    }
  | { readonly kind: 'compare'; readonly names: readonly ColumnName[] | undefined; readonly bound: Bound }
  | { readonly kind: 'null'; readonly attribute: Attribute }
  | { readonly kind: 'flag'; readonly attribute: Attribute }
  | { readonly kind: 'period'; readonly period: Period; readonly date?: Attribute | undefined }
  | { readonly kind: 'related'; readonly scope: Scope; readonly bound?: Bound | undefined }
  /** Parent or child rows of the same table, such as managers and reports. */
  | { readonly kind: 'hierarchy'; readonly edge: Edge; readonly hits: readonly ValueHit[] }
  /** `isDone`: the question is about the past, so open items do not count as late. */
  | { readonly kind: 'late' | 'overdue'; readonly isDone: boolean }

export interface Condition {
  readonly test: Test
  readonly isNegated: boolean
  /** The wording of the question. */
  readonly text: string
  /** Stands before the noun. In a share, it applies to the whole. */
  readonly isBefore: boolean
}

/** A table named in the question, with the conditions on its rows. */
export interface Scope {
  readonly entity: Entity
  readonly via?: Edge | undefined
  readonly conditions: Condition[]
}

export interface Rank {
  readonly direction: 'asc' | 'desc'
  readonly by?: Measure | { readonly kind: 'attribute'; readonly attribute: Attribute } | undefined
  /** `the second highest` has 2. */
  readonly place?: number | undefined
}

/** A question that is understood but not yet joined to its tables. */
export interface Reading {
  mode: 'figure' | 'list' | undefined
  asksShare?: boolean
  subject?: Scope
  measures: Measure[]
  groups: Group[]
  selected: (readonly ColumnName[])[]
  rank?: Rank
  limit?: number
  /** Conditions on the rows of the figure. */
  readonly facts: Condition[]
  /** Two periods to compare a figure in. */
  compared?: readonly [Period, Period]
  /** “and what did they cost?” */
  asksCost?: boolean
  readonly assumptions: Set<string>
}

/** What a word before asks of the next noun. */
export interface Pending {
  agg?: Aggregate | undefined
  group?: 'by' | 'each' | undefined
  rank?: { direction: 'asc' | 'desc'; hint: string } | undefined
  bound?: (Bound & { text: string }) | undefined
  negation?: 'none' | 'not' | 'without' | undefined
  isCounting?: boolean
  isAsking?: boolean
  isWho?: boolean
  has?: boolean
  /** `the second highest` has 2. */
  place?: number | undefined
}
