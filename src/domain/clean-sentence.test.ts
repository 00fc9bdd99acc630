import { expect, it } from 'vitest'
import { cleanSentence } from './error-text.ts'
import type { ErrorInfo } from './errors.ts'

it('a failed sign-in, a failing and a refusing service, an unreachable host and a forbidden address read differently', () => {
  const errors: readonly ErrorInfo[] = [
    { type: 'HttpError', message: 'a', details: { status: 401 } },
    { type: 'HttpError', message: 'a', details: { status: 500 } },
    { type: 'HttpError', message: 'a', details: { status: 404 } },
    { type: 'HttpRequestError', message: 'a', details: { code: 'ECONNREFUSED' } },
    { type: 'HttpRequestError', message: 'a', details: { rule: 'address' } },
  ]
  expect(new Set(errors.map(cleanSentence)).size).toBe(errors.length)
})
