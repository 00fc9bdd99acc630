import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/**
 * The part of Qdrant's REST API that is used here, in memory: cosine ranking, filters, paging, and the answers that
 * Qdrant gives to what is wrong. As on a server in strict mode, a filter needs an index. It is written from the
 * documentation and is no Qdrant.
 */
export interface QdrantServer {
  readonly url: string
  readonly collections: Map<string, FakeCollection>
  /** Method, path and body of all requests so far. */
  readonly requests: { readonly line: string; readonly body: unknown }[]
  /** When it gives a status, the request is answered with that in place of being carried out. */
  interfere: (line: string) => number | undefined
  close(): Promise<void>
}

export interface FakePoint {
  readonly id: string
  readonly vector: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
}

export interface FakeCollection {
  readonly size: number
  readonly indexes: Map<string, string>
  readonly points: Map<string, FakePoint>
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const condition = z.union([
  z.strictObject({
    key: z.string(),
    match: z.union([z.strictObject({ value: z.string() }), z.strictObject({ any: z.array(z.string()).min(1) })]),
  }),
  z.strictObject({ is_empty: z.strictObject({ key: z.string() }) }),
])
const filter = z.strictObject({ must: z.array(condition).optional(), must_not: z.array(condition).optional() })
const BODIES = {
  create: z.strictObject({
    vectors: z.strictObject({
      dense: z.strictObject({ size: z.number().int().min(1).max(65_536), distance: z.literal('Cosine') }),
    }),
  }),
  index: z.strictObject({ field_name: z.string().min(1), field_schema: z.enum(['keyword', 'text']) }),
  upsert: z.strictObject({
    points: z.array(
      z.strictObject({
        id,
        vector: z.strictObject({ dense: z.array(z.number()).optional() }),
        payload: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  query: z.strictObject({
    query: z.array(z.number()),
    using: z.string(),
    filter: filter.optional(),
    limit: z.number().int().min(1),
    with_payload: z.array(z.string()),
  }),
  scroll: z.strictObject({
    filter: filter.optional(),
    limit: z.number().int().min(1),
    with_payload: z.array(z.string()),
    offset: id.optional(),
  }),
  remove: z.strictObject({ filter }),
}

/** Starts a server on a free port of this machine; with a key, it wants it in the header `api-key`. */
export async function startQdrant(key?: string): Promise<QdrantServer> {
  const collections = new Map<string, FakeCollection>()
  const requests: QdrantServer['requests'] = []
  const http = createServer(async (request, response) => {
    const text = await bodyOf(request)
    const line = `${request.method} ${request.url}`
    let status = 200
    let answer: unknown
    try {
      if (key !== undefined && request.headers['api-key'] !== key) throw new Refusal(401, 'Must provide an API key')
      requests.push({ line, body: text === '' ? undefined : JSON.parse(text) })
      const given = server.interfere(line)
      if (given !== undefined) throw new Refusal(given, 'Service internal error: as the test wants it')
      answer = { result: carryOut(collections, line, text), status: 'ok', time: 0.001 }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      status = error.status
      answer = error.message === '' ? undefined : { status: { error: error.message }, time: 0 }
    }
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(answer === undefined ? '' : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: QdrantServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    collections,
    requests,
    interfere: () => undefined,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function carryOut(collections: QdrantServer['collections'], line: string, text: string): unknown {
  const [, method, encoded = '', rest = ''] = /^(\w+) \/collections\/([^/?]+)(.*)$/.exec(line) ?? []
  const name = decodeURIComponent(encoded)
  if (name === '') throw new Refusal(404, '')
  if (name.length > 255 || /[<>:"/\\|?*]/.test(name)) throw new Refusal(422, 'Validation error in path parameters')
  const action = `${method} ${rest}`
  if (action === 'PUT ') {
    const { vectors } = parse(BODIES.create, text)
    if (collections.has(name)) throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`)
    collections.set(name, { size: vectors.dense.size, indexes: new Map(), points: new Map() })
    return true
  }
  if (action === 'DELETE ') return collections.delete(name)
  const collection = collections.get(name)
  if (collection === undefined) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`)
  switch (action) {
    case 'GET ':
      return describe(collection)
    case 'PUT /index?wait=true': {
      const { field_name, field_schema } = parse(BODIES.index, text)
      collection.indexes.set(field_name, field_schema)
      return { status: 'completed' }
    }
    case 'PUT /points?wait=true':
      return upsert(collection, parse(BODIES.upsert, text).points)
    case 'POST /points/query':
      return query(collection, parse(BODIES.query, text))
    case 'POST /points/scroll':
      return scroll(collection, parse(BODIES.scroll, text))
    case 'POST /points/delete?wait=true':
      for (const point of select(collection, parse(BODIES.remove, text).filter)) collection.points.delete(point.id)
      return { status: 'completed' }
    default:
      throw new Refusal(404, '')
  }
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new Refusal(400, `Format error in JSON body: ${parsed.error.message}`)
}

function describe({ size, indexes, points }: FakeCollection): unknown {
  return {
    status: 'green',
    points_count: points.size,
    config: { params: { vectors: { dense: { size, distance: 'Cosine' } } } },
    payload_schema: Object.fromEntries([...indexes].map(([field, kind]) => [field, { data_type: kind, points: 0 }])),
  }
}

function upsert(collection: FakeCollection, points: z.infer<typeof BODIES.upsert>['points']): unknown {
  for (const { vector } of points) if (vector.dense !== undefined) checkSize(collection, vector.dense)
  for (const point of points) {
    const dense = point.vector.dense
    const vector = dense === undefined ? point.vector : { ...point.vector, dense: unit(dense) }
    collection.points.set(point.id, { ...point, vector })
  }
  return { status: 'completed' }
}

function query(collection: FakeCollection, body: z.infer<typeof BODIES.query>): unknown {
  if (body.using !== 'dense') throw new Refusal(400, `Wrong input: Not existing vector name error: ${body.using}`)
  checkSize(collection, body.query)
  const wanted = unit(body.query)
  const points = select(collection, body.filter)
    .filter(({ vector }) => vector['dense'] !== undefined)
    .map((point) => ({
      id: point.id,
      version: 1,
      score: dot(wanted, denseOf(point)),
      payload: only(point, body.with_payload),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, body.limit)
  return { points }
}

function scroll(collection: FakeCollection, body: z.infer<typeof BODIES.scroll>): unknown {
  const { offset = '', limit } = body
  const all = select(collection, body.filter)
    .filter((point) => point.id >= offset)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const points = all.slice(0, limit).map((point) => ({
    id: point.id,
    payload: only(point, body.with_payload),
  }))
  return { points, next_page_offset: all[limit]?.id ?? null }
}

function select(
  { points, indexes }: FakeCollection,
  { must = [], must_not = [] }: z.infer<typeof filter> = {},
): FakePoint[] {
  const holds = (point: FakePoint, one: z.infer<typeof condition>): boolean => {
    const key = 'key' in one ? one.key : one.is_empty.key
    if (!indexes.has(key)) throw new Refusal(400, `Bad request: Index required but not found for "${key}"`)
    const value = valueAt(point.payload, key)
    const values = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
    if ('is_empty' in one) return values.length === 0
    const { match } = one
    return values.some((found) => ('any' in match ? match.any.includes(found as string) : found === match.value))
  }
  return [...points.values()].filter(
    (point) => must.every((one) => holds(point, one)) && !must_not.some((one) => holds(point, one)),
  )
}

function valueAt(payload: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], payload)
}

function only({ payload }: FakePoint, fields: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const field of fields) {
    const [first = '', second] = field.split('.')
    const value = valueAt(payload, field)
    if (value === undefined) continue
    found[first] = second === undefined ? value : { ...(found[first] as object | undefined), [second]: value }
  }
  return found
}

function checkSize({ size }: FakeCollection, vector: readonly number[]): void {
  if (vector.length === size) return
  throw new Refusal(400, `Wrong input: Vector dimension error: expected dim: ${size}, got ${vector.length}`)
}

const denseOf = ({ vector }: FakePoint): number[] => vector['dense'] as number[]

function unit(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((value) => (length === 0 ? value : value / length))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, value, at) => total + value * b[at]!, 0)
}
