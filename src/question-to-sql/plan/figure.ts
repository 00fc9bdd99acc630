import type { Attribute, Entity } from '../../terms/catalogue.ts'
import type { Aggregate } from '../reading.ts'
import type { AnswerColumn } from '../types.ts'
import type { Scope } from './scope.ts'

/** A figure, tied to the table whose rows it is computed over. */
export interface Figure {
  readonly base: Entity
  /** The aggregate over a scope with that base. */
  readonly sql: (scope: Scope) => string
  /** What is added up, for shares: the expression of one row. */
  readonly row?: (scope: Scope) => string
  /** A column that must not be null for the figure to mean something. */
  readonly column?: Attribute
  readonly alias: string
  readonly title: string
  readonly role: 'number' | 'money'
  readonly unit?: string
  /** Rows that it does not take in. */
  readonly only?: (scope: Scope) => string
  /** What it was computed from, for the explanation. */
  readonly source: string
}

/** How the figure is spoken of in an answer; `name` where its own is taken. */
export function answerColumn(figure: Figure, name = figure.alias): AnswerColumn {
  const { role, title, unit } = figure
  return { name, role, title, ...(unit === undefined ? {} : { unit }) }
}

/** The rows that a figure leaves out, as predicates of its scope. */
export function figureWhere(figure: Figure, scope: Scope): readonly string[] {
  return figure.only === undefined ? [] : [figure.only(scope)]
}

/** How the aggregates are spoken of. */
export const AGGREGATE_NAMES: Readonly<Record<Aggregate, string>> = {
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
}
