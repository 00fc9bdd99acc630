import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextLines } from './context.ts'
import { createSecrets, declaredBy, maskNamedSecrets, redact, secretsIn } from './secrets.ts'

const context = {
  DB_PASS: 'PassLeak88',
  cfg: '{"password":"JsonLeak99","list":[{"token":"InList77"}]}',
  region: 'north',
}

/** Encodings in which a service, a log or a page may repeat its input. */
const WRITTEN: Readonly<Record<string, (secret: string) => string>> = {
  JSON: (secret) => JSON.stringify({ said: secret }),
  'JSON in JSON': (secret) => JSON.stringify({ body: JSON.stringify({ said: secret }) }),
  'JSON in ASCII': (secret) =>
    JSON.stringify(secret).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'a form': (secret) => new URLSearchParams({ q: secret }).toString(),
  'a URL': (secret) => `https://h/x?q=${encodeURIComponent(secret)}`,
  'the user of a URL': (secret) => Object.assign(new URL('https://h'), { username: secret }).href,
  'the query of a URL': (secret) => Object.assign(new URL('https://h'), { search: `?q=${secret}` }).href,
  HTML: (secret) =>
    secret.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]!),
  'base64 (0)': (secret) => Buffer.from(secret).toString('base64'),
  'base64 (1)': (secret) => Buffer.from(`u${secret}tail`).toString('base64'),
  'base64 (2)': (secret) => Buffer.from(`u:${secret}`).toString('base64url'),
}

describe('a declared secret', () => {
  it.each(Object.entries(WRITTEN))('is masked in %s', (_way, write) => {
    const secret = fc.string({ unit: fc.constantFrom(...`aZ9"\\!(&<'/%ü +`), minLength: 8, maxLength: 20 })
    const property = fc.property(secret, (value) => {
      const [whole, other] = [write(value), write('other')]
      const shown = createSecrets([value]).text(whole)
      expect(shown).toContain('***')
      // The rest is the surrounding text, plus a few base64 characters that mix in neighbouring bytes.
      expect(shown.length).toBeLessThanOrEqual(other.length + 8)
      expect(redact(whole, [value])).toContain('***')
    })
    fc.assert(property, { seed: 8, numRuns: 300 })
    const known = write('Pa"ss\\w0rd!(x)')
    expect(createSecrets(['Pa"ss\\w0rd!(x)']).text(known)).not.toMatch(/w0rd|ss%5C/)
  })

  it('is masked as the name of a field, and own fields stay', () => {
    const secrets = createSecrets(['hunterabc', 'question'])
    expect(secrets.value({ hunterabc: 1, xhunterabcx: 2, a: { question: 'what' } })).toEqual({
      '***': 1,
      'x***x': 2,
      a: { question: 'what' },
    })
  })

  it('does not change what __proto__ is', () => {
    const value = JSON.parse('{"__proto__":{"a":"hunter-22"},"password":"x"}') as object
    for (const copy of [createSecrets(['hunter-22']).value(value), maskNamedSecrets(value)]) {
      expect(Object.keys(copy)).toEqual(['__proto__', 'password'])
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    }
    expect(JSON.stringify(createSecrets(['hunter-22']).value(value))).not.toContain('hunter')
  })
})

describe('a context', () => {
  it('declares secrets in JSON and under short names', () => {
    expect([...secretsIn(context)]).toEqual(expect.arrayContaining(['PassLeak88', 'JsonLeak99', 'InList77']))
    expect(
      new Set(declaredBy({ request: { question: 'Use DB_PASS=Quest1234 there', context: {}, owner: 'a' } as never })),
    ).toEqual(new Set(['Quest1234']))
  })

  it('passes no secret to a model', () => {
    expect(contextLines(context)).toEqual(['cfg: {"password":"***","list":[{"token":"***"}]}', 'region: north'])
  })
})

describe('a text', () => {
  it.each([
    ['Server=h;Password=Leak 99;x', 'Server=h;Password=*** 99;x'],
    ['Server=h;Pwd="Leak 99";x=1', 'Server=h;Pwd="***";x=1'],
    ['Server=h;PWD=Leak99;x=1', 'Server=h;PWD=***;x=1'],
    ["host=h password='Leak 99' user=u", "host=h password='***' user=u"],
    ['host=h password=Leak99 user=u', 'host=h password=*** user=u'],
    ['export DB_PASS=Leak99', 'export DB_PASS=***'],
    ['redis://h?pass=Leak99&db=1', 'redis://h?pass=***&db=1'],
    ['cfg {"password": "Lea\\"k99", "a": 1}', 'cfg {"password": "***", "a": 1}'],
    [
      JSON.stringify({ cfg: JSON.stringify({ password: 'Lea"k99', a: 'b' }) }),
      '{"cfg":"{\\"password\\":\\"***\\",\\"a\\":\\"b\\"}"}',
    ],
    ['{"api_key":12345678}', '{"api_key":***}'],
    ['sk-a1b2c3', '***'],
    ['basic a1b2c3d4', 'basic ***'],
    ['sk_live_a1b2c3d4', '***'],
    ['eyJabcd.ab.', '***'],
  ])('%s', (text, shown) => {
    expect(createSecrets().text(text)).toBe(shown)
  })

  it('is masked at any depth of a value, and values without secrets are not copied', () => {
    const secrets = createSecrets(['hunterabc', '4711'])
    const texts = fc.constantFrom('hunterabc', 'a hunterabc', 'sk-a1b2c3', '4711', 'abc', 'pw=x', 'a: b', '')
    const names = fc.constantFrom('hunterabc', 'question', 'sk-a1b2c3', 'xhunterabcx', 'a', '4711')
    const values = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, texts, fc.constantFrom(4711, 12, null, true), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(names, tie('value'), { maxKeys: 3 }),
    })).value
    const isIn = (value: unknown): boolean => {
      if (typeof value === 'string') return secrets.text(value) !== value
      if (typeof value !== 'object' || value === null) return value === 4711
      if (Array.isArray(value)) return value.some(isIn)
      return Object.entries(value).some(([name, inner]) => (name !== 'question' && isIn(name)) || isIn(inner))
    }
    const property = fc.property(values, (value) => {
      const shown = secrets.value(value)
      expect(shown === value).toBe(!isIn(value))
      expect(isIn(shown)).toBe(false)
    })
    fc.assert(property, { seed: 8, numRuns: 3_000 })
  })

  it.each([
    'sorted(rows, key=lambda row: row["key"])',
    '{"key":"status","token":"next","pinned":"yes","maxTokens":5}',
    'password=${DB_PASSWORD}',
    'compass=north; passengers=5; primary_key=id',
    'Password: you will be asked for one',
  ])('%s is left unchanged', (text) => {
    expect(createSecrets().text(text)).toBe(text)
  })
})
