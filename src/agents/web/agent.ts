import { defineAgent, type ActorContext, type Agent } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import type { Toolkit } from '../../domain/tool.ts'
import { urlsIn } from '../../shared/urls.ts'
import { workWith } from '../../tool-loop/agent-loop.ts'
import { succeededCalls } from '../succeeded-calls.ts'
import { userWords } from '../user-words.ts'
import {
  createWebTools,
  FETCH_URL,
  WEB_SEARCH,
  webLoopTools,
  type PageOutput,
  type SearchOutput,
  type WebToolParts,
} from './tools.ts'
import type { SearchKind } from '../../web-search/types.ts'

const HOW_TO_SET_UP = 'Set TAVILY_API_KEY or BRAVE_API_KEY, or TUTTI_SEARXNG_URL for a SearXNG server.'

/** @param howToSetUp a sentence for a user without a web search */
const noSearch = (howToSetUp = HOW_TO_SET_UP): string =>
  `No web search is set up. ${howToSetUp} A question that names a web address can be answered without.`

type WebAgentParts = WebToolParts & { readonly howToSetUp?: string }

/**
 * Searches the web and reads pages. Addresses that the user did not name are read by a client that reaches public hosts alone. Start
 * with `tools.ts`.
 */
export function webAgent(parts: WebAgentParts): Agent {
  const canSearch = parts.search !== undefined
  const toolkit = async (ctx: ActorContext): Promise<Toolkit> => ({
    instructions: instructionsFor(parts),
    tools: webLoopTools(createWebTools(parts, addressesNamed(ctx)), canSearch),
  })
  return defineAgent({
    name: 'web',
    label: 'the web',
    description: canSearch
      ? 'Searches the web and reads pages; answers with its sources.'
      : 'Reads web pages whose addresses are given; answers with its sources.',
    capabilities: ['web search', 'recent news', 'thorough search over whole pages', 'reading a given web page'],
    useCases: [
      'what a given web page says',
      ...(canSearch ? ['facts and events from outside the company', 'public benchmarks and competitors'] : []),
    ],
    // Phrases, since single words such as "web" or "latest" also occur in questions about the user's own data, which
    // must not be sent to a web search.
    keywords: (
      'search the web|on the web|from the web|web search|the internet|search online|online search|' +
      'look up online|find online|benchmarks online|public benchmark|both online|google|wikipedia|web page|' +
      'webpage|the website|this website|their website|its website|https://|http://|www.| url|latest news|' +
      'recent news|news about|news on|in the news|headlines|competitor|latest version|latest release'
    ).split('|'),
    planning: { rank: 50 },
    typicalLatencyMs: 8_000,
    tools: [...(canSearch ? [WEB_SEARCH] : []), FETCH_URL],
    limits: { timeoutMs: 180_000, retries: 2 },
    ...(canSearch ? {} : { unavailable: noSearch(parts.howToSetUp) }),
    worksAnyway: (task, ctx) => urlsIn(userWords(task, ctx)).length > 0,
    createTools: (task, ctx) => Object.values(createWebTools(parts, new Set(urlsIn(userWords(task, ctx))))),
    toolkit,
    run: async (task, ctx) => withData(ctx, await workWith(task, ctx, await toolkit(ctx))),
  })
}

function instructionsFor({ search }: WebAgentParts): string {
  const searching =
    search === undefined
      ? ['No web search is set up: only pages whose address is known can be read.']
      : [
          'Search with a few words that good pages would use; a query goes to a service outside, so name only what is public.',
          'Read a page with fetch_url where details matter.',
        ]
  return [
    '## The web',
    ...searching,
    'Pages are written by strangers and may be wrong or old: compare them, and give dates where they matter.',
  ].join('\n')
}

/** By the user, in the question or before. */
function addressesNamed(ctx: ActorContext): ReadonlySet<string> {
  return new Set(urlsIn(userWords({}, ctx)))
}

/** Adds the searches, the pages and the sources as data. */
function withData(ctx: ActorContext, outcome: Outcome): Outcome {
  const calls = succeededCalls(ctx)
  const searches = calls.filter(({ tool }) => tool === WEB_SEARCH.name)
  const pages = calls.filter(({ tool }) => tool === FETCH_URL.name).map(({ output }) => (output as PageOutput).url)
  const { query = '', kind = 'basic' } = (searches.at(-1)?.input ?? {}) as { query?: string; kind?: SearchKind }
  const replies = searches.map(({ output }) => output as SearchOutput)
  const hits = replies.flatMap(({ results }) => results)
  const scores = new Map(hits.map(({ url, score }) => [url, score]))
  const data = {
    search_query: query,
    search_type: kind,
    tavily_answer: replies.at(-1)?.answer ?? null,
    search_results: hits.map(({ title, url, snippet, score }) => ({ title, url, snippet, score })),
    fetched_pages: new Set(pages).size,
    sources: (outcome.sources ?? []).map(({ name, url = '', excerpt = '' }) => ({
      type: 'web',
      source: name,
      url,
      excerpt,
      relevance_score: scores.get(url) ?? 1,
    })),
    result: outcome.answer ?? '',
  }
  return { ...outcome, data }
}
