import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadCatalogue } from '../../agents/api/catalogue/load.ts'
import { KEY, startTestApi, type Json, type TestApi } from '../../../test/fixtures/demo/api/api.ts'
import { demoOpenApi } from './openapi.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: Json
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Json }>>

interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json }
}

const NEW_TICKET = { customer_id: 57, topic: 'quality', subject: 'Coffee tastes flat' }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const document = demoOpenApi('http://127.0.0.1:7460') as unknown as Document
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

const reading = operations.filter(({ method }) => method === 'GET')

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

/** The path with its placeholders replaced by their examples. */
function exampleOf(path: string): string {
  return path.replace('{orderId}', '954').replace('{customerId}', '57').replace('{ticketId}', '303')
}

/** A validator made from a schema of the document, from its JSON only. */
function checkOf(content: Content): z.ZodType {
  const { schema } = content['application/json']!
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas })
  return z.fromJSONSchema(
    JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as z.core.JSONSchema.JSONSchema,
  )
}

describe('the document', () => {
  it('is OpenAPI 3.1, and each of its references resolves', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1:7460' }])
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref!)
    const names = Object.keys(document.components.schemas)
    expect(new Set(references)).toEqual(new Set(names.map((name) => `#/components/schemas/${name}`)))
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('names each operation once with its purpose', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations) {
      expect(operation.summary.length, path).toBeGreaterThan(5)
      expect(operation.description.length, path).toBeGreaterThan(20)
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]))
      expect(operation.security).toHaveLength(1)
      for (const name of Object.keys(operation.security[0]!)) {
        expect(document.components.securitySchemes).toHaveProperty(name)
      }
    }
  })

  it('describes each parameter, and path parameters by their names in the path', () => {
    for (const { path, operation } of operations) {
      const { parameters = [] } = operation
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      for (const { name, description, schema } of parameters) {
        expect(description.length, `${path} ${name}`).toBeGreaterThan(5)
        expect(schema, `${path} ${name}`).toHaveProperty('type')
      }
    }
  })

  it('gives examples that its own schemas accept', () => {
    const visit = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { examples } = schema as { examples?: unknown[] }
      const check = checkOf({ 'application/json': { schema: schema as Json } })
      for (const example of Array.isArray(examples) ? examples : [])
        expect(check.safeParse(example).error).toBeUndefined()
      for (const inner of Object.values((schema as { properties?: Json }).properties ?? {})) visit(inner)
    }
    for (const schema of Object.values(document.components.schemas)) visit(schema)
  })

  it('equals the served document, with its own address', async () => {
    const response = await fetch(`${api.url}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(demoOpenApi(api.url))
  })

  it('is understood by the API agent', async () => {
    const catalogue = await loadCatalogue(JSON.stringify(document))
    expect(catalogue.name).toBe('Brindlemoor Coffee')
    expect(catalogue.securitySchemes).toEqual({
      apiKey: { kind: 'apiKey', in: 'header', name: 'X-Api-Key' },
      bearer: { kind: 'bearer' },
    })
    const effects = catalogue.endpoints.map(({ method, effect }) => `${method} ${effect}`)
    expect(new Set(effects)).toEqual(new Set(['GET read', 'POST irreversible']))
    expect(catalogue.endpoints).toHaveLength(operations.length)
    const list = catalogue.endpoints.find(({ operationId }) => operationId === 'listOrders')
    expect(list?.params.find(({ name }) => name === 'status')?.type.enum).toContain('open')
    expect(catalogue.endpoints.find(({ operationId }) => operationId === 'createTicket')?.body()).toMatchObject({
      required: true,
      schema: { required: ['customer_id', 'topic', 'subject'] },
    })
  })
})

describe('the server', () => {
  it.each(Object.keys(document.paths))('accepts at %s only the methods of the document', async (path) => {
    for (const method of METHODS) {
      const isDescribed = method.toLowerCase() in document.paths[path]!
      const response = await fetch(api.url + exampleOf(path), { method })
      expect([method, response.status]).toEqual([method, isDescribed ? 401 : 405])
    }
  })

  it.each(operations)('answers $method $path as documented', async ({ path, method, operation }) => {
    const sent = path === '/tickets' && method === 'POST' ? { body: NEW_TICKET } : {}
    const [good] = Object.keys(operation.responses)
    const answer = await api.ask(exampleOf(path), { method, ...sent })
    expect(answer.status).toBe(Number(good))
    const check = checkOf(operation.responses[good!]!.content)
    expect(check.safeParse(answer.json).error).toBeUndefined()
    expect(check.safeParse({ ...answer.json, pagination: undefined, order_id: 'x', customer_id: 'x' }).success).toBe(
      false,
    )
  })

  it.each(reading)('returns each record of $path as described', async ({ path, operation }) => {
    const check = checkOf(operation.responses['200']!.content)
    for (let next: string | null = `${exampleOf(path)}${path.includes('{') ? '' : '?limit=100'}`; next !== null;) {
      const { json } = await api.ask(next)
      expect(check.safeParse(json).error).toBeUndefined()
      next = (json['pagination'] as { next: string | null } | undefined)?.next ?? null
    }
  })

  it.each(reading)('accepts exactly the parameters of $path', async ({ path, operation }) => {
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
    for (const { name, schema } of query) {
      const right = new URLSearchParams({ [name]: valueFor(schema) })
      expect([name, (await api.ask(`${exampleOf(path)}?${right.toString()}`)).status]).toEqual([name, 200])
      expect([name, (await api.ask(`${exampleOf(path)}?${name}=%00`)).status]).toEqual([name, 400])
    }
    expect((await api.ask(`${exampleOf(path)}?nothing=1`)).status).toBe(400)
  })

  it('accepts the documented bodies', () => {
    const bodyOf = (path: string) => checkOf(document.paths[path]!['post']!.requestBody!.content)
    expect(bodyOf('/tickets').safeParse(NEW_TICKET).success).toBe(true)
    expect(bodyOf('/tickets').safeParse({ ...NEW_TICKET, topic: 'coffee' }).success).toBe(false)
    expect(bodyOf('/tickets').safeParse({ ...NEW_TICKET, status: 'open' }).success).toBe(false)
    expect(bodyOf('/orders/{orderId}/cancel').safeParse({ reason: 'Ordered twice' }).success).toBe(true)
    expect(document.paths['/orders/{orderId}/cancel']!['post']!.requestBody!.required).toBe(false)
  })

  it.each<[status: number, path: string, method: string, operationId: string, body?: unknown]>([
    [400, '/orders?limit=0', 'GET', 'listOrders'],
    [404, '/orders/99999', 'GET', 'getOrder'],
    [409, '/orders/1/cancel', 'POST', 'cancelOrder'],
    [413, '/tickets', 'POST', 'createTicket', { subject: 'x'.repeat(20_000) }],
  ])('answers %i as documented', async (status, path, method, operationId, body) => {
    const answer = await api.ask(path, { method, headers: { 'X-Api-Key': KEY }, body })
    expect(answer.status).toBe(status)
    const { operation } = operations.find((found) => found.operation.operationId === operationId)!
    expect(checkOf(operation.responses[status]!.content).safeParse(answer.json).error).toBeUndefined()
  })
})

function valueFor(schema: Json): string {
  const choices = schema['enum']
  if (Array.isArray(choices)) return String(choices.at(-1))
  if (schema['format'] === 'date') return '2026-10-31'
  return schema['type'] === 'boolean' ? 'false' : '1'
}
