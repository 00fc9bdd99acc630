import { isObject } from '../shared/json.ts'
import { evidenceNumbers } from './evidence.ts'
import { numberValues } from './numbers.ts'

/**
 * The output of a changing call, without the numbers of its input: a mail that is returned as it was written proves
 * none of its figures.
 */
export function withoutInputNumbers(output: unknown, input: unknown): unknown {
  const own = new Set(evidenceNumbers([{ value: input }]).values.map(([value]) => value))
  const isOwn = (text: string): boolean => numberValues(text).some((value) => own.has(value))
  const visit = (value: unknown): unknown => {
    if (typeof value === 'number') return own.has(Math.abs(value)) ? null : value
    if (typeof value === 'string') return value.replaceAll(/[\d.,'’]+/g, (text) => (isOwn(text) ? '' : text))
    if (Array.isArray(value)) return value.map(visit)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one)])) : value
  }
  return visit(output)
}
