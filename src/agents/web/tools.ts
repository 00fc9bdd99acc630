import { z } from 'zod'
import { TuttiError } from '../../core/errors.ts'
import { publicData, type Provenance } from '../../core/provenance.ts'
import { defineTool, type EarlierCall, type Tool, type ToolInfo } from '../../core/tool.ts'
import { addressOf } from '../../core/urls.ts'
import type { HttpClient } from '../../http/client.ts'
import { readPage, type WebPage } from '../../web-search/page/read-page.ts'
import type { SearchHit, SearchKind, WebSearch } from '../../web-search/types.ts'
import { queryByWords } from './rules.ts'
import { hostOf } from './urls.ts'

/** What the tools of the agent need. */
export interface WebToolParts {
  /** Absent when no search service is set up. */
  readonly search?: WebSearch
  /** For addresses that the user named; may lead to internal hosts that the operator allows. */
  readonly http: HttpClient
  /** For addresses that a search found: strangers chose them, so they lead to public hosts alone. */
  readonly publicHttp: HttpClient
}

export interface SearchOutput {
  readonly service: string
  readonly answer?: string
  readonly results: readonly SearchHit[]
}

export type SearchTool = Tool<{ query: string; limit: number }, SearchOutput>

export interface WebTools {
  readonly search: Readonly<Record<SearchKind, SearchTool>>
  readonly fetchUrl: Tool<{ url: string }, WebPage>
}

const SEARCHES = {
  basic: { name: 'web_search', description: 'Searches the web.' },
  news: { name: 'web_search_news', description: 'Searches recent news.' },
  deep: { name: 'web_search_deep', description: 'Searches the web thoroughly, with the text of the pages.' },
} as const

const FETCH_URL = {
  name: 'fetch_url',
  description: 'Reads a web page: the text a reader would see.',
  effect: 'read',
} as const satisfies ToolInfo

/** The tools as planners and people are told of them. */
export const WEB_TOOLS: readonly ToolInfo[] = [
  ...Object.values(SEARCHES).map((tool) => ({ ...tool, effect: 'read' as const })),
  FETCH_URL,
]

/**
 * The tools of one task. Only addresses that the user named (`named`) or that a search of this task returned are read.
 * @param task its text, from which searches by rules are made
 */
export function createWebTools(parts: WebToolParts, named: ReadonlySet<string>, task: string): WebTools {
  return {
    search: {
      basic: searchTool(parts, 'basic', task),
      news: searchTool(parts, 'news', task),
      deep: searchTool(parts, 'deep', task),
    },
    fetchUrl: defineTool({
      ...FETCH_URL,
      input: z.object({ url: z.string() }),
      // An address that a search returned says nothing new there; one that is neither is not read at all, see below.
      reach({ url }, earlier) {
        const address = addressOf(url) ?? ''
        if (foundBy(earlier).has(address) || !named.has(address)) return undefined
        return { to: `the web page ${url.slice(0, 200)}`, destination: new URL(address).host, parts: url }
      },
      provenance: ({ url }: WebPage): Provenance => publicData(`web:${hostOf(url)}`),
      async run({ url }, { signal, earlier }) {
        const address = addressOf(url) ?? ''
        if (named.has(address)) return readPage(parts.http, address, signal)
        if (foundBy(earlier).has(address)) return readFound(parts, address, signal)
        throw new TuttiError('ToolError', `${url.slice(0, 200)} was neither named by the user nor found by a search.`)
      },
    }),
  }
}

const SEARCH_NAMES: ReadonlySet<string> = new Set(Object.values(SEARCHES).map(({ name }) => name))

/** Addresses that the searches of this job returned, word for word; none that only stands in the text of a page. */
function foundBy(earlier: readonly EarlierCall[]): ReadonlySet<string> {
  const replies = earlier.flatMap(({ tool, output }) => (SEARCH_NAMES.has(tool) ? [output as SearchOutput] : []))
  return new Set(replies.flatMap((reply) => (reply?.results ?? []).flatMap(({ url }) => addressOf(url) ?? [])))
}

function searchTool({ search }: WebToolParts, kind: SearchKind, task: string): SearchTool {
  return defineTool({
    ...SEARCHES[kind],
    effect: 'read',
    input: z.object({ query: z.string().min(1), limit: z.number().int().positive() }),
    reach: ({ query }, earlier) => ({
      to: `the web search${search === undefined ? '' : ` of ${search.name}`}`,
      destination: 'web_search',
      returned: earlier.filter(({ tool }) => SEARCH_NAMES.has(tool)).map(({ output }) => output),
      // The words that count of a text say no more than the text.
      parts: query === queryByWords(task) ? task : query,
    }),
    provenance: ({ service, results }: SearchOutput): Provenance => {
      const hosts = new Set(results.map(({ url }) => `web:${hostOf(url)}`))
      return hosts.size === 0 ? publicData(`web:${service}`) : publicData(...hosts)
    },
    async run({ query, limit }, { signal }) {
      if (search === undefined) throw new TuttiError('ConfigurationError', 'No web search is set up.')
      return { service: search.name, ...(await search.search({ query, kind, limit, signal })) }
    },
  })
}

/** From here, else by the search service, which reads some pages that turn programs away or need scripts. */
async function readFound({ search, publicHttp }: WebToolParts, url: string, signal: AbortSignal): Promise<WebPage> {
  try {
    return await readPage(publicHttp, url, signal)
  } catch (thrown) {
    if (!TuttiError.isInstance(thrown) || search?.extract === undefined || signal.aborted) throw thrown
    if (TuttiError.is(thrown, 'HttpRequestError') && thrown.details?.rule !== undefined) throw thrown // refused by the guard
    const [page] = await search.extract([url], signal)
    if (page === undefined) throw thrown
    return { url, title: hostOf(url), text: page.text, isCut: false }
  }
}
