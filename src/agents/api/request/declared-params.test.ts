import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApiCatalogue } from '../catalogue/openapi.ts'
import type { Catalogue, Endpoint } from '../catalogue/types.ts'
import { resolveBaseUrl } from './base-url.ts'
import { buildCall } from './build.ts'
import { declined, type CallPlan } from './call-plan.ts'
import { effectOfCall } from './effect.ts'
import { matchEndpoint } from './match-endpoint.ts'

const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type } })
const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
const catalogue = openApiCatalogue(
  {
    openapi: '3.0.0',
    servers: [{ url: 'https://shop.example.com/api' }],
    paths: {
      '/orders': {
        get: { parameters: [query('status'), query('filter', 'object'), query('method'), header('X-Version')] },
        post: { requestBody: { content: { 'application/json': { schema: {} } } } },
      },
      '/orders/{id}': { get: {}, delete: {} },
      '/odd': { get: { parameters: [query('_method'), header('X-HTTP-Method-Override'), header('X-Original-URL')] } },
      '/search': {
        post: {
          'x-tutti-effect': 'read',
          requestBody: { content: { 'application/json': { schema: {} } } },
        },
      },
    },
  },
  'shop',
)

function built(described: Catalogue, fields: Partial<CallPlan>, contextHeaders: Record<string, string> = {}) {
  const plan: CallPlan = { ...declined(''), makeRequest: true, method: 'GET', path: '/orders', ...fields }
  const match = matchEndpoint(described, plan.method, plan.path.split('?', 1)[0]!, plan.pathParams)
  const endpoint = match?.endpoint
  const api = { catalogue: described }
  const base = resolveBaseUrl(api, endpoint, true, { context: {} })
  const concrete =
    match === undefined || Object.keys(match.pathParams).length === 0
      ? plan
      : { ...plan, path: match.endpoint.path, pathParams: match.pathParams }
  const known = endpoint ?? { ...catalogue.endpoints[0]!, params: [] }
  const call = buildCall(concrete, { api, endpoint: known, base, signIn: 'none', contextHeaders })
  return { call, endpoint, effect: effectOfCall(call, endpoint, contextHeaders) }
}

const OVERRIDES = [
  'X-HTTP-Method-Override',
  'x-http-method',
  'X-METHOD-OVERRIDE',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
  'Host',
  'Transfer-Encoding',
  'Authorization',
  'Cookie',
]

describe('what an operation does not declare', () => {
  it.each(OVERRIDES)('the header %s is not sent', (name) => {
    const { call, effect } = built(catalogue, { headers: { [name]: 'DELETE', 'x-version': '2' } })
    expect(call.headers).toEqual({ Accept: 'application/json, */*;q=0.5', 'X-Version': '2' })
    expect(effect).toBe('read')
  })

  it.each(['_method', 'X-HTTP-Method-Override', '__method', 'api_key', 'Status', 'status[]', 'filter', 'filter[a]'])(
    'the parameter %s is sent only when it is declared, in any place',
    (name) => {
      const isDeclared = name.startsWith('filter')
      for (const fields of [{ queryParams: { [name]: 'x' } }, { path: `/orders?${encodeURIComponent(name)}=x` }]) {
        const { call } = built(catalogue, fields)
        expect([...new URL(call.url).searchParams.keys()]).toEqual(isDeclared ? [name] : [])
        expect(call.leftOut).toEqual(isDeclared ? undefined : [name])
      }
    },
  )

  it('GET has no body', () => {
    expect(built(catalogue, { jsonBody: { _method: 'DELETE' } }).call.body).toBeUndefined()
    expect(built(catalogue, { method: 'POST', path: '/search', jsonBody: { text: 'x' } })).toMatchObject({
      call: { body: '{"text":"x"}' },
      effect: 'read',
    })
  })
})

describe('a read that may be a change needs approval', () => {
  it.each<[string, Partial<CallPlan>]>([
    ['a declared parameter that overrides the method', { path: '/odd', queryParams: { _method: 'DELETE' } }],
    ['a declared header that does', { path: '/odd', headers: { 'x-http-method-override': 'DELETE' } }],
    ['a declared header that names another place', { path: '/odd', headers: { 'X-Original-URL': '/admin' } }],
    ['a field of a body that does', { method: 'POST', path: '/search', jsonBody: { text: 'x', _method: 'DELETE' } }],
    ['a slash in a path value', { path: '/orders/{id}', pathParams: { id: '7/cancel' } }],
    ['an encoded slash', { path: '/orders/{id}', pathParams: { id: '7%2fcancel' } }],
    ['one encoded twice', { path: '/orders/7%252fcancel' }],
    ['a backslash', { path: '/orders/{id}', pathParams: { id: '7\\cancel' } }],
    ['a path that is not in the catalogue', { path: '/orders/7/cancel' }],
  ])('%s', (_, fields) => {
    expect(built(catalogue, fields).effect).toBe('irreversible')
  })

  it.each<[string, Partial<CallPlan>]>([
    ['a plain reading', {}],
    ['a parameter that is called "method"', { queryParams: { method: 'card' } }],
    ['a value with a dot, a percent sign and a space', { path: '/orders/{id}', pathParams: { id: 'v1.2 100%' } }],
    ['an operation that could, and does not', { path: '/odd' }],
  ])('%s needs no approval', (_, fields) => {
    expect(built(catalogue, fields).effect).toBe('read')
  })

  it('the caller’s own headers need no approval, another method does', () => {
    expect(built(catalogue, {}, { 'X-Forwarded-For': '10.0.0.1' }).effect).toBe('read')
    expect(built(catalogue, {}, { 'X-HTTP-Method-Override': 'DELETE' }).effect).toBe('irreversible')
  })
})

describe('whatever a model plans', () => {
  const name = fc.oneof(
    fc.constantFrom(...OVERRIDES, 'status', 'filter[a]', '_method', 'X-Version', 'accept', 'content-type', 'page'),
    fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text !== '__proto__'),
  )
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('DELETE', '../admin', '%2e%2e%2f', '1/2', 'a&_method=DELETE', 'a\r\nb'),
  )
  const places = catalogue.endpoints.map(({ path }) => path)
  const plan = fc.record({
    method: fc.constantFrom('GET', 'get', 'POST', 'DELETE', 'HEAD'),
    path: fc.oneof(
      fc.constantFrom(...places, '/orders/:id', '/orders/7', '/orders?_method=DELETE&status=open', '/orders/..%2f..'),
      value.map((text) => `/orders/${text}`),
    ),
    pathParams: fc.dictionary(fc.oneof(fc.constant('id'), name), value),
    queryParams: fc.dictionary(name, fc.oneof(value, fc.array(value, { maxLength: 2 }))),
    headers: fc.dictionary(name, value),
    jsonBody: fc.oneof(fc.constant(null), fc.dictionary(name, value)),
  })

  it('sends only declared names to the declared place, and treats all but plain reads as irreversible', () => {
    let sent = 0
    fc.assert(
      fc.property(plan, (fields) => {
        let request: ReturnType<typeof built>
        try {
          request = built(catalogue, fields)
        } catch (error) {
          return (error as { code?: string }).code === 'PathResolutionError'
        }
        sent++
        return isAsDeclared(request)
      }),
      { numRuns: 3_000, seed: 8 },
    )
    expect(sent).toBeGreaterThan(1_000)
  })

  function isAsDeclared({ call, endpoint, effect }: ReturnType<typeof built>): boolean {
    const url = new URL(call.url)
    const names = (place: string): string[] =>
      (endpoint?.params ?? []).filter((param) => param.in === place).map((param) => param.name)
    const headers = Object.keys(call.headers)
    const own = new Set(['Accept', ...(call.body === undefined ? [] : ['Content-Type']), ...names('header')])
    if (url.origin !== 'https://shop.example.com' || headers.some((header) => !own.has(header))) return false
    if (endpoint === undefined) return effect === 'irreversible'
    const query = [...url.searchParams.keys()]
    if (!isOf(url.pathname, endpoint)) return false
    if (query.some((key) => !names('query').includes(key.replace(/^filter\[.*\]$/s, 'filter')))) return false
    return effect === 'irreversible' || isPlainReading(call, endpoint)
  }

  function isPlainReading(call: ReturnType<typeof built>['call'], endpoint: Endpoint): boolean {
    const url = new URL(call.url)
    const fields = [...url.searchParams.keys(), ...Object.keys(JSON.parse(call.body ?? '{}') as object)]
    return (
      (call.method === 'GET' || call.method === 'HEAD' || endpoint.path === '/search') &&
      !fields.some((key) => /^_+method$|^x-http-method/i.test(key)) &&
      !/override|original|rewrite|forwarded|host/i.test(Object.keys(call.headers).join()) &&
      !/%(25)*(2f|5c)/i.test(url.pathname)
    )
  }

  /** As many segments as the operation has, none of them `.` or `..`. */
  function isOf(pathname: string, { path }: Endpoint): boolean {
    const [given, wanted] = [pathname.replace('/api', ''), path].map((text) => text.replace(/(?<=.)\/$/, '').split('/'))
    return (
      given!.length === wanted!.length &&
      given!.every((part, i) => (wanted![i]!.startsWith('{') ? !/^(\.|%2e){1,2}$/i.test(part) : part === wanted![i]))
    )
  }
})

describe('parameters that the sign-in fills', () => {
  const trello = openApiCatalogue(
    {
      openapi: '3.0.0',
      servers: [{ url: 'https://api.example.com/1' }],
      components: {
        securitySchemes: {
          APIKey: { type: 'apiKey', in: 'query', name: 'key' },
          APIToken: { type: 'apiKey', in: 'query', name: 'token' },
        },
      },
      security: [{ APIKey: [], APIToken: [] }],
      paths: {
        '/boards/{id}': {
          get: {
            parameters: [{ ...query('key'), required: true }, { ...query('token'), required: true }, query('fields')],
          },
          put: { security: [], parameters: [query('key'), query('token')] },
        },
      },
    },
    'boards',
  )

  it('are reserved for it: values of a plan are dropped', () => {
    expect(trello.endpoints.map(({ params }) => params.map((param) => param.name))).toEqual([['fields', 'id'], ['id']])
    const { call } = built(trello, {
      path: '/boards/{id}',
      pathParams: { id: 'b1' },
      queryParams: { key: 'made up', token: 'made up', fields: 'name' },
    })
    expect(call.url).toBe('https://api.example.com/1/boards/b1?fields=name')
    expect(call.leftOut).toEqual(['key', 'token'])
  })

  it('are the sign-in of an operation that names no other', () => {
    expect(trello.endpoints.map(({ security }) => security)).toEqual([
      [['APIKey', 'APIToken']],
      [['APIKey', 'APIToken']],
    ])
  })
})
