import { expect, test } from 'vitest'
import type { ProviderConfig } from './config.ts'
import { classifyFailure } from './failure.ts'

const provider: ProviderConfig = { name: 'local', kind: 'compatible', source: 'TUTTI_MODEL_URL', apiKey: 'top-secret' }
const failure = (error: unknown) => classifyFailure(error, provider, 'm', 0)

test('the code of a network error is found below the SDK’s own errors', () => {
  const system = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' })
  const both = Object.assign(new AggregateError([system], ''), { code: undefined })
  expect(failure(new TypeError('fetch failed', { cause: both }))).toMatchObject({
    reason: 'local cannot be reached (ECONNREFUSED)',
    next: 'retry',
    isReached: false,
    isFree: true,
  })
  const cut = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  expect(failure(new TypeError('terminated', { cause: cut }))).toMatchObject({
    reason: 'local gave no complete answer: terminated (UND_ERR_SOCKET)',
    isReached: true,
    isFree: false,
  })
})

test('an error object in the middle of a stream is read for its status and message', () => {
  expect(failure({ message: 'out of memory', code: 507 })).toMatchObject({
    reason: 'local is in trouble (507): out of memory',
  })
  expect(failure({ message: 'context too long', code: 400 })).toMatchObject({ next: 'give-up' })
  expect(failure({ detail: 'top-secret' }).reason).toBe('local gave no complete answer: {"detail":"***"}')
  expect(failure('odd').reason).toBe('local gave no complete answer: odd')
})

test('an error of the SDK itself is not retried', () => {
  const error = Object.assign(new Error('no images please'), { name: 'AI_UnsupportedFunctionalityError' })
  expect(failure(error)).toMatchObject({
    reason: 'local cannot be asked: no images please',
    next: 'give-up',
    isReached: false,
  })
})

test.each(['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'an untrusted certificate (%s) is not retried',
  (code) => {
    const cause = Object.assign(new Error('self-signed certificate'), { code })
    expect(failure(new TypeError('fetch failed', { cause }))).toMatchObject({
      reason: expect.stringContaining(`local has a certificate that is not trusted (${code}); check`),
      next: 'give-up',
      isReached: false,
    })
  },
)
