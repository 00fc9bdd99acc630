import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../catalogue/types.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { yamlCatalogue } from '../catalogue/yaml-catalogue.ts'
import { resolveBaseUrl } from './base-url.ts'
import { encodeBody, buildCall, renderQuery } from './build.ts'
import { declined, shouldForceAttempt, type CallPlan } from './call-plan.ts'
import { matchEndpoint } from './match-endpoint.ts'
import { renderPath } from './path.ts'

describe('paths', () => {
  it.each([
    ['/orders/{id}', { id: 7 }, '/orders/7'],
    ['/orders/:id/items/:itemId', { id: 7, itemId: 'a b' }, '/orders/7/items/a%20b'],
    ['/files/{name}', { name: 'a/b?c#d' }, '/files/a%2Fb%3Fc%23d'],
    ['/x/{a}-{b}', { a: 1, b: 0 }, '/x/1-0'],
    ['/v1/accounts:signIn', {}, '/v1/accounts:signIn'],
    ['/files/{name}', { name: '100%.txt' }, '/files/100%25.txt'],
  ])('%s with %j is %s', (template, params, path) => {
    expect(renderPath(template, params)).toBe(path)
  })

  it('names all unfilled placeholders', () => {
    expect(() => renderPath('/a/{x}/{y}/:z', { y: '', z: null })).toThrow(
      expect.objectContaining({ code: 'PathResolutionError', details: { missing: ['x', 'y', 'z'] } }),
    )
  })

  it.each(['orders', '//evil.example', '/a/../b', '/./a', '/a?b', '/a#b', '/a\\b', '/a b', ''])(
    '"%s" is not a path',
    (path) => {
      expect(() => renderPath(path, {})).toThrow(expect.objectContaining({ code: 'PathResolutionError' }))
    },
  )

  it.each([
    ['.'],
    ['..'],
    [{ a: 1 }],
    [['x']],
    ['a/../b'],
    ['..\\b'],
    ['%2e%2e'],
    ['1%2f..%2fadmin'],
    ['%252e%252e%252fadmin'],
    ['..;/admin'],
    ['．．／admin'],
    ['1%00'],
    ['1\r\nX: y'],
  ])('%j is refused in a path', (value) => {
    expect(() => renderPath('/a/{x}', { x: value })).toThrow(/cannot stand in a path/)
  })

  it('queries repeat or join lists, and leave out what is empty', () => {
    expect(renderQuery({ a: [1, 2], b: 'x y', c: null, d: false })).toBe('a=1&a=2&b=x+y&d=false')
  })
})

const catalogue = yamlCatalogue(
  {
    base_url: 'https://shop.example.com/api/',
    endpoints: [
      { method: 'GET', path: '/orders/:id' },
      { method: 'GET', path: '/orders/latest' },
      { method: 'POST', path: '/orders' },
    ],
  },
  'shop',
)
const api = { catalogue }

describe('the endpoint of a path', () => {
  it.each([
    ['GET', '/orders/{orderId}', '/orders/{id}', {}],
    ['get', '/orders/:x/', '/orders/{id}', {}],
    ['GET', '/orders/latest', '/orders/latest', {}],
    ['GET', '/orders/a%20b', '/orders/{id}', { id: 'a b' }],
    ['GET', '/orders/%2e%2e', '/orders/{id}', { id: '..' }],
  ])('%s %s is %s', (method, path, wanted, pathParams) => {
    expect(matchEndpoint(catalogue, method, path)).toMatchObject({ endpoint: { path: wanted }, pathParams })
  })

  it.each([
    ['DELETE', '/orders/1'],
    ['GET', '/orders/1/items'],
    ['GET', '/orders//'],
    ['GET', '/'],
  ])('%s %s is not in the catalogue', (method, path) => {
    expect(matchEndpoint(catalogue, method, path)).toBeUndefined()
  })
})

describe('the call', () => {
  const base = resolveBaseUrl(api, undefined, true, { context: {} })
  const plan = (fields: Partial<CallPlan>): CallPlan => ({
    ...declined(''),
    makeRequest: true,
    method: 'GET',
    path: '/orders',
    ...fields,
  })
  const versioned = yamlCatalogue(
    {
      endpoints: [
        {
          method: 'GET',
          path: '/orders',
          params: [{ name: 'X-Version', in: 'header' }, { name: 'status' }, { name: 'page' }],
        },
      ],
    },
    'shop',
  ).endpoints[0]!
  const build = (fields: Partial<CallPlan>, contextHeaders = {}, endpoint: Endpoint = versioned) =>
    buildCall(plan(fields), { api, endpoint, base, signIn: 'none', contextHeaders })

  it.each([
    ['deepObject', { filter: { status: 'delayed' } }, '?filter[status]=delayed'],
    ['deepObject', { 'filter[status]': 'delayed' }, '?filter[status]=delayed'],
    ['deepObject', { filter: { other: 1 } }, ''],
    ['form', { filter: { status: ['delayed', 'delivered'] } }, '?status=delayed&status=delivered'],
  ])('writes an object of style %s field by field: %j', async (style, queryParams, search) => {
    const schema = { type: 'object', properties: { status: { type: 'string', enum: ['delayed', 'delivered'] } } }
    const parameters = [{ name: 'filter', in: 'query', style, explode: true, schema }]
    const paths = { '/orders': { get: { parameters, responses: {} } } }
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'shop' }, paths })
    const [endpoint] = (await loadCatalogue(text)).endpoints
    expect(endpoint?.params[0]?.type.enum).toEqual(['delayed', 'delivered'])
    expect(decodeURIComponent(new URL(build({ queryParams }, {}, endpoint).url).search)).toBe(search)
  })

  it('keeps the path of the base URL, and takes a query out of the path', () => {
    expect(build({ path: '/orders?status=open&page=1', queryParams: { page: 2 } }).url).toBe(
      'https://shop.example.com/api/orders?status=open&page=2',
    )
  })

  it("has Accept, the context's headers with secrets masked, and the plan's without secrets", () => {
    const call = build(
      { headers: { 'X-Version': '2', Authorization: 'made up', Cookie: 'x' } },
      { 'X-Tenant': 'a', 'X-Api-Key': 'k' },
    )
    expect(call.headers).toEqual({
      Accept: 'application/json, */*;q=0.5',
      'X-Tenant': 'a',
      'X-Api-Key': '***',
      'X-Version': '2',
    })
  })
})

describe('bodies', () => {
  it.each([
    [
      { a: 1, b: { c: 'x y' }, d: [1, 2], e: null },
      'application/x-www-form-urlencoded',
      'a=1&b%5Bc%5D=x+y&d%5B%5D=1&d%5B%5D=2',
    ],
    [{ a: 1 }, 'application/merge-patch+json', '{"a":1}'],
    [[1], '*/*', '[1]'],
  ])('%j as %s', (value, mediaType, body) => {
    expect(encodeBody(value, mediaType).body).toBe(body)
  })

  it('hold the digits of a number where the schema asks for one', () => {
    const id = '9007199254740993'
    const properties = { id: { type: 'integer' }, ids: { type: 'array', items: { type: 'number' } }, note: {} }
    const { body } = encodeBody({ id, ids: [id, 1], note: id }, 'application/json', { properties })
    expect(body).toBe('{"id":9007199254740993,"ids":[9007199254740993,1],"note":"9007199254740993"}')
  })

  it('of other kinds are declined', () => {
    expect(() => encodeBody({}, 'multipart/form-data')).toThrow(/takes multipart\/form-data, and only JSON and forms/)
  })
})

describe('base URLs', () => {
  const places = (context: Record<string, unknown>, baseUrl?: string) =>
    resolveBaseUrl(api, undefined, true, { context, baseUrl })

  it('of a caller are not the operator’s, unless they are the same server', () => {
    expect(places({ api_base_url: 'https://evil.example' }).isOperators).toBe(false)
    expect(places({ api_base_url: 'https://shop.example.com/other' }).isOperators).toBe(true)
    expect(places({ api_base_url: 'https://shop.example.com:8443' }).isOperators).toBe(false)
    expect(places({ api_base_url: 'https://a.example' }, 'https://a.example/v1').isOperators).toBe(true)
  })

  it('of the request speak for the first API only', () => {
    const context = { api_base_url: 'https://other.example' }
    expect(resolveBaseUrl(api, undefined, false, { context }).url.host).toBe('shop.example.com')
  })

  it.each(['/api', 'shop', 'ftp://x', 'https://'])('"%s" is refused', (text) => {
    expect(() => places({ api_base_url: text })).toThrow(expect.objectContaining({ code: 'ConfigurationError' }))
  })
})

describe('the force-attempt rule', () => {
  const refused = (fields: Partial<CallPlan>): CallPlan => ({
    ...declined('The documentation does not list filters.'),
    method: 'GET',
    path: '/x',
    ...fields,
  })

  it.each([
    [{}, true],
    [{ method: 'POST' }, true],
    [{ failureReason: 'I cannot invent parameters.' }, true],
    [{ failureReason: 'The parameters are not specified.' }, true],
    [{ method: 'DELETE' }, false],
    [{ path: '' }, false],
    [{ failureReason: 'Nothing tells the weather.' }, false],
    [{ makeRequest: true }, false],
  ])('%j: %s', (fields, forced) => {
    expect(shouldForceAttempt(refused(fields))).toBe(forced)
  })
})
