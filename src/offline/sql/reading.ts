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
  | { readonly kind: 'distinct'; readonly names: readonly ColumnName[] }
  | { readonly kind: 'column'; readonly fn: Aggregate; readonly names: readonly ColumnName[] }
  /** The amount that a table has for each row: `invoices.total`. */
  | { readonly kind: 'amount'; readonly fn: Aggregate; readonly entity: Entity }
  | { readonly kind: 'metric'; readonly name: string }
  /** Money or pieces sold, where no metric says how they are computed. */
  | { readonly kind: 'sales'; readonly of: 'money' | 'units' }

export type Group =
  | { readonly kind: 'entity'; readonly entity: Entity; readonly via?: Edge | undefined; readonly isEach: boolean }
  | { readonly kind: 'column'; readonly names: readonly ColumnName[]; readonly text: string }
  | { readonly kind: 'grain'; readonly grain: Grain }

export type Test =
  | {
      readonly kind: 'value'
      readonly hits: readonly ValueHit[]
      readonly others: readonly (readonly ValueHit[])[]
      /** They are joined by “and”: of rows of another table, each has to be there. */
      readonly isBoth?: boolean
      /** Its column or its table is named beside it. */
      readonly isNamed?: boolean | undefined
    }
  | { readonly kind: 'compare'; readonly names: readonly ColumnName[] | undefined; readonly bound: Bound }
  | { readonly kind: 'null'; readonly attribute: Attribute }
  | { readonly kind: 'flag'; readonly attribute: Attribute }
  | { readonly kind: 'period'; readonly period: Period; readonly date?: Attribute | undefined }
  | { readonly kind: 'related'; readonly scope: Scope; readonly bound?: Bound | undefined }
  /** Rows above or below others of the same table: who reports to whom. */
  | { readonly kind: 'hierarchy'; readonly edge: Edge; readonly hits: readonly ValueHit[] }
  /** `isDone`: the question speaks of what has happened, so that what is still open is not late. */
  | { readonly kind: 'late' | 'overdue'; readonly isDone: boolean }

export interface Condition {
  readonly test: Test
  readonly isNegated: boolean
  /** As the question said it. */
  readonly text: string
  /** Said before the noun: of a share, it holds of the whole. */
  readonly isBefore: boolean
}

/** A table that the question speaks of, with what is said of its rows. */
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

/** A question, understood but not yet joined to the tables it needs. */
export interface Reading {
  mode: 'figure' | 'list' | undefined
  asksShare?: boolean
  subject?: Scope
  measures: Measure[]
  groups: Group[]
  selected: (readonly ColumnName[])[]
  rank?: Rank
  limit?: number
  /** What holds of the rows that the figure is computed over. */
  readonly facts: Condition[]
  /** Two periods that a figure is compared in. */
  compared?: readonly [Period, Period]
  /** “and what did they cost?” */
  asksCost?: boolean
  readonly assumptions: Set<string>
}
