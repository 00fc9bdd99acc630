import { expect, test } from 'vitest'
import { cleanSentence, errorText } from './error-text.ts'
import type { ErrorInfo } from './errors.ts'

test('an error page becomes one short line', () => {
  const page =
    '<html><head><style>p{}</style><script>alert(1)</script></head>\r\n<body><p>Bad\u0007 gateway</p>\u2028</body>'
  expect(errorText(page)).toBe('Bad gateway')
  expect(errorText('x'.repeat(1_000))).toHaveLength(240)
})

test.each([
  ['Incorrect API key provided: sk-proj-Ab1_23456789. Find yours', 'Incorrect API key provided: *** Find yours'],
  ['bad key sk-ant-api03-xxxxxxxx', 'bad key ***'],
  ['Authorization: Bearer eyJhbGciOi.abc.def', 'Authorization: Bearer ***'],
  ['GET https://x.test/v1?api-key=12345&a=b', 'GET https://x.test/v1?api-key=***&a=b'],
  ['my own secret hunter22', 'my own secret ***'],
  ['what it says of a 429 stays', 'what it says of a 429 stays'],
])('%s', (text, expected) => {
  expect(errorText(text, 'hunter22')).toBe(expected)
})

test.each(['<script', '<a', '\\', '&', ' '])('is processed in time for 10 MB of “%s”', { timeout: 10_000 }, (piece) => {
  expect(errorText(piece.repeat(10_000_000 / piece.length)).length).toBeLessThanOrEqual(240)
})

test('a failed sign-in, a failing and a refusing service, an unreachable host and a forbidden address read differently', () => {
  const errors: readonly ErrorInfo[] = [
    { type: 'HttpError', message: 'a', details: { status: 401 } },
    { type: 'HttpError', message: 'a', details: { status: 500 } },
    { type: 'HttpError', message: 'a', details: { status: 404 } },
    { type: 'HttpRequestError', message: 'a', details: { code: 'ECONNREFUSED' } },
    { type: 'HttpRequestError', message: 'a', details: { rule: 'address' } },
  ]
  expect(new Set(errors.map(cleanSentence)).size).toBe(errors.length)
})
