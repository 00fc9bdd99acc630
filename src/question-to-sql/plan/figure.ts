import { multiplyNumbers, type ExactNumber } from '../../core/exact-number.ts'
import { given } from '../../core/given.ts'
import { isMoney, isSmallMoney, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { factorTo, saidUnit } from '../../terms/units.ts'
import type { Aggregate, Bound } from '../reading.ts'
import { refuse } from '../refusal.ts'
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
  return { name, role, title, ...given({ unit }) }
}

/** The rows that a figure leaves out, as predicates of its scope. */
export function figureWhere(figure: Figure, scope: Scope): readonly string[] {
  return figure.only === undefined ? [] : [figure.only(scope)]
}

/** What the numbers of a column are. */
export function roleOf(attribute: Attribute): 'number' | 'money' {
  return isMoney(attribute) && !isSmallMoney(attribute) ? 'money' : 'number'
}

/** What it is called above a table, where its numbers stand alone: cents are no euros. */
export function headingOf(name: string, column: Attribute): string {
  return isSmallMoney(column) ? `${name} ${saidUnit(column.unit ?? '')}` : name
}

/** An amount in the unit of what it is compared with: 5 minutes are 300000 milliseconds. A plain number beside cents may be one of euros. */
export function inUnitOf(attribute: Attribute | undefined, { op, amount, upTo, unit }: Bound): Bound {
  const { unit: own, column } = attribute ?? {}
  if (unit === undefined && attribute !== undefined && isSmallMoney(attribute) && amount !== 0)
    return refuse(
      `${column?.name} is in ${saidUnit(own ?? '')}. Please say what ${amount} is, as in “${amount} ${saidUnit(own ?? '')}”.`,
    )
  const isCurrency = unit !== undefined && /^[A-Z]{3}$/.test(unit)
  const isPlain = unit === undefined || (isCurrency && own === undefined)
  const factor = isPlain ? 1 : factorTo(attribute, unit.toLowerCase())
  if (factor === undefined)
    return refuse(
      `${own === undefined ? `I do not know the unit of ${column?.name}` : `${column?.name} is in ${saidUnit(own)}`}, so I cannot compare it with ${saidUnit(unit ?? '')}.`,
    )
  const scaled = (number: ExactNumber): ExactNumber => multiplyNumbers(number, factor)
  return { op, amount: scaled(amount), ...given({ upTo: upTo === undefined ? undefined : scaled(upTo) }) }
}

/** A number within its bound, as SQL. */
export function compared(column: string, { op, amount, upTo }: Bound): string {
  return upTo === undefined ? `${column} ${op} ${amount}` : `${column} BETWEEN ${amount} AND ${upTo}`
}

/** How the aggregates are spoken of. */
export const AGGREGATE_NAMES: Readonly<Record<Aggregate, string>> = {
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
}
