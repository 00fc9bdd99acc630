import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { toTuttiError, TuttiError, type ErrorCode } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import type { Outcome } from '../../../core/result.ts'
import { addressOf, urlsIn } from '../../../core/urls.ts'
import type { SearchHit, SearchKind } from '../../../web-search/types.ts'
import { citedSources, withoutMarks } from '../../citations.ts'
import { userWords } from '../../user-words.ts'
import { webData } from '../data.ts'
import { createWebTools, type SearchOutput, type WebToolParts, type WebTools } from '../tools.ts'
import { answerByRules } from './by-rules.ts'
import { gatherEvidence, type FetchedPage } from './evidence.ts'
import { kindByWords, queryByWords } from './rules.ts'

/** Pages read of those that the user named, and of those that a search found. */
const MOST_NAMED = 5
const MOST_FOLLOWED = 3

/**
 * Answers without a model: pages that the question names are read and quoted; else its words are searched for, and the answer is
 * the search service's own or the best results.
 * @param lack why nothing can be searched for
 * @throws TuttiError when nothing at all could be had
 */
export async function answerOffline(
  task: AgentTask,
  ctx: ActorContext,
  parts: WebToolParts,
  lack: string,
): Promise<Outcome> {
  const { text } = task
  const words = queryByWords(text)
  const named = new Set(urlsIn(userWords(task, ctx)))
  const tools = createWebTools(parts, named, (query) => (query === words ? text : query))
  const inTask = urlsIn(text).filter((url) => named.has(url))
  const urls = inTask.length > 0 ? inTask : urlsIn(ctx.request.question)
  if (urls.length === 0 && parts.search === undefined) throw new TuttiError('ConfigurationError', lack)
  const kind = kindByWords(text)
  const query = urls.length === 0 ? words : ''
  const pages = await readPages(ctx, tools, urls.slice(0, MOST_NAMED))
  if (urls.length > 0 && pages.read.length === 0) throw pages.errors[0]!
  const reply = query === '' ? undefined : await searched(ctx, tools, kind, query)
  const hits = reply?.results ?? []
  const followed = kind === 'deep' ? await followUp(ctx, tools, hits) : []
  const evidence = gatherEvidence(text, pages.read, hits, followed)
  const serviceAnswer = reply?.answer === undefined ? undefined : withoutMarks(reply.answer)
  const said = answerByRules({
    question: text,
    query,
    evidence,
    namedPages: pages.read.length,
    ...given({ serviceAnswer, serviceName: reply?.service }),
  })
  const cited = citedSources(said, evidence)
  const sources = cited.sources.map(({ title, url, excerpt }) => {
    return { kind: 'web' as const, name: title, url, ...(excerpt === '' ? {} : { excerpt }) }
  })
  const fetchedPages = evidence.filter(({ isRead }) => isRead).length
  return {
    answer: cited.answer,
    data: webData({ query, kind, serviceAnswer, hits, fetchedPages, sources, answer: cited.answer }),
    sources,
    confidence: evidence.length === 0 ? 0.2 : 0.6,
  }
}

async function searched(ctx: ActorContext, tools: WebTools, kind: SearchKind, query: string): Promise<SearchOutput> {
  const reply = await ctx.call(tools.search, { query, kind })
  ctx.note('TOOL', 'Web searched', { query, kind, results: reply.results.length })
  return reply
}

/** The first results that come without their text are read. */
async function followUp(
  ctx: ActorContext,
  tools: WebTools,
  hits: readonly SearchHit[],
): Promise<readonly FetchedPage[]> {
  const unread = hits.filter(({ content }) => content === undefined).flatMap(({ url }) => addressOf(url) ?? [])
  const { read } = await readPages(ctx, tools, [...new Set(unread)].slice(0, MOST_FOLLOWED))
  return read
}

interface ReadPages {
  readonly read: readonly FetchedPage[]
  readonly errors: readonly TuttiError[]
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
    ...given({ details }),
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
