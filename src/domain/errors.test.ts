import { describe, expect, it } from 'vitest'
import { errorInfo, TuttiError, toTuttiError } from './errors.ts'

describe('errors', () => {
  it.each([
    [new TypeError('x is not a function'), { type: 'Internal', message: 'x is not a function' }],
    [
      new TypeError('fetch failed', { cause: new Error('ECONNRESET') }),
      { type: 'Internal', message: 'fetch failed', retryable: true },
    ],
    [new RangeError(''), { type: 'Internal', message: 'RangeError' }],
    [undefined, { type: 'Internal', message: 'Something that is not an Error was thrown: undefined' }],
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
