import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { toTuttiError, TuttiError, type ErrorCode } from '../../core/errors.ts'
import type { Outcome } from '../../core/result.ts'
import { addressOf, urlsIn } from '../../core/urls.ts'
import type { SearchHit, SearchKind } from '../../web-search/types.ts'
import { contextLines } from '../context-lines.ts'
import { userWords } from '../user-words.ts'
import { answerByRules } from './by-rules.ts'
import { withoutMarks } from '../citations.ts'
import { gatherEvidence, type FetchedPage } from './evidence.ts'
import { success } from './outcomes.ts'
import { chooseFollowUp, planSearch, synthesise } from './prompts.ts'
import { queryByWords } from './rules.ts'
import { createWebTools, WEB_TOOLS, type SearchOutput, type WebToolParts, type WebTools } from './tools.ts'

const RESULTS = 8
/** Pages read of those that the user named, and of those that a search found. */
const MOST_NAMED = 5
const MOST_FOLLOWED = 3
const FINDING_KEPT = 2_000

const HOW_TO_SET_UP = 'Set TAVILY_API_KEY, or TUTTI_SEARXNG_URL for a SearXNG server.'

/** @param howToSetUp a sentence for whoever has no web search */
const noSearch = (howToSetUp = HOW_TO_SET_UP): string =>
  `No web search is set up. ${howToSetUp} A question that names a web address can be answered without.`

type WebAgentParts = WebToolParts & { readonly howToSetUp?: string }

/**
 * Answers questions from the web: plans the search, searches, reads pages, and answers with the numbers of its sources.
 * Only addresses that the user named or the search returned are ever opened. Without a model the search follows the
 * question's words, and the answer is the search service's own, the best results, or quotes from a page.
 */
export function webAgent(parts: WebAgentParts): Agent {
  return defineAgent({
    name: 'web',
    label: 'the web',
    description: 'Searches the web and reads pages; answers with its sources.',
    capabilities: ['web search', 'recent news', 'thorough search over whole pages', 'reading a given web page'],
    useCases: [
      'facts and events from outside the company',
      'what a given web page says',
      'public benchmarks and competitors',
    ],
    // Phrases, since single words such as "web" or "latest" speak of one's own data as often, which must not be searched
    // for outside.
    keywords: (
      'search the web|on the web|from the web|web search|the internet|search online|online search|' +
      'look up online|find online|benchmarks online|public benchmark|both online|google|wikipedia|web page|' +
      'webpage|the website|this website|their website|its website|https://|http://|www.| url|latest news|' +
      'recent news|news about|news on|the news|headlines|competitor|latest version|latest release'
    ).split('|'),
    planning: { rank: 50 },
    typicalLatencyMs: 8_000,
    tools: WEB_TOOLS,
    limits: { timeoutMs: 180_000, retries: 2 },
    ...(parts.search === undefined ? { unavailable: noSearch(parts.howToSetUp) } : {}),
    worksAnyway: (task, ctx) => urlsIn(userWords(task, ctx)).length > 0,
    lend(task, ctx) {
      const tools = createWebTools(parts, new Set(urlsIn(userWords(task, ctx))), task.text)
      return [...Object.values(tools.search), tools.fetchUrl]
    },
    async run(task, ctx) {
      const named = new Set(urlsIn(userWords(task, ctx)))
      return answer(task, ctx, parts, { named, tools: createWebTools(parts, named, task.text) })
    },
  })
}

interface Addresses {
  /** By the user, in the question or before. */
  readonly named: ReadonlySet<string>
  readonly tools: WebTools
}

/** What the search and the pages gave. */
interface Gathered {
  readonly query: string
  readonly kind: SearchKind
  readonly reply: SearchOutput
  /** Pages that the user named, and those that the search found. */
  readonly named: ReadPages
  readonly followed: ReadPages
}

const NO_REPLY: SearchOutput = { service: '', results: [] }

/** @throws TuttiError when nothing at all could be had */
async function gather(task: AgentTask, ctx: ActorContext, parts: WebAgentParts, web: Addresses): Promise<Gathered> {
  const { named, tools } = web
  const canSearch = parts.search !== undefined
  const inQuestion = urlsIn(ctx.request.question)
  const inTask = urlsIn(task.text).filter((url) => named.has(url))
  const offered = inTask.length > 0 ? inTask : inQuestion
  const earlier = [...named].filter((url) => !inQuestion.includes(url))
  const plan = await plannedSearch(task, ctx, { urls: offered, earlierUrls: earlier, canSearch })
  const wanted = plan.urls.flatMap((url) => addressOf(url) ?? []).filter((url) => named.has(url))
  // A plan that names nothing is no plan.
  const planned = plan.query.trim() || (wanted.length === 0 ? queryByWords(task.text) : '')
  const query = canSearch ? planned : ''
  const urls = query === '' && wanted.length === 0 ? offered : wanted
  if (query === '' && urls.length === 0) throw new TuttiError('ConfigurationError', noSearch(parts.howToSetUp))

  const [pages, search] = await Promise.all([
    readPages(ctx, tools, urls.slice(0, MOST_NAMED)),
    query === '' ? undefined : searched(ctx, tools, plan.type, query),
  ])
  if (pages.read.length === 0 && (search === undefined || search instanceof TuttiError))
    throw search ?? pages.errors[0]!
  const reply = search === undefined || search instanceof TuttiError ? NO_REPLY : search
  const followed = plan.fetch ? await followUp(task, ctx, tools, reply.results) : NO_PAGES
  return { query, kind: plan.type, reply, named: pages, followed }
}

async function answer(task: AgentTask, ctx: ActorContext, parts: WebAgentParts, web: Addresses): Promise<Outcome> {
  const { query, kind, reply, named, followed } = await gather(task, ctx, parts, web)
  const evidence = gatherEvidence(task.text, named.read, reply.results, followed.read)
  const said = reply.answer === undefined ? {} : { serviceAnswer: withoutMarks(reply.answer) }
  const about = { query, kind, ...said, hits: reply.results, evidence }
  const byRules = (): string =>
    answerByRules({ ...about, question: task.text, serviceName: reply.service, namedPages: named.read.length })
  if (evidence.length === 0) return success({ ...about, answer: byRules(), by: 'fallback' })
  const { value, by } = await ctx.ask(
    synthesise,
    {
      question: task.text,
      context: contextLines(ctx.request.context),
      ...said,
      sources: evidence.map(({ title, url, text, publishedAt }, i) => ({
        n: i + 1,
        title,
        url,
        text,
        ...(publishedAt === undefined ? {} : { date: publishedAt }),
      })),
      unread: [...named.errors, ...followed.errors].map(({ message }) => message),
      ...systemPromptOf(ctx),
    },
    { fallback: byRules },
  )
  return success({ ...about, answer: value, by })
}

async function plannedSearch(
  task: AgentTask,
  ctx: ActorContext,
  place: { readonly urls: string[]; readonly earlierUrls: string[]; readonly canSearch: boolean },
) {
  const { value } = await ctx.ask(planSearch, {
    question: task.text,
    context: contextLines(ctx.request.context),
    findings: task.inputs().flatMap(({ actor, result }) => {
      return result.answer === undefined ? [] : [`${actor}: ${result.answer.slice(0, FINDING_KEPT)}`]
    }),
    ...place,
    ...systemPromptOf(ctx),
  })
  return value
}

function systemPromptOf({ request: { systemPrompt } }: ActorContext): { systemPrompt?: string } {
  return systemPrompt === undefined ? {} : { systemPrompt }
}

/** An error comes back as a value: pages that the user named may be enough. */
async function searched(
  ctx: ActorContext,
  tools: WebTools,
  kind: keyof WebTools['search'],
  query: string,
): Promise<SearchOutput | TuttiError> {
  try {
    const reply = await ctx.call(tools.search[kind], { query, limit: RESULTS })
    ctx.note('TOOL', 'Web searched', { query, kind, results: reply.results.length })
    return reply
  } catch (thrown) {
    const error = ofTheWeb(thrown, ctx)
    ctx.note('ERROR', `The web search failed: ${error.message}`, { query, kind })
    return error
  }
}

interface ReadPages {
  readonly read: readonly FetchedPage[]
  readonly errors: readonly TuttiError[]
}

const NO_PAGES: ReadPages = { read: [], errors: [] }

/** Results that come without their text are read, those that the model chooses; in a search by rules, the first. */
async function followUp(
  task: AgentTask,
  ctx: ActorContext,
  tools: WebTools,
  results: readonly SearchHit[],
): Promise<ReadPages> {
  const unread = results.filter(({ content }) => content === undefined)
  if (unread.length === 0) return NO_PAGES
  const { value } = await ctx.ask(chooseFollowUp, {
    question: task.text,
    results: unread.map(({ title, url, snippet, publishedAt }) => {
      return { title, url, snippet, ...(publishedAt === undefined ? {} : { date: publishedAt }) }
    }),
    most: MOST_FOLLOWED,
  })
  const listed = new Set(unread.map(({ url }) => addressOf(url)))
  const chosen = value.urls.flatMap((url) => addressOf(url) ?? []).filter((url) => listed.has(url))
  return readPages(ctx, tools, [...new Set(chosen)].slice(0, MOST_FOLLOWED))
}

/** Reads the pages side by side; one that cannot be read is left out with a note. */
async function readPages(ctx: ActorContext, tools: WebTools, urls: readonly string[]): Promise<ReadPages> {
  const read: FetchedPage[] = []
  const errors: TuttiError[] = []
  const settled = await Promise.allSettled(urls.map((url) => ctx.call(tools.fetchUrl, { url })))
  settled.forEach((result, i) => {
    if (result.status === 'fulfilled') {
      read.push({ ...result.value, asked: urls[i]! })
      return
    }
    const error = ofTheWeb(result.reason, ctx)
    ctx.note('ERROR', `A page was left out: ${error.message}`)
    errors.push(unreadPage(error))
  })
  return { read, errors }
}

/** Worded so that the answer can say it, whichever part of the way failed. */
function unreadPage({ code, message, retryable, details }: TuttiError): TuttiError {
  return new TuttiError(code.startsWith('Approval') ? code : 'ToolError', `The page could not be read: ${message}`, {
    retryable,
    ...(details === undefined ? {} : { details }),
  })
}

/** After these there may still be other pages to answer from. */
const OURS: ReadonlySet<ErrorCode> = new Set([
  'HttpError',
  'HttpRequestError',
  'DocumentError',
  'ConfigurationError',
  'ToolError',
  'ApprovalDenied',
  'ApprovalTimedOut',
])

/** Trouble with a page or a service; anything else, such as the end of the run, is for the engine. */
function ofTheWeb(thrown: unknown, ctx: ActorContext): TuttiError {
  ctx.signal.throwIfAborted()
  const error = toTuttiError(thrown)
  if (!OURS.has(error.code)) throw thrown
  return error
}
