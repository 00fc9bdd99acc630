import { describe, expect, it } from 'vitest'
import type { Param } from '../catalogue/types.ts'
import { boundValue, currencyConflict, paramFor, takeBounds } from './bounds.ts'
import { startReading } from './reading.ts'

/** A Saturday. */
const TODAY = '2026-10-31'

describe('limits', () => {
  const param = (name: string, type: Param['type']): Param => ({
    name,
    in: 'query',
    required: false,
    description: '',
    explode: true,
    type,
  })
  const params = [
    param('min_total', { type: 'number' }),
    param('total_lte', { type: 'number' }),
    param('created_after', { type: 'string', format: 'date-time' }),
    param('until', { type: 'string', format: 'date' }),
  ]
  const read = (question: string): Record<string, unknown> => {
    const reading = startReading(question, { current_date: TODAY })
    return Object.fromEntries(
      takeBounds(reading).map((bound) => {
        const found = paramFor(bound, params, reading)
        return typeof found === 'string' ? [bound.said, found] : [found.name, boundValue(bound, found)]
      }),
    )
  }

  it.each([
    ['over 500', { min_total: 500 }],
    ['at least $1,500.50', { min_total: 1500.5 }],
    ['more than 5 and less than 9', { min_total: 5, total_lte: 9 }],
    ['between 5 and 9', { min_total: 5, total_lte: 9 }],
    ['since yesterday', { created_after: '2026-10-30T00:00:00Z' }],
    ['created last month', { created_after: '2026-09-01T00:00:00Z', until: '2026-09-30' }],
    ['before 2026-03-01', { until: '2026-02-28' }],
    ['until 2026-03-01', { until: '2026-03-01' }],
    ['after 2026-02-03', { created_after: '2026-02-03T23:59:59Z' }],
    ['after last month', { created_after: '2026-09-30T23:59:59Z' }],
    ['before last month', { until: '2026-08-31' }],
    ['over 500 euros', { min_total: 500 }],
    ['at most 20 EUR', { total_lte: 20 }],
    ['between 5 and 9 dollars', { min_total: 5, total_lte: 9 }],
    ['overall 500', {}],
  ])('%s', (question, wanted) => {
    expect(read(question)).toEqual(wanted)
  })

  it('that could go into several parameters go into the one that is named, or none', () => {
    const two = [param('min_total', { type: 'number' }), param('min_quantity', { type: 'integer' })]
    const find = (question: string): unknown => {
      const reading = startReading(question, {})
      return paramFor(takeBounds(reading)[0]!, two, reading)
    }
    expect(find('quantity over 5')).toBe(two[1])
    expect(find('orders over 5')).toBe('several')
    expect(find('orders under 5')).toBe('none')
  })

  it('leave the value itself out where the words do', () => {
    const whole = [
      param('min_quantity', { type: 'integer' }),
      param('quantity_lt', { type: 'integer' }),
      param('from', { type: 'string', format: 'date' }),
      param('before', { type: 'string', format: 'date' }),
    ]
    const values = (question: string): unknown[] => {
      return takeBounds(startReading(question, {})).map((bound) => {
        const found = paramFor(bound, whole, startReading(question, {}))
        return typeof found === 'string' ? found : boundValue(bound, found)
      })
    }
    expect(values('more than 5')).toEqual([6])
    expect(values('at least 5')).toEqual([5])
    expect(values('fewer than 5')).toEqual([5])
    expect(values('after 2026-12-31')).toEqual(['2027-01-01'])
    expect(values('since 2026-12-31')).toEqual(['2026-12-31'])
    expect(values('before 2026-12-31')).toEqual(['2026-12-31'])
  })

  it('are told of another currency', () => {
    const [bound] = takeBounds(startReading('over 500 dollars', {}))
    const inEuros = { ...params[0]!, description: 'Least total in euros' }
    expect(currencyConflict(bound!, inEuros)).toBe('EUR')
    expect(currencyConflict(bound!, params[0]!)).toBeUndefined()
    expect(currencyConflict(takeBounds(startReading('over €500', {}))[0]!, inEuros)).toBeUndefined()
  })
})
