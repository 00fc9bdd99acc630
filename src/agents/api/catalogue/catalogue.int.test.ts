import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { describe, expect, it } from 'vitest'
import { shopOpenApi } from '../../../../test/support/api-server.ts'
import type { HttpClient } from '../../../http/client.ts'
import { openApis } from '../open.ts'
import { loadCatalogue, readCatalogue } from './load.ts'

const noHttp: HttpClient = {
  request: () => Promise.reject(new Error('not to be used')),
  check: () => undefined,
  close: async () => undefined,
}

function openApi(paths: object, rest: object = {}): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T' }, paths, ...rest })
}

describe('OpenAPI', () => {
  it('references are followed for parameters, schemas and bodies; a POST is irreversible unless told otherwise', async () => {
    const { endpoints, securitySchemes } = await loadCatalogue(JSON.stringify(shopOpenApi('https://shop.example.com')))
    const find = (method: string, path: string) =>
      endpoints.find((each) => each.method === method && each.path === path)!
    expect(find('GET', '/orders').params[0]).toMatchObject({
      name: 'status',
      type: { enum: ['open', 'shipped', 'cancelled'] },
    })
    expect(find('POST', '/orders').body()).toMatchObject({
      required: true,
      schema: { required: ['customer_id', 'total'] },
    })
    expect([
      find('POST', '/orders').effect,
      find('POST', '/orders/search').effect,
      find('GET', '/orders').effect,
    ]).toEqual(['irreversible', 'read', 'read'])
    expect(find('GET', '/orders/{orderId}').params).toHaveLength(1)
    expect(securitySchemes['queryKey']).toEqual({ kind: 'apiKey', in: 'query', name: 'key' })
  })

  it('references to other files are followed, also from those files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-api-'))
    const files = {
      'openapi.yaml': {
        openapi: '3.0.3',
        info: { title: 'Parcels' },
        paths: { '/parcels': { $ref: 'paths/parcels.yaml' } },
      },
      'paths/parcels.yaml': {
        get: { parameters: [{ $ref: '../shared.json#/parameters/state' }] },
        post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/Parcel' } } } } },
        Parcel: { type: 'object', properties: { to: { $ref: '../shared.json#/schemas/Depot' } } },
      },
      'shared.json': {
        parameters: { state: { name: 'state', in: 'query', schema: { $ref: '#/schemas/State' } } },
        schemas: {
          State: { enum: ['delayed', 'delivered'] },
          Depot: { type: 'object', properties: { next: { $ref: 'shared.json#/schemas/Depot' } } },
        },
      },
    }
    await mkdir(join(folder, 'paths'))
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), stringify(content))
    const { endpoints } = await readCatalogue('openapi.yaml', { http: noHttp, cwd: folder })
    expect(endpoints.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(endpoints[0]!.params).toMatchObject([{ name: 'state', type: { enum: ['delayed', 'delivered'] } }])
    expect(endpoints[1]!.body()!.schema).toMatchObject({ properties: { to: { properties: { next: {} } } } })
    await rm(join(folder, 'shared.json'))
    await expect(readCatalogue('openapi.yaml', { http: noHttp, cwd: folder })).rejects.toThrow(/shared\.json/)
  })

  it.each([
    ['above its folder', '../secret.yaml'],
    ['above its folder, encoded', '%2e%2e/secret.yaml'],
    ['anywhere', 'ABSOLUTE'],
    ['where a link leads', 'linked.yaml'],
    ['in a folder whose name begins alike', '../api-private/secret.yaml'],
    ['that is not there', 'gone.yaml'],
    ['that cannot be parsed', 'broken.json'],
  ])('a reference to a file %s is reported as broken; the other operations stay', async (_where, ref) => {
    const parent = await mkdtemp(join(tmpdir(), 'tutti-api-'))
    const folder = join(parent, 'api')
    await mkdir(folder)
    await mkdir(join(parent, 'api-private'))
    const secret = join(parent, 'secret.yaml')
    for (const path of [secret, join(parent, 'api-private', 'secret.yaml')])
      await writeFile(path, 'get: { summary: hunter2 }')
    await symlink(secret, join(folder, 'linked.yaml'))
    await writeFile(join(folder, 'broken.json'), '{')
    const $ref = ref === 'ABSOLUTE' ? pathToFileURL(secret).href : ref
    await writeFile(join(folder, 'openapi.json'), openApi({ '/a': { $ref }, '/b': { get: {} } }))
    const troubles: string[] = []
    const onError = ({ message }: Error): void => void troubles.push(message)
    const [api] = await openApis([{ catalogue: 'openapi.json' }], { http: noHttp, cwd: folder, onError })
    expect(api!.catalogue.endpoints.map(({ path }) => path)).toEqual(['/b'])
    expect(troubles).toEqual([expect.stringContaining('cannot be used as an API catalogue')])
    expect(troubles[0]).not.toContain('hunter2')
  })

  it('a choice of types is a parameter with the values and fields of all, null left out', async () => {
    const text = openApi({
      '/parcels': {
        get: {
          parameters: [
            { name: 'state', in: 'query', schema: { oneOf: [{ const: 'delayed' }, { enum: ['lost', 'found'] }] } },
            { name: 'page', in: 'query', schema: { type: 'integer', nullable: true } },
            { name: 'since', in: 'query', schema: { anyOf: [{ type: 'null' }, { type: 'string', format: 'date' }] } },
            {
              name: 'filter',
              in: 'query',
              style: 'deepObject',
              schema: { oneOf: [{ properties: { depot: {} } }, { properties: { town: {} } }, { type: 'null' }] },
            },
          ],
        },
      },
    })
    const { params } = (await loadCatalogue(text)).endpoints[0]!
    expect(params.map(({ name, type: { type, format, enum: values } }) => [name, type, format, values])).toEqual([
      ['state', undefined, undefined, ['delayed', 'lost', 'found']],
      ['page', 'integer', undefined, undefined],
      ['since', 'string', 'date', undefined],
      ['filter[depot]', undefined, undefined, undefined],
      ['filter[town]', undefined, undefined, undefined],
    ])
  })

  it('accepts faults of real files: cycles, dangling and foreign references, missing ids, nulls', async () => {
    const text = openApi(
      {
        '/nodes/{id}': {
          get: {
            parameters: [{ $ref: '#/components/parameters/Gone' }, { $ref: 'other.yaml#/x' }, null, { in: 'query' }],
          },
          post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } } },
        },
        '/self': { $ref: '#/paths/~1nodes~1%7Bid%7D' },
        'x-note': 'text',
      },
      {
        components: {
          schemas: {
            Node: {
              type: 'object',
              properties: { next: { $ref: '#/components/schemas/Node' }, name: { type: ['string', 'null'] } },
            },
            A: { $ref: '#/components/schemas/A' },
          },
        },
      },
    )
    const { endpoints } = await loadCatalogue(text)
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /nodes/{id}',
      'POST /nodes/{id}',
      'GET /self',
      'POST /self',
    ])
    expect(endpoints[0]!.params).toMatchObject([{ name: 'id', in: 'path', required: true }])
    expect(JSON.stringify(endpoints[1]!.body()).length).toBeLessThan(5_000)
  })

  it('allOf at the top is put together, and server variables are filled in', async () => {
    const base = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }
    const schema = {
      allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['b'], properties: { b: { type: 'integer' } } }],
    }
    const text = openApi(
      { '/x': { put: { requestBody: { content: { 'application/json': { schema } } } } } },
      {
        components: { schemas: { Base: base } },
        servers: [
          { url: 'https://{region}.example.com/{v}', variables: { region: { default: 'eu' }, v: { default: 'v2' } } },
        ],
      },
    )
    const { endpoints, servers } = await loadCatalogue(text)
    expect(endpoints[0]!.body()!.schema).toMatchObject({ required: ['a', 'b'], properties: { a: {}, b: {} } })
    expect(servers).toEqual(['https://eu.example.com/v2'])
  })

  it('in YAML, dates and versions are strings, keys are names, and merge keys are resolved', async () => {
    const text = `
openapi: 3.1.0
info: {title: Dates, version: 2026-01-02}
x-shared: &shared {description: Shared., tags: [on, 2026-01-02]}
paths:
  /a:
    get:
      <<: *shared
      parameters: [{name: day, in: query, schema: {type: string, default: 2026-01-02, enum: [yes, no]}}]
      responses: {200: {description: ok}}
  /a: {post: {summary: The last one wins}}
  /b: {get: {<<: *shared, description: Own., parameters: [{name: day, in: query, schema: {default: 2026-01-02}}]}}
`
    const { endpoints } = await loadCatalogue(text)
    expect(endpoints.map(({ method, path, description, tags }) => [method, path, description, tags])).toEqual([
      ['POST', '/a', '', []],
      ['GET', '/b', 'Own.', ['on', '2026-01-02']],
    ])
    expect(JSON.stringify(endpoints[1]!.params)).toContain('"default":"2026-01-02"')
  })

  it.each([
    [
      'aliases of aliases',
      ['a: &a0 [x, x]', ...Array.from({ length: 40 }, (_, i) => `b${i}: &a${i + 1} [*a${i}, *a${i}]`)].join('\n'),
    ],
    ['an alias of itself', 'a: &a [*a]'],
    ['very deep lists', `a: ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['several documents', 'endpoints: []\n---\nendpoints: []'],
  ])('%s are one clear error, without delay', async (_name, text) => {
    await expect(loadCatalogue(`openapi: 3.1.0\npaths: {}\n${text}`)).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: expect.stringMatching(
        /cannot be used as an API catalogue: (its aliases|it holds several|nesting|.*depth)/i,
      ),
    })
  })

  it.each([
    ['{"swagger":"2.0","paths":{}}', /OpenAPI 3.0 to 3.2 is needed, this is Swagger 2.0/],
    [openApi({}), /describes no operation/],
    ['{"openapi": ', /cannot be used as an API catalogue/],
    ['', /neither an OpenAPI document nor a list/],
    ['{"name":"tutti","version":"1.0.0"}', /neither an OpenAPI document nor a list/],
    ['endpoints: []', /endpoints: must hold at least one endpoint/],
    ['endpoints: [{method: FETCH, path: orders}]', /endpoints\.0\.method.*endpoints\.0\.path: must begin with "\/"/],
  ])('%s is one clear error', async (text, message) => {
    await expect(loadCatalogue(text)).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: expect.stringMatching(message),
    })
  })
})

describe('the short form in YAML', () => {
  const text = `
name: procurement
base_url: https://dash.example.com
auth: { login: { kind: bearer } }
endpoints:
  - { method: get, path: "/api/procurement/products/:productId", summary: One product }
  - { method: POST, path: /api/report, effect: read, params: [{ name: startDateTime }], auth: [] }
docs:
  - { title: Products, text: Product ids begin with P. }
`

  it('holds endpoints with :placeholders and snippets', async () => {
    const { name, servers, endpoints, snippets } = await loadCatalogue(text)
    expect([name, servers, snippets.length]).toEqual(['procurement', ['https://dash.example.com'], 1])
    expect(endpoints).toMatchObject([
      { method: 'GET', path: '/api/procurement/products/{productId}', effect: 'read', security: [['login']] },
      { method: 'POST', effect: 'read', security: [], params: [{ name: 'startDateTime', in: 'query' }] },
    ])
    expect(endpoints[0]!.params).toMatchObject([{ name: 'productId', in: 'path' }])
  })
})

describe('where catalogues come from', () => {
  it('a file; its name is the name of the API', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-api-'))
    await writeFile(join(folder, 'shop.json'), JSON.stringify(shopOpenApi('https://shop.example.com')))
    const parts = { http: noHttp, cwd: folder }
    const credentials = { bearerAuth: { token: 'T1' } }
    const [api] = await openApis([{ catalogue: 'shop.json', credentials }], parts)
    expect([api!.catalogue.name, api!.credentials]).toEqual(['shop', { bearerAuth: { token: 'T1' } }])
    await expect(openApis([{ catalogue: 'gone.json' }], parts)).rejects.toThrow(
      /gone\.json cannot be used.*there is no such file/,
    )
    await expect(openApis([{ catalogue: 'shop.json' }, { catalogue: 'shop.json' }], parts)).rejects.toThrow(
      /Two APIs are named "shop"/,
    )
  })

  it('a URL, by which relative servers are made whole', async () => {
    const http: HttpClient = {
      ...noHttp,
      request: async ({ url }) => ({
        status: 200,
        url,
        headers: {},
        body: Buffer.from(openApi({ '/a': { get: {} } }, { servers: [{ url: '/api/v2' }] })),
        truncated: false,
        elapsedMs: 1,
      }),
    }
    const { servers, name } = await readCatalogue('https://shop.example.com/docs/openapi.json', { http, cwd: '/' })
    expect([servers, name]).toEqual([['https://shop.example.com/api/v2'], 'T'])
  })
})
