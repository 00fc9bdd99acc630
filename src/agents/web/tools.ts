import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { publicData, type Provenance } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { defineTool, type EarlierCall, type Tool, type ToolInfo, loopTool, type LoopTool } from '../../domain/tool.ts'
import { normalizeUrl } from '../../shared/urls.ts'
import type { HttpClient } from '../../http/client.ts'
import { readPage, type WebPage } from '../../web-search/page/read-page.ts'
import type { SearchHit, WebSearch } from '../../web-search/types.ts'

/** Dependencies of the agent's tools. */
export interface WebToolParts {
  /** Absent without a search service. */
  readonly search?: WebSearch
  /** For addresses that the user named; may lead to internal hosts that the operator allows. */
  readonly http: HttpClient
  /** For all other addresses: a search result, a page or a model chose them, so they lead to public hosts alone. */
  readonly publicHttp: HttpClient
}

const searchInput = z.object({
  query: z.string().min(1),
  kind: z
    .enum(['basic', 'news', 'deep'])
    .default('basic')
    .describe('deep: a thorough search that returns the text of pages'),
})

export interface SearchOutput {
  readonly service: string
  /** The service's own short answer. */
  readonly answer?: string
  readonly results: readonly SearchHit[]
  /** One for each result. */
  readonly sources: readonly Source[]
}

export interface PageOutput extends WebPage {
  readonly sources: readonly Source[]
}

export interface WebTools {
  readonly search: Tool<z.input<typeof searchInput>, SearchOutput, z.output<typeof searchInput>>
  readonly fetchUrl: Tool<{ url: string }, PageOutput>
}

const RESULTS = 8
const EXCERPT_CHARS = 300
/** Of the text of a page that a search returns; `fetch_url` shows all of it. */
const SHOWN_CONTENT_CHARS = 1_500

export const WEB_SEARCH = {
  name: 'web_search',
  description: 'Searches the web. Returns titles, addresses and excerpts of pages.',
  effect: 'read',
} as const satisfies ToolInfo

export const FETCH_URL = {
  name: 'fetch_url',
  description: 'Reads a web page: the text that a reader would see.',
  effect: 'read',
} as const satisfies ToolInfo

/**
 * The tools of one job.
 * @param named addresses that the user named; others are read with the client for public hosts
 */
export function createWebTools(parts: WebToolParts, named: ReadonlySet<string>): WebTools {
  return { search: searchTool(parts), fetchUrl: fetchTool(parts, named) }
}

/** The tools with their result texts for the model. Without a search service pages can still be read. */
export function webLoopTools({ search, fetchUrl }: WebTools, canSearch: boolean): readonly LoopTool[] {
  const source = { kind: 'web', name: 'web' } as const
  return [...(canSearch ? [loopTool(search, source, showResults)] : []), loopTool(fetchUrl, source, showPage)]
}

function searchTool({ search }: WebToolParts): WebTools['search'] {
  return defineTool({
    ...WEB_SEARCH,
    input: searchInput,
    reach: ({ query }, earlier) => ({
      to: `the web search${search === undefined ? '' : ` of ${search.name}`}`,
      destination: 'web_search',
      known: earlier.filter(({ tool }) => tool === WEB_SEARCH.name).map(({ output }) => output),
      parts: query,
      listed: [searchInput.shape.kind.unwrap().options.length],
    }),
    provenance: ({ service, results }: SearchOutput): Provenance => {
      const hosts = new Set(results.map(({ url }) => `web:${siteName(url)}`))
      return hosts.size === 0 ? publicData(`web:${service}`) : publicData(...hosts)
    },
    async run({ query, kind }, { signal }): Promise<SearchOutput> {
      if (search === undefined) throw new TuttiError('ConfigurationError', 'No web search is set up.')
      const reply = await search.search({ query, kind, limit: RESULTS, signal })
      return { service: search.name, ...reply, sources: reply.results.map(sourceOfHit) }
    },
  })
}

function sourceOfHit({ title, url, snippet }: SearchHit): Source {
  const excerpt = snippet.slice(0, EXCERPT_CHARS)
  return { kind: 'web', name: title, url, ...(excerpt === '' ? {} : { excerpt }) }
}

function fetchTool({ http, publicHttp }: WebToolParts, named: ReadonlySet<string>): WebTools['fetchUrl'] {
  return defineTool({
    ...FETCH_URL,
    input: z.object({ url: z.string() }),
    // Requesting an address that a search returned reveals nothing new.
    reach({ url }, earlier) {
      const address = normalizeUrl(url)
      if (address === undefined || foundBy(earlier).has(address)) return undefined
      return { to: `the web page ${url.slice(0, 200)}`, destination: new URL(address).host, parts: url }
    },
    provenance: ({ url }: WebPage): Provenance => publicData(`web:${siteName(url)}`),
    async run({ url }, { signal }): Promise<PageOutput> {
      const address = normalizeUrl(url)
      if (address === undefined) {
        throw new TuttiError('ToolError', `"${url.slice(0, 200)}" is no web address. Give a whole one, with https://.`)
      }
      const page = await readPage(named.has(address) ? http : publicHttp, address, signal)
      return { ...page, sources: [sourceOfPage(page)] }
    },
  })
}

function sourceOfPage({ title, url, text }: WebPage): Source {
  return { kind: 'web', name: title, url, excerpt: text.slice(0, EXCERPT_CHARS) }
}

/** Addresses that the searches of this job returned, word for word; none that only is in the text of a page. */
function foundBy(earlier: readonly EarlierCall[]): ReadonlySet<string> {
  const replies = earlier.flatMap(({ tool, output }) => (tool === WEB_SEARCH.name ? [output as SearchOutput] : []))
  return new Set(replies.flatMap((reply) => (reply?.results ?? []).flatMap(({ url }) => normalizeUrl(url) ?? [])))
}

function showResults({ answer, results }: SearchOutput, ids: readonly string[]): string {
  if (results.length === 0) return answer ?? 'Nothing was found.'
  const sections = results.map(({ title, url, snippet, content, publishedAt }, i) =>
    [
      `[${ids[i]}] ${headingOf({ title, url, ...omitUndefined({ publishedAt }) })}`,
      beginningOf(content ?? snippet),
    ].join('\n'),
  )
  return [...(answer === undefined ? [] : [`The search service answers: ${answer}`]), ...sections].join('\n\n')
}

function beginningOf(text: string): string {
  const rest = text.length - SHOWN_CONTENT_CHARS
  if (rest <= 0) return text
  return `${text.slice(0, SHOWN_CONTENT_CHARS)}… [${rest} more characters; ${FETCH_URL.name} shows the page]`
}

function showPage(page: PageOutput, [id]: readonly string[]): string {
  const end = page.isCut ? '\n[The page continues.]' : ''
  return `[${id}] ${headingOf(page)}\n${page.text}${end}`
}

function headingOf({ title, url, publishedAt }: Pick<WebPage, 'title' | 'url' | 'publishedAt'>): string {
  return `${title} <${url}>${publishedAt === undefined ? '' : ` (${publishedAt})`}`
}

/** The host of an address as a site name. */
function siteName(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}
