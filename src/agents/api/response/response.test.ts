import { describe, expect, it } from 'vitest'
import { showAnswer } from '../answer.ts'
import type { CallMaker } from '../calls.ts'
import { answerOf } from '../read-all.ts'
import type { Param } from '../catalogue/types.ts'
import type { HttpResponse } from '../../../http/client.ts'
import { yamlCatalogue } from '../catalogue/yaml-catalogue.ts'
import { boundJson, readContent, type Reply } from './reply.ts'
import { isNextPageForeign, nextLinkOf, nextPage } from './pages.ts'
import { recordsOf, tableOfRecords } from '../../records.ts'

function response(text: string | Uint8Array, type = '', truncated = false): HttpResponse {
  return {
    status: 200,
    url: 'https://x/',
    headers: type === '' ? {} : { 'content-type': type },
    body: Buffer.from(text as string),
    truncated,
    elapsedMs: 1,
  }
}

describe('a record with a list in it', () => {
  const order = { order_id: 915, customer: 'Tormere', channel: 'email', status: 'open', lines: [{ product: 'A' }] }

  it('is one record, not the list of its lines', () => {
    expect(recordsOf(order)).toBeUndefined()
    expect(recordsOf({ ...order, items: order.lines })).toBeUndefined()
  })

  it('is distinguished from an envelope with a few extra fields', () => {
    expect(recordsOf({ region: 'EU', as_of: '2026-10-31', total: 1, orders: [order] })).toEqual([order])
  })
})

describe('content', () => {
  it.each([
    ['JSON', response('{"a":1}', 'application/json'), { kind: 'json', json: { a: 1 }, isCut: false }],
    [
      'JSON with long numbers',
      response('[{"id":9007199254740993,"amount":12345678901234567.89}]', 'application/json'),
      { kind: 'json', json: [{ id: '9007199254740993', amount: '12345678901234567.89' }] },
    ],
    ['JSON of a vendor', response('[1]', 'application/vnd.shop+json'), { kind: 'json', json: [1] }],
    ['JSON without a name', response('\uFEFF {"a":1}'), { kind: 'json', json: { a: 1 } }],
    ['what only calls itself JSON', response('oops', 'application/json'), { kind: 'text', text: 'oops' }],
    ['JSON that was cut off', response('[{"a":1},{"a"', 'application/json', true), { kind: 'text', isCut: true }],
    ['nothing', response(''), { kind: 'empty' }],
    ['a file', response(new Uint8Array([137, 80, 0, 1]), 'image/png'), { kind: 'binary' }],
    ['a file without a name', response(new Uint8Array([1, 0, 2])), { kind: 'binary' }],
    ['CSV', response('a,b\n1,x\n', 'text/csv'), { kind: 'text', text: 'a,b\n1,x\n' }],
  ])('%s', (_, given, wanted) => {
    expect(readContent(given, [])).toMatchObject(wanted)
  })

  it('secrets that a service echoes are masked', async () => {
    expect(readContent(response('{"token":"S3CRET-1"}'), ['S3CRET-1'])).toMatchObject({ json: { token: '***' } })
  })

  it('is truncated to a size that fits the log, with a note', () => {
    const { json, isCut } = boundJson({
      items: Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'x'.repeat(50) })),
    })
    expect(JSON.stringify(json).length).toBeLessThan(200_001)
    expect(isCut).toBe(true)
    expect(boundJson('x'.repeat(300_000))).toMatchObject({ isCut: true })
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key${n}`, n]))
    expect(JSON.stringify(boundJson(wide).json).length).toBeLessThan(10_000)
    expect(boundJson({ a: [1, 'x'] })).toEqual({ json: { a: [1, 'x'] }, isCut: false })
  })
})

describe('records', () => {
  it.each([
    ['a list', [{ a: 1 }], 1],
    ['an empty list', [], 0],
    ['plain values', ['x', 'y'], 2],
    ['an envelope', { data: [{ a: 1 }, { a: 2 }], total: 2 }, 2],
    ['an empty envelope', { orders: [], total: 0 }, 0],
    ['a named list among others', { included: [{ x: 1 }], data: [{ a: 1 }, { a: 2 }] }, 2],
    ['two levels', { data: { items: [{ a: 1 }] } }, 1],
    ['HAL', { _embedded: { orders: [{ a: 1 }] } }, 1],
    ['one record', { id: 1, name: 'x' }, undefined],
    ['one record with a list of values', { id: 1, name: 'x', tags: ['a', 'b'] }, undefined],
    ['mixed', [{ a: 1 }, 2], undefined],
    ['a text', 'x', undefined],
  ])('%s', (_, json, count) => {
    expect(recordsOf(json)?.length).toBe(count)
  })

  it('become a table: nested ones as columns, lists as texts, missing ones as null', () => {
    const table = tableOfRecords(
      [
        { id: 1, customer: { name: 'A', address: { city: 'X' } }, tags: ['a', 'b'] },
        { id: 2, lines: [{ n: 1 }] },
      ],
      true,
    )
    expect(table).toEqual({
      columns: ['id', 'customer.name', 'customer.address.city', 'tags', 'lines'],
      rows: [
        { id: 1, 'customer.name': 'A', 'customer.address.city': 'X', tags: 'a, b', lines: null },
        { id: 2, 'customer.name': null, 'customer.address.city': null, tags: null, lines: '[{"n":1}]' },
      ],
      rowCount: 2,
      truncated: true,
    })
  })
})

describe('the next page', () => {
  const call = {
    api: 'shop',
    method: 'GET',
    url: 'https://shop.example.com/orders?status=open',
    headers: {},
    signIn: 'none',
  }
  const reply = (json: unknown, nextUrl?: string): Reply => ({
    api: 'shop',
    method: 'GET',
    url: call.url,
    status: 200,
    mediaType: '',
    bytes: 1,
    elapsedMs: 1,
    kind: 'json',
    isCut: false,
    json,
    ...(nextUrl === undefined ? {} : { nextUrl }),
  })
  const param = (name: string, preset?: unknown): Param => ({
    name,
    in: 'query',
    required: false,
    description: '',
    style: 'form',
    explode: true,
    type: { type: 'integer', ...(preset === undefined ? {} : { default: preset }) },
  })
  const two = [{ id: 1 }, { id: 2 }]

  it.each([
    ['a link in the header', two, '/orders?status=open&cursor=9', [], '?status=open&cursor=9'],
    ['a link in the body', { data: two, next: 'https://shop.example.com/orders?p=2' }, undefined, [], '?p=2'],
    ['HAL', { _links: { next: { href: '/orders?p=2' } }, items: two }, undefined, [], '?p=2'],
    ['OData', { value: two, '@odata.nextLink': 'https://shop.example.com/orders?$skip=2' }, undefined, [], '?$skip=2'],
    ['a cursor', { data: two, next_cursor: 'abc' }, undefined, [param('cursor')], '?status=open&cursor=abc'],
    ['a page number', { data: two }, undefined, [param('page')], '?status=open&page=2'],
    ['an offset', { data: two }, undefined, [param('offset')], '?status=open&offset=2'],
    ['has_more is true', { data: two, has_more: true }, undefined, [param('page')], '?status=open&page=2'],
    ['has_more is false', { data: two, has_more: false }, undefined, [param('page')], undefined],
    ['all were there', { data: two, total: 2 }, undefined, [param('page')], undefined],
    ['the last of its pages', { data: two, meta: { total_pages: 1 } }, undefined, [param('page')], undefined],
    ['less than a page holds', { data: two }, undefined, [param('page'), param('limit', 20)], undefined],
    ['no paging fields', { data: two }, undefined, [], undefined],
    ['an empty page', { data: [] }, undefined, [param('page')], undefined],
    ['no list', { id: 1 }, undefined, [param('page')], undefined],
    ['a link to itself', two, '/orders?status=open', [], undefined],
  ])('%s', (_, json, nextUrl, params, wanted) => {
    const endpoint = {
      method: 'GET',
      path: '/orders',
      operationId: '',
      summary: '',
      description: '',
      tags: [],
      params,
      body: () => undefined,
      effect: 'read',
      security: [],
    } as const
    const next = nextPage(call, reply(json, nextUrl), endpoint)
    expect(next && new URL(next.url).search).toBe(wanted)
  })

  it('a link on the same host changes only the query: an answer does not choose the target of calls', () => {
    const next = nextPage(call, reply(two, 'https://shop.example.com/admin/delete?p=2'), undefined)
    expect(next?.url).toBe('https://shop.example.com/orders?p=2')
  })

  it.each([
    ['https://evil.example/orders?p=2'],
    ['//evil.example/orders?p=2'],
    ['https://shop.example.com:8443/orders?p=2'],
    ['https://shop.example.com.evil.example/?p=2'],
  ])('a link to another host is ignored: %s', (link) => {
    for (const answer of [reply(two, link), reply({ data: two, next: link })]) {
      expect(nextPage(call, answer, undefined)).toBeUndefined()
      expect(isNextPageForeign(call, answer)).toBe(true)
    }
    // The operation's own parameter continues where there is one.
    const endpoint = yamlCatalogue(
      { endpoints: [{ method: 'GET', path: '/orders', params: [{ name: 'page' }] }] },
      'shop',
    ).endpoints[0]
    expect(nextPage(call, reply(two, link), endpoint)?.url).toBe('https://shop.example.com/orders?status=open&page=2')
  })

  it('a link in an answer from another origin is relative to that origin', () => {
    const moved = { ...reply(two, '/orders?p=2'), movedTo: 'https://evil.example' }
    expect(nextPage(call, moved, undefined)).toBeUndefined()
  })

  it.each(['_method', 'x-http-method-override', 'X-HTTP-Method', '__method'])('a link cannot add %s', (name) => {
    const next = nextPage(call, reply(two, `/orders?p=2&${name}=DELETE`), undefined)
    expect(next?.url).toBe('https://shop.example.com/orders?p=2')
  })

  it('is found among the links of a header', () => {
    expect(nextLinkOf('</a?page=1>; rel="prev", </a?page=3>; rel="next"')).toBe('/a?page=3')
    expect(nextLinkOf('</a>; rel=last')).toBeUndefined()
    expect(nextLinkOf(undefined)).toBeUndefined()
  })
})

it('shows the values of an envelope beside its list, such as the total of a page', () => {
  const json = { data: [{ id: 1 }], pagination: { total_items: 954, next: null, links: [] }, meta: null }
  const reply = { status: 200, kind: 'json', json, mediaType: 'application/json', bytes: 1, isCut: false } as Reply
  const call = { api: 'shop', method: 'GET', url: 'https://shop.example/orders?limit=1', headers: {}, signIn: 'none' }
  const text = showAnswer(answerOf({} as CallMaker, call, reply, [reply]), ['s1'])
  expect(text).toContain('{"pagination":{"total_items":954}}\n[1 row]')
})
