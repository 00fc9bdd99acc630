import { z } from 'zod'
import type { HttpClient } from '../http/client.ts'
import { cleanHits } from './hits.ts'
import { callProvider } from './provider-call.ts'
import type { WebSearch } from './types.ts'

const SERVICE = 'Brave'
/** Limits of the service: characters of a query, and results of a search. */
const MAX_QUERY_CHARS = 400
const MAX_RESULTS = 20

const text = z.string().nullish()
const results = z.array(
  z.object({
    title: text,
    url: text,
    description: text,
    page_age: text,
    extra_snippets: z.array(z.string()).nullish(),
  }),
)
/** A search for news has its results at the top; `web` is absent when nothing was found. */
const searchReply = z.object({ type: z.string(), results: results.nullish(), web: z.object({ results }).nullish() })

/**
 * Search with the Brave Search API ("Web Search" and "News Search"). It returns no page text, so a deep search runs a web
 * search with extra snippets and then reads the pages.
 */
export function braveSearch({ apiKey, url }: { apiKey: string; url: string }, http: HttpClient): WebSearch {
  return {
    name: SERVICE,
    async search({ query, kind, limit, signal }) {
      const address = new URL(`${url}/res/v1/${kind === 'news' ? 'news' : 'web'}/search`)
      address.search = new URLSearchParams({
        q: query.slice(0, MAX_QUERY_CHARS),
        count: String(Math.min(limit, MAX_RESULTS)),
        text_decorations: 'false',
        ...(kind === 'deep' ? { extra_snippets: 'true' } : {}),
      }).toString()
      const reply = await callProvider({
        http,
        service: SERVICE,
        reply: searchReply,
        secret: apiKey,
        whenRefused: 'Check BRAVE_API_KEY.',
        whenStrange: 'Check the address of the service.',
        request: {
          url: address.href,
          headers: { accept: 'application/json', 'x-subscription-token': apiKey },
          ...(signal === undefined ? {} : { signal }),
        },
      })
      const hits = reply.results ?? reply.web?.results ?? []
      // It returns results by rank, without scores.
      const raw = hits.map(({ description, extra_snippets: more, page_age: publishedAt, ...hit }, rank) => ({
        ...hit,
        snippet: [description, ...(more ?? [])].join(' '),
        publishedAt,
        score: 1 - rank / hits.length,
      }))
      return { results: cleanHits(raw, limit) }
    },
  }
}
