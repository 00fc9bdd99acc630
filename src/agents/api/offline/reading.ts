import type { Facts } from '../../../core/facts.ts'
import { readQuestion, type Word } from './question.ts'

/** A question while its words are being assigned to parameters: what no word is left of has been understood. */
export interface Reading {
  readonly words: readonly Word[]
  /** Indices of words that are accounted for. */
  readonly used: Set<number>
  readonly context: Readonly<Record<string, unknown>>
  /** ISO date of the request. */
  readonly today: string
  /** The days that are meant, where a planner has read them. */
  readonly period?: Facts['period']
}

export function startReading(
  question: string,
  context: Readonly<Record<string, unknown>>,
  period?: Facts['period'],
): Reading {
  const given = period === undefined ? {} : { period }
  return { words: readQuestion(question), used: new Set(), context, today: todayIn(context), ...given }
}

/** The day of the request; empty when nobody said it. */
export function todayIn(context: Readonly<Record<string, unknown>>): string {
  return typeof context['current_date'] === 'string' ? context['current_date'] : ''
}

export function use(reading: Reading, from: number, length = 1): void {
  for (let i = from; i < from + length; i++) reading.used.add(i)
}

export function isFree(reading: Reading, at: number): boolean {
  return !reading.used.has(at)
}

/** The value of the context under a parameter's name, whatever its spelling: `customer_id`, `customerId`. */
export function fromContext({ context }: Reading, name: string): string | number | boolean | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const value = Object.entries(context).find(([key]) => plain(key) === plain(name))?.[1]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
