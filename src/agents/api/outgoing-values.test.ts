import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApiCatalogue } from './catalogue/openapi.ts'
import { outgoingValues } from './outgoing-values.ts'
import { resolveBaseUrl } from './request/base-url.ts'
import { buildCall } from './request/build.ts'
import { declined, type CallPlan } from './request/call-plan.ts'
import { matchEndpoint } from './request/match-endpoint.ts'

/** The parts of a call that a plan can vary, and that therefore count as sent to the API. */

const SECRET = 's3cret-9913'
const query = (name: string, schema: object) => ({ name, in: 'query', schema })
const states = { type: 'string', enum: ['open', 'closed'] }
const catalogue = openApiCatalogue(
  {
    openapi: '3.0.0',
    servers: [{ url: 'https://shop.example.com/api' }],
    paths: {
      '/orders/{id}/{part}.{kind}': {
        parameters: [
          ...['id', 'part'].map((name) => ({ name, in: 'path', schema: { type: 'string' } })),
          { name: 'kind', in: 'path', schema: states },
        ],
        get: {},
      },
      '/orders': {
        get: {
          parameters: [
            query('status', states),
            query('archived', { type: 'boolean' }),
            query('limit', { type: 'integer' }),
            query('tags', { type: 'array', items: states }),
            query('q', { type: 'string' }),
            ...['X-Version', 'X-Tenant', 'Accept', 'toString'].map((name) => ({ name, in: 'header', schema: {} })),
          ],
        },
      },
      '/search': {
        post: {
          'x-tutti-effect': 'read',
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    state: states,
                    archived: { type: 'boolean' },
                    any: {},
                    list: { type: 'array', items: { type: 'boolean' } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  'shop',
)

function describedCall(fields: Partial<CallPlan>, contextHeaders: Record<string, string> = {}) {
  const plan: CallPlan = { ...declined(''), makeRequest: true, method: 'GET', path: '/orders', ...fields }
  const { endpoint, pathParams } = matchEndpoint(catalogue, plan.method, plan.path, plan.pathParams)!
  const api = { catalogue }
  const base = resolveBaseUrl(api, endpoint, true, { context: {} })
  const concrete = { ...plan, path: endpoint.path, pathParams }
  const call = buildCall(concrete, { api, endpoint, base, signIn: 'none', contextHeaders })
  const leaving = outgoingValues(call, { api, endpoint, base, contextHeaders, isInternal: false })!
  return { call, parts: leaving.parts as unknown[], listed: leaving.listed ?? [], fields: leaving.fields ?? [] }
}

describe('what a call sends', () => {
  const path = (template: string, pathParams: CallPlan['pathParams']) => describedCall({ path: template, pathParams })

  it('values of a path, whatever the plan calls its placeholders', () => {
    const values = { x: SECRET, y: 'Huila', z: 'open', id: 'Huila', part: 'Huila', kind: 'open' }
    const { call, parts, listed } = path('/orders/{x}/{y}.{z}', values)
    expect(call.url).toContain(SECRET)
    expect([parts, listed]).toEqual([[SECRET, 'Huila'], [2]])
  })

  it('each of several values of a parameter that takes one', () => {
    const archived = [true, true, false]
    expect(describedCall({ queryParams: { archived } }).parts).toEqual(['true', 'true', 'false'])
    expect(describedCall({ queryParams: { limit: [1, 2] } }).parts).toEqual(['1', '2'])
    expect(
      describedCall({ queryParams: { archived: true, limit: 10, status: 'open', tags: ['open', 'open'] } }),
    ).toMatchObject({
      parts: [],
      listed: [2, 2, 13, 2, 2],
      fields: [5, 5, 5, 5],
    })
  })

  it('nothing in the order of its fields', () => {
    const a = describedCall({
      queryParams: { q: 'x', archived: true, status: 'open' },
      headers: { 'x-tenant': 'a', 'x-version': 'b' },
    })
    const b = describedCall({
      queryParams: { status: 'open', q: 'x', archived: true },
      headers: { 'x-version': 'b', 'x-tenant': 'a' },
    })
    expect(a.call).toEqual(b.call)
    expect(JSON.stringify(a.call)).toBe(JSON.stringify(b.call))
    const body = (jsonBody: Record<string, unknown>) =>
      describedCall({ method: 'POST', path: '/search', jsonBody }).call.body
    expect(body({ list: [], archived: true, state: 'open' })).toBe(body({ state: 'open', archived: true, list: [] }))
  })

  it('no other value of a header that the caller gave, and no other media type', () => {
    const headers = { 'X-TENANT': SECRET, accept: SECRET, 'X-Version': '2', toString: SECRET }
    const { call, parts } = describedCall({ headers }, { 'X-Tenant': 'ours' })
    expect(call.headers['X-Tenant']).toBe('ours')
    expect(call.headers['Accept']).not.toContain(SECRET)
    expect(parts).toEqual(['2', SECRET])
  })
})

const scalar = fc.constantFrom<string | number | boolean | null>(SECRET, 'open', 'closed', true, false, 1, 10, null)
const name = fc.constantFrom('id', 'part', 'kind', 'x', 'y', 'z')
const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 4 }), tie('fields')),
  fields: fc.dictionary(fc.constantFrom('state', 'archived', 'any', 'list', 'other'), tie('value'), { maxKeys: 4 }),
})).value

/** Every value, and every non-empty list or object below the outermost one. */
function countOf(value: unknown, isInner = false): number {
  if (typeof value !== 'object' || value === null) return 1
  const inner = Object.values(value)
  const itself = isInner || inner.length === 0 ? 1 : 0
  return inner.reduce((sum: number, one) => sum + countOf(one, true), itself)
}

describe('whatever a plan says', () => {
  it('in a path is sent only as a counted value', () => {
    const names = fc.tuple(name, name, name)
    const value = fc.constantFrom(SECRET, 'open', 'Huila')
    fc.assert(
      fc.property(names, fc.dictionary(name, value, { minKeys: 3 }), ([a, b, c], pathParams) => {
        const values = [a, b, c].map((one, i) => pathParams[one] ?? pathParams[['id', 'part', 'kind'][i]!])
        fc.pre(values.every((one) => one !== undefined))
        const { call, parts, listed } = describedCall({ path: `/orders/{${a}}/{${b}}.{${c}}`, pathParams })
        expect(parts.join(' ').split(SECRET)).toHaveLength(call.url.split(SECRET).length)
        expect(parts.length + listed.length).toBe(3)
      }),
      { seed: 8, numRuns: 1_000 },
    )
  })

  it('in a query or a body is counted, value by value', () => {
    const params = fc.constantFrom('status', 'archived', 'limit', 'tags', 'q')
    const queryParams = fc.dictionary(params, fc.oneof(scalar, fc.array(scalar, { maxLength: 6 })))
    fc.assert(
      fc.property(queryParams, (given) => {
        const { call, parts, listed } = describedCall({ queryParams: given })
        expect(parts.length + listed.length).toBe([...new URL(call.url).searchParams].length)
        expect(parts.filter((part) => part === SECRET)).toHaveLength(call.url.split(SECRET).length - 1)
      }),
      { seed: 8, numRuns: 1_000 },
    )
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(params, anything), fc.array(anything)), (jsonBody) => {
        const { call, parts, listed } = describedCall({ method: 'POST', path: '/search', jsonBody })
        expect(parts.length + listed.length).toBeGreaterThanOrEqual(countOf(JSON.parse(call.body!)))
        expect(parts.filter((part) => part === SECRET)).toHaveLength(call.body!.split(SECRET).length - 1)
      }),
      { seed: 8, numRuns: 1_000 },
    )
  })
})
