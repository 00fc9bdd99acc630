import { addressOf } from '../../../core/urls.ts'
import type { SearchHit } from '../../../web-search/types.ts'
import type { WebPage } from '../../../web-search/page/read-page.ts'
import { withoutMarks } from '../../citations.ts'
import { bestParagraphs, passagesFor, shortened } from './passages.ts'

/** One source of the answer: a page that was read, or a result of the search. Its number is its place, from 1. */
export interface Evidence {
  readonly title: string
  readonly url: string
  /** What is known of it that bears on the question. */
  readonly text: string
  /** A few sentences of it, for a citation. */
  readonly excerpt: string
  /** 0 to 1. */
  readonly score: number
  readonly publishedAt?: string
  /** The page was read, by us or by the search service. */
  readonly isRead: boolean
}

/** A page with the address by which it was asked for. */
export interface FetchedPage extends WebPage {
  readonly asked: string
}

const TEXT_KEPT = 4_000
const EXCERPT_KEPT = 300
const MOST_SOURCES = 10

/** Pages that the user named first, then the results of the search with what was read of them, best first. */
export function gatherEvidence(
  question: string,
  named: readonly FetchedPage[],
  hits: readonly SearchHit[],
  followed: readonly FetchedPage[],
): readonly Evidence[] {
  const first = named.map((page) => evidenceOf(question, { ...page, score: 1 }, page.text))
  const isNamed = new Set(named.flatMap(({ asked, url }) => [addressOf(asked), addressOf(url)]))
  const readOf = new Map(followed.map((page) => [addressOf(page.asked), page.text]))
  const found = hits
    .filter(({ url }) => !isNamed.has(addressOf(url)))
    .map((hit) => evidenceOf(question, hit, readOf.get(addressOf(hit.url)) ?? hit.content))
  return [...first, ...found].slice(0, MOST_SOURCES)
}

interface Place {
  readonly title: string
  readonly url: string
  readonly snippet?: string
  readonly score?: number
  readonly publishedAt?: string
}

/** @param content text of the page, where it was read */
function evidenceOf(question: string, place: Place, content: string | undefined): Evidence {
  const { title, url, snippet = '', score = 0, publishedAt } = place
  return {
    title: withoutMarks(title),
    url,
    ...textsOf(question, content === undefined ? undefined : withoutMarks(content), withoutMarks(snippet)),
    score,
    ...(publishedAt === undefined ? {} : { publishedAt }),
    isRead: content !== undefined,
  }
}

function textsOf(question: string, content: string | undefined, snippet: string): { text: string; excerpt: string } {
  if (content === undefined) return { text: snippet, excerpt: shortened(snippet, EXCERPT_KEPT) }
  const [best = ''] = bestParagraphs(question, content, EXCERPT_KEPT, 1)
  return {
    text: passagesFor(question, content, TEXT_KEPT),
    excerpt: snippet === '' ? best : shortened(snippet, EXCERPT_KEPT),
  }
}
