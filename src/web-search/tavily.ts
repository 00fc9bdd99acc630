import { z } from 'zod'
import type { HttpClient } from '../http/client.ts'
import { cleanHits, plainText, webAddress } from './hits.ts'
import { callProvider } from './provider-call.ts'
import type { SearchRequest, WebSearch } from './types.ts'

const SERVICE = 'Tavily'
/** Longest query that the service takes. */
const MAX_QUERY_CHARS = 400
const MAX_EXTRACT_CHARS = 40_000

const text = z.string().nullish()

const searchReply = z.object({
  answer: text,
  results: z.array(
    z.object({
      title: text,
      url: text,
      content: text,
      raw_content: text,
      score: z.number().nullish(),
      published_date: text,
    }),
  ),
})

const extractReply = z.object({ results: z.array(z.object({ url: z.string(), raw_content: text })) })

/** Search and page extraction by Tavily (docs.tavily.com, "Search" and "Extract"). */
export function tavilySearch({ apiKey, url }: { apiKey: string; url: string }, http: HttpClient): WebSearch {
  const post = <T>(path: string, body: unknown, reply: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T> =>
    callProvider({
      http,
      service: SERVICE,
      reply,
      secret: apiKey,
      whenRefused: 'Check TAVILY_API_KEY.',
      whenStrange: 'Check TUTTI_TAVILY_URL.',
      request: {
        method: 'POST',
        url: `${url}${path}`,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      },
    })
  return {
    name: SERVICE,
    async search(request) {
      const { answer, results } = await post('/search', searchBody(request), searchReply, request.signal)
      const raw = results.map((hit) => ({
        ...hit,
        snippet: hit.content,
        content: hit.raw_content,
        publishedAt: hit.published_date,
      }))
      const answerText = plainText(answer, 2_000)
      return { ...(answerText === '' ? {} : { answer: answerText }), results: cleanHits(raw, request.limit) }
    },
    async extract(urls, signal) {
      const body = { urls: [...urls], format: 'markdown' }
      const { results } = await post('/extract', body, extractReply, signal)
      return results.flatMap((page) => {
        const address = webAddress(page.url)
        const content = plainText(page.raw_content, MAX_EXTRACT_CHARS)
        return address === undefined || content === '' ? [] : [{ url: address, text: content }]
      })
    },
  }
}

function searchBody({ query, kind, limit }: SearchRequest): Record<string, unknown> {
  return {
    query: query.slice(0, MAX_QUERY_CHARS),
    topic: kind === 'news' ? 'news' : 'general',
    search_depth: kind === 'deep' ? 'advanced' : 'basic',
    max_results: limit,
    include_answer: true,
    include_raw_content: kind === 'deep',
  }
}
