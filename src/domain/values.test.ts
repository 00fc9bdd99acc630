import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { sleep, systemClock } from '../shared/clock.ts'
import { errorInfo, TuttiError, toTuttiError } from './errors.ts'
import { AUTHORS, BY_USER, combine, originOf, outsideData, ownData, publicData, type Provenance } from './provenance.ts'
import { tableFromArrays } from './table.ts'
import { addUsage, NO_USAGE } from './usage.ts'

describe('provenance', () => {
  it('has the least trusted author of its parts, is private if one is, and names the sources of all', () => {
    const house: Provenance = { author: 'user', private: false, sources: ['house'] }
    expect(combine([])).toBe(BY_USER)
    expect(combine([{ author: 'Outside', sources: 'x' } as never])).toMatchObject({ author: 'outside', private: true })
    expect(combine([undefined, BY_USER])).toBe(BY_USER)
    expect(combine([house, outsideData('web', 'mail'), outsideData('web')])).toEqual({
      author: 'outside',
      private: true,
      sources: ['house', 'web', 'mail'],
      outside: ['web', 'mail'],
    })
    expect(combine([{ author: 'own', private: true, sources: ['web'] }, outsideData('web')])).not.toHaveProperty(
      'outside',
    )
    expect(combine([outsideData()])).toEqual({ author: 'outside', private: true, sources: [] })
    expect(combine([publicData('page'), house])).toMatchObject({ author: 'outside', private: false })
    expect(combine([publicData(), ownData()])).toMatchObject({ author: 'outside', private: true })
  })

  it('does not depend on how parts are grouped', () => {
    const one = fc.record({
      author: fc.constantFrom(...AUTHORS),
      private: fc.boolean(),
      sources: fc.array(fc.string()),
    })
    fc.assert(
      fc.property(one, one, one, (a, b, c) => {
        expect(combine([combine([a, b]), c])).toEqual(combine([a, combine([b, c])]))
      }),
    )
  })
})

it('names as from outside what strangers wrote, and nothing else', () => {
  const seen = combine([ownData('database shop'), outsideData('mcp:files')])
  expect(originOf(seen)).toBe(
    'what it is made from comes in part from outside: mcp:files, and from your data: database shop',
  )
  expect(originOf(combine([publicData(), ownData('database shop')]))).toBe(
    'what it is made from comes in part from outside, and from your data: database shop',
  )
  expect(originOf(ownData('database shop'))).toContain(': database shop')
})

describe('a table', () => {
  it('distinguishes columns with the same name', () => {
    expect(tableFromArrays(['a', 'a_2', 'a', 'a'], [[1, 2, 3, 4]])).toEqual({
      columns: ['a', 'a_2', 'a_3', 'a_4'],
      rows: [{ a: 1, a_2: 2, a_3: 3, a_4: 4 }],
      rowCount: 1,
    })
  })

  it('fills short rows, keeps unusual names, and marks truncation', () => {
    const table = tableFromArrays(['__proto__', 'b'], [['x'], []], true)
    expect(table.truncated).toBe(true)
    expect(Object.keys(table.rows[0]!)).toEqual(['__proto__', 'b'])
    expect(table.rows.map((row) => row['b'])).toEqual([null, null])
    expect(tableFromArrays([], []).rowCount).toBe(0)
  })
})

describe('errors', () => {
  it.each([
    [new Error('down'), { type: 'Internal', message: 'down', retryable: true }],
    [new TypeError('x is not a function'), { type: 'Internal', message: 'x is not a function' }],
    [
      new TypeError('fetch failed', { cause: new Error('ECONNRESET') }),
      { type: 'Internal', message: 'fetch failed', retryable: true },
    ],
    [new RangeError(''), { type: 'Internal', message: 'RangeError' }],
    [undefined, { type: 'Internal', message: 'Something that is not an Error was thrown: undefined' }],
    [Symbol('s'), { type: 'Internal', message: 'Something that is not an Error was thrown: Symbol(s)' }],
    [Object.create(null), { type: 'Internal', message: 'Something that is not an Error was thrown: [object Object]' }],
    [
      new TuttiError('HttpError', 'no', { details: { status: 500 } }),
      { type: 'HttpError', message: 'no', details: { status: 500 } },
    ],
  ])('%s becomes a TuttiError', (thrown, info) => {
    expect(errorInfo(thrown)).toEqual(info)
  })

  it('survive serialisation in the log', () => {
    const error = new TuttiError('QueryError', 'bad', { retryable: true, details: { code: '42P01' } })
    expect(errorInfo(TuttiError.fromInfo(errorInfo(error)))).toEqual(errorInfo(error))
    expect(toTuttiError(error)).toBe(error)
    expect(TuttiError.isInstance({ code: 'QueryError' })).toBe(false)
  })
})

describe('usage', () => {
  it('adds up, including requests without a count', () => {
    const one = addUsage(NO_USAGE, { inputTokens: 1, outputTokens: 2, costUsd: 0.5 }, 1)
    expect(addUsage(one, undefined, 2)).toEqual({ calls: 3, inputTokens: 1, outputTokens: 2, costUsd: 0.5 })
  })
})

describe('waiting', () => {
  it('ends at its time, or on abort with the reason, and leaves no timer behind', async () => {
    const clock = new ManualClock()
    const away = new AbortController()
    const [first, second] = [sleep(clock, 100), sleep(clock, 100, away.signal)]
    const reason = new Error('enough')
    away.abort(reason)
    await expect(second).rejects.toBe(reason)
    await expect(sleep(clock, 100, away.signal)).rejects.toBe(reason)
    expect(clock.pending).toBe(1)
    await clock.advance(100)
    await first
    expect(clock.pending).toBe(0)
  })

  it('on the system clock works beyond the maximum of one timer', async () => {
    let fired = false
    const cancel = systemClock.timer(2 ** 32, () => (fired = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    cancel()
    expect(fired).toBe(false)
  })
})
