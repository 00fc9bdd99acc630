import type { Evidence } from './evidence.ts'
import { bestParagraphs, shortened } from './passages.ts'
import { hostOf } from '../urls.ts'

const QUOTED_PAGES = 3
const QUOTED_PARAGRAPHS = 3
const PARAGRAPH_KEPT = 500
const LISTED = 4
const SNIPPET_KEPT = 300

export interface Found {
  readonly question: string
  readonly query: string
  /** The search service's own answer. */
  readonly serviceAnswer?: string
  readonly serviceName?: string
  readonly evidence: readonly Evidence[]
  /** Addresses that the user named. */
  readonly namedPages: number
}

/**
 * The answer without a model: of pages that the user named, the paragraphs that speak of the question; of a search, the
 * service's own answer, else the best results. [n] are the places of the evidence.
 */
export function answerByRules(found: Found): string {
  const { evidence, namedPages, serviceAnswer } = found
  if (namedPages > 0) return quotes(found)
  if (evidence.length === 0 && serviceAnswer === undefined) return nothingFound(found.query)
  return serviceAnswer === undefined ? list(evidence) : withService(serviceAnswer, found)
}

export function nothingFound(query: string): string {
  return `The web search for “${query}” found nothing.`
}

function quotes({ question, evidence, namedPages }: Found): string {
  const pages = evidence.slice(0, Math.min(namedPages, QUOTED_PAGES))
  return pages
    .map(({ title, url, text }, i) => {
      const quoted = bestParagraphs(question, text, QUOTED_PARAGRAPHS * PARAGRAPH_KEPT, QUOTED_PARAGRAPHS)
      const lines = quoted.map(
        (paragraph) => `“${shortened(paragraph.replace(/^#+ /, ''), PARAGRAPH_KEPT)}” [${i + 1}]`,
      )
      return [`${title} (${hostOf(url)}) says:`, ...lines].join('\n')
    })
    .join('\n\n')
}

function withService(answer: string, { evidence, serviceName }: Found): string {
  const basis = evidence.slice(0, LISTED).map(({ title }, i) => `${title} [${i + 1}]`)
  if (basis.length === 0) return answer
  return `${answer}\n\nThis is the short answer of ${serviceName}. It found: ${basis.join('; ')}.`
}

function list(evidence: readonly Evidence[]): string {
  const lines = evidence.slice(0, LISTED).map(({ title, excerpt, publishedAt }, i) => {
    const when = publishedAt === undefined ? '' : ` (${publishedAt})`
    return `- ${title}${when}${excerpt === '' ? '' : `: ${shortened(excerpt, SNIPPET_KEPT)}`} [${i + 1}]`
  })
  return ['The web search found:', ...lines].join('\n')
}
