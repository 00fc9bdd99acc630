import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** How many requests; more by `TUTTI_FUZZ=10000 npx vitest run test/server/fuzz.test.ts`. */
const REQUESTS = Number(process.env['TUTTI_FUZZ'] ?? 250)

let world: HttpWorld
beforeAll(async () => void (world = await startHttpWorld()))
afterAll(() => world.close())

interface Operation {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
  readonly fields: readonly string[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

/** Every operation that the server says it has, with the names that it knows. */
async function operations(): Promise<readonly Operation[]> {
  const { paths, components } = await world.json<Document>('/openapi.json')
  const fieldsOf = (schema: Schema | undefined): readonly string[] =>
    Object.keys((schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1)!] : schema)?.properties ?? {})
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
      fields: fieldsOf(requestBody?.content['application/json']?.schema),
    })),
  )
}

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e99',
    'NaN',
    'null',
    'true',
    '../..',
    '%00',
    '%zz',
    '\u0000',
    '\uD800',
    '🎻',
    "'--",
    '2026-01-01T00:00:00Z',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ minLength: 190, maxLength: 400 }),
)
const value = fc.oneof({ weight: 3, arbitrary: odd }, fc.jsonValue({ maxDepth: 3 }))
const header = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'x',
    ),
    'last-event-id': fc.constantFrom('', '0', '1:0:5', '-1', '999999999999999', 'x', '1:1:1:1'),
    'idempotency-key': fc.constantFrom('a', 'b'.repeat(300), 'é'),
    'x-request-id': fc.constantFrom('ok', '<script>', 'x'.repeat(500)),
    'content-encoding': fc.constantFrom('gzip', 'br'),
    accept: fc.constantFrom('*/*', 'text/event-stream', 'x'),
    'x-http-method-override': fc.constant('DELETE'),
  },
  { requiredKeys: [] },
)

/** As it stands, without what `fetch` would put right. Gives status and body; streams are left after their beginning. */
function send(method: string, path: string, headers: Record<string, string>, body: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const safe = Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]),
    )
    const hasBody = method !== 'GET'
    const length = hasBody ? { 'content-length': Buffer.byteLength(body) } : {}
    const sent = request(
      world.url + path,
      { method, agent: false, headers: { 'x-test-person': 'root', ...safe, ...length } },
      (response) => {
        let text = ''
        response.on('data', (bytes: Buffer) => {
          text += bytes.toString()
          if (response.headers['content-type']?.startsWith('text/event-stream') !== true) return
          response.destroy()
          resolve([response.statusCode!, text])
        })
        response.on('end', () => resolve([response.statusCode!, text]))
      },
    )
    // A body that is refused before its end is cut off.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      /ECONNRESET|EPIPE/.test(error.code ?? '') ? resolve([0, '']) : reject(error),
    )
    sent.end(hasBody ? body : undefined)
  })
}

it(`answers ${REQUESTS} requests of all kinds without one 500`, async () => {
  const known = await operations()
  expect(known.length).toBeGreaterThan(35)
  const asked = fc.constantFrom(...known).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      places: fc.array(odd, { minLength: 3, maxLength: 3 }),
      query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'x', ...operation.query), odd, { maxKeys: 4 }),
      body: fc.oneof(
        fc
          .dictionary(fc.constantFrom('x', '__proto__', 'constructor', ...operation.fields), value, { maxKeys: 5 })
          .map((one) => JSON.stringify(one)),
        value.map((one) => JSON.stringify(one)),
        odd,
        fc.constant(`{"question":"${'x'.repeat(2_000_000)}"}`),
        fc.constant('['.repeat(100_000)),
      ),
      headers: header,
    }),
  )
  await fc.assert(
    fc.asyncProperty(asked, async ({ operation, places, query, body, headers }) => {
      const inPath = [...places]
      const path = operation.path.replaceAll(
        /\{\w+\}/g,
        () => encodeURI(Buffer.from(inPath.pop()!).toString()).replaceAll(/[?#/]/g, '_') || '_',
      )
      const search = new URLSearchParams(query).toString()
      const [status, text] = await send(
        operation.method,
        `${path}?${search}`,
        { 'content-type': 'application/json', ...headers } as Record<string, string>,
        body,
      )
      const said = `${operation.method} ${path}?${search} ${body.slice(0, 200)} ${JSON.stringify(headers)}: ${status} ${text.slice(0, 300)}`
      expect(status, said).toBeLessThan(500)
      expect(text.includes('    at '), said).toBe(false)
    }),
    { numRuns: REQUESTS, endOnFailure: true, seed: Number(process.env['TUTTI_FUZZ_SEED'] ?? 12) },
  )
  expect(world.trouble.map(({ message }) => message)).toEqual([])
  expect((await world.fetch('/healthz')).status).toBe(200)
})
