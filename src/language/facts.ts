import type { Facts } from '../core/facts.ts'
import { addDays, isDay } from './days.ts'

/** The facts among the entities of a task. `date_range` has both ends included there, as people and models write it. */
export function factsOf(entities: Readonly<Record<string, unknown>>): Facts {
  const period = periodOf(entities['date_range'])
  return {
    ...(period === undefined ? {} : { period }),
    names: listOf(entities['names'], 'string'),
    emails: listOf(entities['emails'], 'string'),
    numbers: listOf(entities['numbers'], 'number'),
  }
}

function periodOf(range: unknown): Facts['period'] {
  if (typeof range !== 'object' || range === null) return undefined
  const { from, to } = range as Readonly<Record<string, unknown>>
  const [first, last] = [dayOf(from), dayOf(to)]
  if (first === undefined && last === undefined) return undefined
  return {
    ...(first === undefined ? {} : { from: first }),
    ...(last === undefined ? {} : { before: addDays(last, 1) }),
  }
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && isDay(value) ? value : undefined
}

function listOf(value: unknown, type: 'string'): readonly string[]
function listOf(value: unknown, type: 'number'): readonly number[]
function listOf(value: unknown, type: 'string' | 'number'): readonly unknown[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === type) : []
}
