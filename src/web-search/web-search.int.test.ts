import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { TuttiError } from '../domain/errors.ts'
import { createHttpClient } from '../http/client.ts'
import { BRAVE_URL, chosenService, searchHosts, TAVILY_URL, type WebSearchConfig } from './config.ts'
import { bodyOf, startServer } from '../../test/fixtures/web-search/http.ts'
import { errorOf } from '../../test/support/errors.ts'
import { openWebSearch } from './open.ts'
import type { WebSearch } from './types.ts'

const KEY = 'tvly-very-secret'

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
  readonly subscription: string | undefined
  readonly body: unknown
}

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
})

type Answer = (response: ServerResponse) => void

const json =
  (value: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }

/** A service that answers everything alike, reached over the guarded client. */
async function service(
  kind: keyof WebSearchConfig,
  answer: Answer,
): Promise<{ search: WebSearch; asked: Asked[]; host: string }> {
  const asked: Asked[] = []
  const record = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(await askedBy(request))
    answer(response)
  }
  const listener: RequestListener = (request, response) => {
    void record(request, response)
  }
  const server = await startServer(listener)
  const config = { [kind]: kind === 'searxng' ? { url: server.url } : { apiKey: KEY, url: server.url } }
  const http = createHttpClient({ allowHosts: searchHosts(config) })
  cleanups.push(
    () => http.close(),
    () => server.close(),
  )
  return { search: openWebSearch(config, { http })!, asked, host: server.host }
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const url = new URL(request.url ?? '/', 'http://x')
  const text = await bodyOf(request)
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    authorization: request.headers.authorization,
    subscription: request.headersDistinct['x-subscription-token']?.[0],
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const QUERY = { query: 'coffee prices', kind: 'basic', limit: 5 } as const

/** The error of a search, which does not contain the key. */
async function failureOf(promise: Promise<unknown>): Promise<TuttiError> {
  const error = await errorOf(promise)
  expect(`${error.message} ${JSON.stringify(error.details ?? {})}`).not.toContain(KEY)
  return error
}

describe('Tavily', () => {
  const reply = {
    answer: 'Prices rose.',
    results: [
      { title: 'Low', url: 'https://b.example/x#part', content: 'less', score: 0.2, raw_content: null },
      {
        title: '<b>Best</b>\u202e',
        url: 'https://a.example/',
        content: 'Prices\n rose.',
        score: 0.9,
        published_date: 'Mon',
      },
      { title: 'Best again', url: 'https://a.example/#top', content: 'x', score: 0.1 },
      { title: 'No page', url: 'javascript:alert(1)', content: 'x', score: 1 },
      { title: null, url: null },
    ],
  }

  it('is asked with a bearer key, and gives clean results, best first', async () => {
    const { search, asked } = await service('tavily', json(reply))
    expect(await search.search(QUERY)).toEqual({
      answer: 'Prices rose.',
      results: [
        { title: 'Best', url: 'https://a.example/', snippet: 'Prices rose.', score: 0.9, publishedAt: 'Mon' },
        { title: 'Low', url: 'https://b.example/x', snippet: 'less', score: 0.2 },
      ],
    })
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/search',
        query: {},
        authorization: `Bearer ${KEY}`,
        body: {
          query: 'coffee prices',
          topic: 'general',
          search_depth: 'basic',
          max_results: 5,
          include_answer: true,
          include_raw_content: false,
        },
      },
    ])
  })

  it.each([
    ['news', { topic: 'news', search_depth: 'basic' }],
    ['deep', { topic: 'general', search_depth: 'advanced', include_raw_content: true }],
  ] as const)('searches %s', async (kind, expected) => {
    const { search, asked } = await service('tavily', json({ results: [] }))
    expect(await search.search({ ...QUERY, kind, query: 'q'.repeat(900) })).toEqual({ results: [] })
    expect(asked[0]!.body).toMatchObject({ ...expected, query: 'q'.repeat(400) })
  })

  it('returns the text of pages in a deep search, within a limit', async () => {
    const hit = { title: 'T', url: 'https://a.example/', content: 's', raw_content: 'w '.repeat(50_000), score: 1 }
    const { search } = await service('tavily', json({ results: [hit] }))
    const { results } = await search.search({ ...QUERY, kind: 'deep' })
    expect(results[0]!.content).toHaveLength(20_000)
  })

  it('names what to check when the key is refused', async () => {
    const { search, host } = await service('tavily', json({ detail: { error: `Unauthorized: ${KEY}` } }, 401))
    const error = await failureOf(search.search(QUERY))
    expect(error.code).toBe('ConfigurationError')
    expect(error.message).toBe(`Tavily at ${host} refused the search (401). Check TAVILY_API_KEY.`)
    expect(error.retryable).toBe(false)
  })

  it('names the time to retry after too many searches', async () => {
    const { search, host } = await service('tavily', (response) => {
      response.writeHead(429, { 'retry-after': '7' })
      response.end('{}')
    })
    const error = await failureOf(search.search(QUERY))
    expect(error).toMatchObject({ code: 'HttpError', retryable: true, details: { status: 429, retryAfter: '7' } })
    expect(error.message).toBe(`Tavily at ${host} has had too many searches (429). Try again in 7 s.`)
  })

  it.each([
    [500, { detail: { error: `It broke with ${KEY}.` } }, /could not search \(500\): It broke with \*\*\*\.$/, true],
    [400, { error: 'Query is too long.' }, /could not search \(400\): Query is too long\.$/, false],
    [432, { detail: { error: 'This request exceeds your plan' } }, /\(432\): This request exceeds your plan\.$/, false],
    [503, 'busy', /could not search \(503\)(: busy)?\.$/, true],
  ])('returns the service’s message about %s, without the key', async (status, body, message, retryable) => {
    const { search } = await service('tavily', json(body, status))
    const error = await failureOf(search.search(QUERY))
    expect(error).toMatchObject({ code: 'HttpError', retryable, details: { status } })
    expect(error.message).toMatch(message)
  })

  it.each([
    ['a web page', '<html><title>Login</title></html>', 'a web page'],
    ['nothing', '', 'something else'],
    ['other JSON', '{"hits": []}', 'something else'],
    ['broken JSON', '{"results": [', 'something else'],
  ])('does not accept %s as results', async (_name, body, what) => {
    const { search } = await service('tavily', (response) => response.end(body))
    const error = await failureOf(search.search(QUERY))
    expect(error.message).toContain(`answered with ${what} in place of search results. Check the address of Tavily.`)
  })

  it('stops with the signal', async () => {
    const { search } = await service('tavily', () => undefined)
    const controller = new AbortController()
    const searching = search.search({ ...QUERY, signal: controller.signal })
    controller.abort(new TuttiError('Cancelled', 'Enough.'))
    expect((await failureOf(searching)).code).toBe('Cancelled')
  })
})

describe('Brave', () => {
  const hit = {
    url: 'https://a.example/',
    title: 'A',
    description: 'Prices <strong>rose</strong>.',
    page_age: '2026-11-01',
  }
  const found = { title: 'A', url: 'https://a.example/', snippet: 'Prices rose.', score: 1, publishedAt: '2026-11-01' }

  it('is asked with its key, and ranks become scores', async () => {
    const results = [hit, { url: 'https://b.example/', title: 'B', description: 'b' }]
    const { search, asked } = await service('brave', json({ type: 'search', web: { results } }))
    expect(await search.search({ ...QUERY, limit: 50, query: 'q'.repeat(900) })).toEqual({
      results: [found, { title: 'B', url: 'https://b.example/', snippet: 'b', score: 0.5 }],
    })
    expect(asked[0]).toMatchObject({ method: 'GET', path: '/res/v1/web/search', subscription: KEY })
    expect(asked[0]!.query).toEqual({ q: 'q'.repeat(400), count: '20', text_decorations: 'false' })
  })

  it('searches news, and pages with more of their text', async () => {
    const news = await service('brave', json({ type: 'news', results: [hit] }))
    expect(await news.search.search({ ...QUERY, kind: 'news' })).toEqual({ results: [found] })
    expect(news.asked[0]!.path).toBe('/res/v1/news/search')
    const web = { results: [{ ...hit, extra_snippets: ['By 5 %.'] }] }
    const deep = await service('brave', json({ type: 'search', web }))
    const { results } = await deep.search.search({ ...QUERY, kind: 'deep' })
    expect(results[0]!.snippet).toBe('Prices rose. By 5 %.')
    expect(deep.asked[0]!.query).toMatchObject({ extra_snippets: 'true' })
  })

  it('returns an empty list for nothing, and names what to check when the key is refused', async () => {
    const { search } = await service('brave', json({ type: 'search' }))
    expect(await search.search(QUERY)).toEqual({ results: [] })
    const refused = await service('brave', json({ error: { detail: `Bad token ${KEY}` } }, 401))
    const error = await failureOf(refused.search.search(QUERY))
    expect(error).toMatchObject({
      code: 'ConfigurationError',
      message: expect.stringContaining('Check BRAVE_API_KEY.'),
    })
  })
})

describe('SearXNG', () => {
  it('is asked for JSON, and its scores are brought to 0 to 1', async () => {
    const results = [
      { title: 'B', url: 'https://b.example/', content: 'b', score: 1 },
      { title: 'A', url: 'https://a.example/', content: 'a', score: 4, publishedDate: '2026-11-01T00:00:00' },
      { title: 'C', url: 'https://c.example/', content: 'c' },
    ]
    const { search, asked } = await service('searxng', json({ answers: [{ answer: '42', url: 'x' }], results }))
    expect(await search.search({ query: 'six & seven', kind: 'basic', limit: 2 })).toEqual({
      answer: '42',
      results: [
        { title: 'A', url: 'https://a.example/', snippet: 'a', score: 1, publishedAt: '2026-11-01T00:00:00' },
        { title: 'B', url: 'https://b.example/', snippet: 'b', score: 0.25 },
      ],
    })
    expect(asked[0]).toMatchObject({
      method: 'GET',
      path: '/search',
      query: { q: 'six & seven', format: 'json', categories: 'general' },
    })
  })

  it('searches news, takes answers as plain text, and gives an empty list for nothing', async () => {
    const { search, asked } = await service('searxng', json({ answers: ['', 'Yes'], results: [] }))
    expect(await search.search({ ...QUERY, kind: 'news' })).toEqual({ answer: 'Yes', results: [] })
    expect(asked[0]!.query).toMatchObject({ categories: 'news' })
  })

  it('explains how to enable JSON when it is disabled', async () => {
    const { search, host } = await service('searxng', (response) => response.writeHead(403).end('<h1>Forbidden</h1>'))
    const error = await failureOf(search.search(QUERY))
    expect(error.message).toBe(
      `SearXNG at ${host} refused the search (403). Allow the format json under search.formats in its settings.yml.`,
    )
  })
})

describe('the configuration', () => {
  const http = createHttpClient()

  it('configures nothing by default', () => {
    expect(openWebSearch({}, { http })).toBeUndefined()
    expect(searchHosts({})).toEqual([])
  })

  it('uses Tavily before Brave, and Brave before SearXNG; named hosts may be internal', () => {
    const searxng = { url: 'http://searx.internal:8888' }
    const brave = { apiKey: KEY, url: BRAVE_URL }
    const all = { tavily: { apiKey: KEY, url: TAVILY_URL }, brave, searxng }
    for (const [config, name] of [
      [all, 'Tavily'],
      [{ brave, searxng }, 'Brave'],
      [{ searxng }, 'SearXNG'],
    ] as const) {
      expect(openWebSearch(config, { http })?.name).toBe(name)
      expect(chosenService(config)?.name).toBe(name)
      expect(searchHosts(config)).toEqual(['searx.internal:8888'])
    }
  })
})
