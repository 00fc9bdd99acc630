import type { ExactNumber } from '../core/exact-number.ts'
import type { Attribute, Edge, Entity } from '../terms/catalogue.ts'
import type { DatePair } from '../terms/dates.ts'
import type { Grain } from '../terms/dialect.ts'
import type { Period } from '../language/periods.ts'
import type { AttributeMatch } from '../terms/names.ts'
import type { ValueHit } from './types.ts'

export type Aggregate = 'sum' | 'avg' | 'min' | 'max'
export type Comparison = '>' | '>=' | '<' | '<=' | '=' | '<>'
export type Direction = 'asc' | 'desc'
export type { Grain }

/** What an answer is broken down by, or listed as. */
export type Dimension =
  | {
      readonly kind: 'entity'
      readonly entity: Entity
      readonly via?: Edge
      /** Said by a word that may mean only some of the rows: `sales reps` for employees. */
      readonly isLoose?: boolean
      /** “does each … have”: those with none are listed, too. */
      readonly isEach?: boolean
    }
  | { readonly kind: 'attribute'; readonly match: AttributeMatch }
  | { readonly kind: 'grain'; readonly grain: Grain }

/** A figure. */
export type Measure =
  | { readonly kind: 'count'; readonly entity: Entity; readonly via?: Edge }
  | { readonly kind: 'distinct'; readonly match: AttributeMatch }
  | { readonly kind: 'money'; readonly aggregate: Aggregate; readonly word: string }
  | { readonly kind: 'units'; readonly of?: Entity }
  /** A figure that the terms define. */
  | { readonly kind: 'metric'; readonly name: string }
  /** Days from one date to another. */
  | ({ readonly kind: 'days'; readonly aggregate: Exclude<Aggregate, 'sum'> } & DatePair)
  /** The average or the median of a figure that there is one of for each `per`, or for each row. */
  | { readonly kind: 'average'; readonly of: Measure; readonly per?: Dimension; readonly isMedian?: boolean }
  | {
      readonly kind: 'column'
      readonly aggregate: Aggregate
      readonly match: AttributeMatch
      readonly anchor?: Entity
      /** The clause whose own rows hold the amounts, as in “… returned, and what did they cost?”. */
      readonly clause?: Condition
    }

/** How a value was mentioned; it decides between the columns that hold it. */
export type Mention = 'by' | 'from' | 'in' | 'adjective' | 'named' | 'state' | 'plain'

/** What a number is compared with. */
export interface Bound {
  readonly op: Comparison
  readonly amount: ExactNumber
  readonly upTo?: ExactNumber
  /** As it was said: `minute`, `EUR`. */
  readonly unit?: string | undefined
}

interface Anchored {
  /** The table the words were about. */
  readonly anchor?: Entity
  readonly via?: Edge
}

export type Condition = Anchored &
  (
    | {
        readonly kind: 'value'
        readonly text: string
        readonly alternatives: readonly (readonly ValueHit[])[]
        readonly mention: Mention
        /** Joined by “and”. */ readonly all?: boolean
        readonly attribute?: AttributeMatch
        readonly negated: boolean
      }
    | { readonly kind: 'person'; readonly entity: Entity; readonly first: ValueHit; readonly last: ValueHit }
    | {
        readonly kind: 'compare'
        readonly attribute: AttributeMatch
        readonly bound: Bound
      }
    | {
        /** One column against another. */
        readonly kind: 'columns'
        readonly left: Attribute
        readonly op: Comparison
        readonly right: Attribute
        /** The table from which both can be reached without multiplying rows. */
        readonly home: Entity
      }
    | { readonly kind: 'date'; readonly range: Period; readonly verb?: string; readonly attribute?: AttributeMatch }
    | {
        readonly kind: 'missing'
        readonly attribute: AttributeMatch
        readonly negated: boolean
        /** Said as “no refills”, not as “is empty”: a number that is 0 is none, too. */
        readonly orZero?: boolean
      }
    | { readonly kind: 'flag'; readonly attribute: AttributeMatch; readonly value: boolean }
    | {
        readonly kind: 'like'
        readonly attribute?: AttributeMatch
        readonly text: string
        readonly place: 'start' | 'end' | 'anywhere'
      }
    | {
        readonly kind: 'has'
        readonly entity: Entity | 'sale'
        readonly negated: boolean
        readonly conditions: Condition[]
      }
    | {
        readonly kind: 'metric'
        readonly measure: Measure
        readonly bound: Bound
        readonly conditions: Condition[]
      }
    | {
        /** Rows at one end of a foreign key, by what is true at its other end: who reports to X, who manages X. */
        readonly kind: 'linked'
        /** From child to parent. */
        readonly edge: Edge
        readonly role: 'child' | 'parent'
        readonly conditions: Condition[]
      }
  )

/** Conditions, and those inside their clauses. */
export function withInner(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((c) => ('conditions' in c ? [c, ...withInner(c.conditions)] : [c]))
}

/** The columns that conditions of a kind may be about. */
export function attributesOf(conditions: readonly Condition[], kind: 'missing'): readonly Attribute[] {
  return withInner(conditions).flatMap((c) => (c.kind === kind ? c.attribute.candidates.map((m) => m.attribute) : []))
}

/** What the most, least, longest, newest is measured by. */
export type Ranking =
  | { readonly kind: 'measure'; readonly measure: Measure }
  | { readonly kind: 'attribute'; readonly match: AttributeMatch }

/** A question, understood but not yet joined to the tables it needs. */
export interface Reading {
  counted?: Dimension
  distinct: boolean
  subject?: Dimension
  selected: AttributeMatch[]
  measures: Measure[]
  groups: Dimension[]
  conditions: Condition[]
  ranking?: { readonly by?: Ranking; readonly direction: Direction; readonly word: string }
  limit?: number
  /** Of a ranking, where it is not the first: `the second highest`. */
  place?: number
  sort?: { readonly by: Ranking; readonly direction: Direction }
  /** Were all figures after the first joined to it by “and”, without a condition in between? */
  isJoined?: boolean
  /** “including cancelled orders”. */
  keepsCancelled?: boolean
  /** What was taken for granted in reading it. */
  readonly notes: string[]
  share: boolean
  /** How many of the conditions come before the part that the share is about. */
  shareFrom?: number
  /** How many of the conditions were said before the noun that the share is of. */
  shareNoun?: number
  /** “share of each … among …”, “each one's share”: of those that the conditions keep. */
  isAmong?: boolean
  /** A verb of trade that no other part has used yet. */
  saleVerb?: 'money' | 'units'
  who: boolean
  plural: boolean
}
