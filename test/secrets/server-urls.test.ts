import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { httpPolicy } from '../../src/app/network.ts'
import { configSchema } from '../../src/app/config/schema.ts'
import { openDatabase } from '../../src/databases/database.ts'
import { checkUrl } from '../../src/http/check-url.ts'
import { createPolicy } from '../../src/http/policy.ts'
import { describeServer } from '../../src/storage/sql/postgres-errors.ts'
import { parseServerUrl } from '../../src/mail/imap/settings.ts'
import { proxyFromEnv, webSearchFromEnv } from '../../src/app/config/environment.ts'
import { embeddingFromEnv, qdrantFromEnv } from '../../src/app/config/embedding.ts'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'

const policyOptions = (url: string) => ({ config: configSchema.parse({}), apis: [{ catalogue: url }] })

/** Everything that reads a server URL that may hold a password. Add new ones here. */
const READERS: Readonly<Record<string, readonly [scheme: string, read: (url: string) => unknown]>> = {
  'a PostgreSQL database': ['postgres', (url) => openDatabase(url)],
  'a MariaDB database': ['mysql', (url) => openDatabase(url)],
  'the documents': ['postgres', describeServer],
  IMAP: ['imaps', (url) => parseServerUrl(url, 'imap')],
  SMTP: ['smtps', (url) => parseServerUrl(url, 'smtp')],
  Qdrant: ['http', (url) => qdrantFromEnv({ TUTTI_QDRANT_URL: url })],
  'web search': ['https', (url) => webSearchFromEnv({ TUTTI_SEARXNG_URL: url })],
  'a model': ['https', (url) => modelsConfigFromEnv({ TUTTI_MODEL_URL: url })],
  Ollama: ['http', (url) => modelsConfigFromEnv({ TUTTI_OLLAMA: url })],
  'an embedding model': ['https', (url) => embeddingFromEnv({ TUTTI_EMBEDDING_URL: url, TUTTI_EMBEDDING_MODEL: 'm' })],
  'a proxy': ['http', (url) => proxyFromEnv({ HTTPS_PROXY: url })],
  'an API': ['https', (url) => httpPolicy(policyOptions(url))],
}

const letters = fc.string({ unit: fc.constantFrom(...'QWXZ789'), minLength: 4, maxLength: 8 })
const unclear = fc
  .tuple(letters, fc.constantFrom('/', '?', '#', '\\', ' ', '@Q7/', '%zz'), letters)
  .map((parts) => parts.join(''))

describe('a URL whose password is not percent-encoded', () => {
  it.each(Object.entries(READERS))('of %s is refused with a hint, without showing it', (_name, [scheme, read]) => {
    const property = fc.property(unclear, letters, (password, more) => {
      const parts = password.match(/[QWXZ789]{4,}/g)!
      for (const url of [
        `${scheme}://u:${password}@db.example/x`,
        `${scheme}://u:1@${more}/${password}@db.example/x`,
        `${scheme}:u:${password}@db.example/x`,
        `${scheme}:/u:${password}@db.example/x`,
      ]) {
        const message = messageOf(() => read(url))
        expect(message).toContain('percent-encoded')
        for (const part of [...parts, more]) expect(message).not.toContain(part)
      }
    })
    fc.assert(property, { seed: 8, numRuns: 150 })
  })

  it('is accepted once encoded, and an @ in the path of a page is allowed', () => {
    expect(parseServerUrl('imaps://ada%40x.example:p%40S%2F9@mail.example', 'imap')).toMatchObject({
      password: 'p@S/9',
    })
    expect(describeServer('postgres://u:p%40Secret9%2Fx@db.example:5433/runs')).toBe('db.example:5433/runs')
    expect(modelsConfigFromEnv({ TUTTI_MODEL_URL: 'http://127.0.0.1:8000/v1' }).providers).toHaveLength(1)
    expect(httpPolicy(policyOptions('https://x.example/@scope/api.json')).allowHosts).toEqual(['x.example'])
    expect(messageOf(() => checkUrl('https://u:p@Secret9/x@db.example/', createPolicy({})))).not.toMatch(/Secret9|p@/)
    expect(messageOf(() => modelsConfigFromEnv({ TUTTI_MODEL_URL: 'ftp://u:geheim@x.example' }))).not.toContain(
      'geheim',
    )
  })
})

it('internal servers that the environment names for the api agent are allowed', () => {
  const firebase = { emulatorHost: '127.0.0.1:9099' }
  const options = { ...policyOptions('shop.yaml'), apiSettings: { baseUrl: 'http://10.0.0.5:8000', firebase } }
  expect(httpPolicy(options).allowHosts).toEqual(['10.0.0.5:8000', '127.0.0.1:9099'])
})

function messageOf(action: () => unknown): string {
  try {
    action()
  } catch (thrown) {
    return (thrown as Error).message
  }
  return 'nothing was thrown'
}
