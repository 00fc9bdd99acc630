import { z } from 'zod'
import type { HttpClient } from '../http/client.ts'
import { cleanHits, plainText } from './hits.ts'
import { callProvider } from './provider-call.ts'
import type { WebSearch } from './types.ts'

const SERVICE = 'SearXNG'

const text = z.string().nullish()

const searchReply = z.object({
  /** Texts, and since 2024 objects. */
  answers: z.array(z.union([z.string(), z.object({ answer: text })])).nullish(),
  results: z.array(
    z.object({ title: text, url: text, content: text, score: z.number().nullish(), publishedDate: text }),
  ),
})

/**
 * Search with a self-hosted SearXNG server (docs.searxng.org, "Search API"). It returns no page text, so a deep search
 * runs a general search and then reads the pages.
 */
export function searxngSearch({ url }: { url: string }, http: HttpClient): WebSearch {
  return {
    name: SERVICE,
    async search({ query, kind, limit, signal }) {
      const address = new URL(`${url}/search`)
      address.search = new URLSearchParams({
        q: query,
        format: 'json',
        categories: kind === 'news' ? 'news' : 'general',
      }).toString()
      const { answers, results } = await callProvider({
        http,
        service: SERVICE,
        reply: searchReply,
        whenRefused: 'Allow the format json under search.formats in its settings.yml.',
        whenStrange: 'Check TUTTI_SEARXNG_URL, and that its settings.yml allows the format json.',
        request: {
          url: address.href,
          headers: { accept: 'application/json' },
          ...(signal === undefined ? {} : { signal }),
        },
      })
      const texts = (answers ?? []).map((one) => plainText(typeof one === 'string' ? one : one.answer, 2_000))
      const answer = texts.find((one) => one !== '')
      const raw = results.map((hit) => ({
        ...hit,
        snippet: hit.content,
        content: undefined,
        publishedAt: hit.publishedDate,
      }))
      return { ...(answer === undefined ? {} : { answer }), results: cleanHits(raw, limit) }
    },
  }
}
