import { z } from 'zod'
import { omitUndefined } from '../shared/json.ts'
import type { HttpClient } from '../http/client.ts'
import { cleanHits, plainText } from './hits.ts'
import { callProvider } from './provider-call.ts'
import type { SearchRequest, WebSearch } from './types.ts'

const SERVICE = 'Tavily'
/** Longest query that the service takes. */
const MAX_QUERY_CHARS = 400

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

/** Search by Tavily (docs.tavily.com, "Search"). */
export function tavilySearch({ apiKey, url }: { apiKey: string; url: string }, http: HttpClient): WebSearch {
  return {
    name: SERVICE,
    async search(request) {
      const { answer, results } = await callProvider({
        http,
        service: SERVICE,
        reply: searchReply,
        secret: apiKey,
        whenRefused: 'Check TAVILY_API_KEY.',
        whenStrange: 'Check the address of Tavily.',
        request: {
          method: 'POST',
          url: `${url}/search`,
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            accept: 'application/json',
          },
          body: JSON.stringify(searchBody(request)),
          ...omitUndefined({ signal: request.signal }),
        },
      })
      const raw = results.map((hit) => ({
        ...hit,
        snippet: hit.content,
        content: hit.raw_content,
        publishedAt: hit.published_date,
      }))
      const answerText = plainText(answer, 2_000)
      return { ...(answerText === '' ? {} : { answer: answerText }), results: cleanHits(raw, request.limit) }
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
