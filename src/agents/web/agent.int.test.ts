import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { startModelServer, TOOL_AGENT, toolCall, type Rule } from '../../../test/support/model-server.ts'
import { runAgents, turns } from '../../../test/support/agent-runs.ts'
import type { Agent } from '../../domain/actor.ts'
import type { ConversationMessage } from '../../domain/conversation.ts'
import { createHttpClient, type HttpClient } from '../../http/client.ts'
import { bodyOf, startServer } from '../../../test/fixtures/web-search/http.ts'
import { openWebSearch } from '../../web-search/open.ts'
import { webAgent } from './agent.ts'
import { openForAll } from '../../../test/support/opened.ts'

/** One server is both the search service and the web. */
const server = openForAll(() => startServer((request, response) => void respond(request, response)))
const models = openForAll(() => startModelServer())
const http = openForAll(async () => createHttpClient({ allowHosts: [server.host] }))
const strict = openForAll(async () => createHttpClient())
/** Responses by path. A string is the body of a page. */
let pages: Record<string, string | ((response: ServerResponse) => void)>
let searchReply: { status?: number; body: unknown }
let requests: { path: string; body: Record<string, unknown> }[]

beforeEach(() => {
  pages = {}
  searchReply = { body: { results: [] } }
  requests = []
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  const text = await bodyOf(request)
  requests.push({ path, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) })
  if (path === '/search' || path.startsWith('/search?')) {
    response.writeHead(searchReply.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(searchReply.body))
    return
  }
  const page = pages[path]
  if (typeof page === 'function') return page(response)
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page ?? 'not here')
}

interface Setup {
  readonly rules?: readonly Rule[]
  readonly service?: 'tavily' | 'searxng' | 'none'
  readonly others?: readonly Agent[]
  /** Earlier messages of the conversation. */
  readonly recent?: readonly ConversationMessage[]
  /** For what a search found; the client that may reach the test's server when absent. */
  readonly publicHttp?: HttpClient
}

function searchOf(service: Setup['service'] = 'tavily') {
  const { url } = server
  if (service === 'none') return {}
  return {
    search: openWebSearch(service === 'tavily' ? { tavily: { apiKey: 'k', url } } : { searxng: { url } }, { http })!,
  }
}

async function ask(question: string, setup: Setup = {}) {
  const { rules, publicHttp = http, recent = [] } = setup
  const agents = [webAgent({ ...searchOf(setup.service), http, publicHttp }), ...(setup.others ?? [])]
  const { events, response } = await runAgents(question, agents, {
    server: models,
    rules,
    context: { current_date: '2026-11-22', tavily_api_key: 'not-for-models' },
    start: { recollection: { recent } },
  })
  const settled = events.flatMap((event) => (event.type === 'job.settled' && event.key === 'web' ? [event.result] : []))
  const result = response.agentResults.find(({ agent }) => agent === 'web')!
  return { result, settled: settled[0]!, events, answer: response.answer }
}

const hit = (path: string, title: string, content: string, score: number, more = {}) => {
  return { title, url: `${server.url}${path}`, content, score, ...more }
}
const article = (title: string, ...paragraphs: string[]): string =>
  `<html><head><title>${title}</title></head><body>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</body></html>`

const searches = () => requests.filter(({ path }) => path.startsWith('/search'))
const visited = () => requests.map(({ path }) => path).filter((path) => !path.startsWith('/search'))

it('does not search without a model, and reports why', async () => {
  const { result, settled } = await ask('Search the web for the price of Arabica coffee')
  expect(requests).toEqual([])
  expect(result.error).toMatchObject({ type: 'ModelUnavailable' })
  expect(settled.status).toBe('failed')
})

/** What the model was given with the nth request to it as this agent, from 1. */
const promptText = (nth: number): string =>
  models.requests.filter(({ text }) => text.includes(TOOL_AGENT))[nth - 1]!.text

describe('with a model', () => {
  it('searches, reads a page and answers with numbered sources', async () => {
    pages['/b'] = article('B', 'Robusta rose by 9 per cent in October, more than ever before.')
    searchReply.body = {
      answer: 'Hint.',
      results: [hit('/a', 'A', 'Arabica rose.', 0.9, { published_date: 'Oct 31' }), hit('/b', 'B', 'Robusta …', 0.5)],
    }
    const rules = turns(
      toolCall('web_search', { query: 'coffee price October 2026', kind: 'news' }),
      toolCall('fetch_url', { url: `${server.url}/b` }),
      { text: 'Robusta rose by 9 per cent [s2], Arabica less [s1][s7]. Both rose [s2, s1].' },
    )
    const { result, settled } = await ask('How did coffee prices move last month, says the web?', { rules })
    expect(settled.provenance).toMatchObject({
      author: 'outside',
      sources: expect.arrayContaining([expect.stringContaining(`web:${server.host}`)]),
    })
    expect(searches()).toMatchObject([{ body: { query: 'coffee price October 2026', topic: 'news' } }])
    expect(visited()).toEqual(['/b'])
    expect(result).toMatchObject({
      status: 'succeeded',
      answer: 'Robusta rose by 9 per cent [1], Arabica less [2]. Both rose [1][2].',
      sources: [{ name: 'B' }, { name: 'A' }],
      data: {
        search_query: 'coffee price October 2026',
        search_type: 'news',
        tavily_answer: 'Hint.',
        fetched_pages: 1,
        sources: [
          { source: 'B', relevance_score: 0.5 },
          { source: 'A', relevance_score: 0.9 },
        ],
      },
    })
    expect(promptText(1)).toContain('today: Sunday, 2026-11-22')
    expect(promptText(1)).not.toContain('not-for-models')
    expect(promptText(2)).toContain(`[s1] A <${server.url}/a> (Oct 31)\nArabica rose.`)
    expect(promptText(3)).toContain(`[s2] B <${server.url}/b>\nRobusta rose by 9 per cent in October`)
  })

  it('reads an internal address only if the user named it, now or earlier', async () => {
    pages['/a'] = article('A', 'Shipping is free for orders above fifty euros, says this page.')
    const at = { turn: 1, runId: 'r', at: 0 }
    const recent = [
      { ...at, role: 'user' as const, text: `What is ${server.url}/a about?` },
      { ...at, role: 'assistant' as const, text: `Shipping. See ${server.url}/evil.` },
    ]
    const rules = turns(
      {
        toolCalls: ['/a', '/evil'].map((path) => ({ name: 'fetch_url', arguments: { url: `${server.url}${path}` } })),
      },
      { text: 'Above fifty euros [s1].' },
    )
    const { result } = await ask('And when is shipping free?', { rules, recent, publicHttp: strict })
    expect(visited()).toEqual(['/a'])
    expect(result.answer).toBe('Above fifty euros [1].')
    expect(promptText(2)).toContain('is not an address of the public internet')
  })

  it('receives the reason why a page or a search failed', async () => {
    searchReply = { status: 401, body: {} }
    const rules = turns(
      {
        toolCalls: [
          { name: 'web_search', arguments: { query: 'coffee' } },
          { name: 'fetch_url', arguments: { url: `${server.url}/gone` } },
        ],
      },
      { text: 'Nothing could be read.' },
    )
    await ask(`Check ${server.url}/gone and search the web`, { rules })
    expect(promptText(2)).toContain('TAVILY_API_KEY')
    expect(promptText(2)).toContain('/gone was answered with 404')
  })

  it('has no search tool where none is configured', async () => {
    pages['/a'] = article('A', 'The answer is forty-two, as was to be expected.')
    const rules = turns(toolCall('fetch_url', { url: `${server.url}/a` }), { text: '42 [s1].' })
    const { result } = await ask(`Summarise ${server.url}/a.`, { rules, service: 'none' })
    expect(result.answer).toBe('42 [1].')
    const { tools } = models.requests.find(({ text }) => text.includes(TOOL_AGENT))!.body as {
      tools: { function: { name: string } }[]
    }
    expect(tools.map(({ function: { name } }) => name)).not.toContain('web_search')
  })
})
