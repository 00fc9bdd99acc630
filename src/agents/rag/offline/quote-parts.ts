import type { Outcome } from '../../../core/result.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import type { SearchResult } from '../../../knowledge/search/retriever.ts'
import { replaceMarks } from '../../citations.ts'
import { ENOUGH_EVIDENCE, SOME_EVIDENCE } from './evidence.ts'
import { found, NOTHING_CERTAIN, NOTHING_FOUND } from './outcomes.ts'
import { questionParts, type QuestionPart } from '../../../language/question-parts.ts'
import { runRule } from '../../rules/run-rule.ts'
import { isSamePlace, hitsByPage, type QuotesOnPages } from './on-pages.ts'
import type { Quote } from './quotes.ts'
import { quoted } from './shown.ts'

/** Passages that an answer is written from, or a part of one (SPEC R5). */
export const WANTED = 8

interface Answered extends QuestionPart {
  readonly hits: readonly HitInContext[]
  readonly quotes: readonly Quote[]
  /** Of the best quotation, whether that is enough or not. */
  readonly evidence: number
  readonly notes: readonly string[]
}

/**
 * A text that asks several questions, without a model: each is answered from passages of its own, or named as not answered.
 * Undefined where it asks a single one, or none of them is answered alone.
 */
export async function quotedParts(
  text: string,
  search: (question: string) => Promise<SearchResult>,
): Promise<Outcome | undefined> {
  const parts: Answered[] = []
  for (const part of questionParts(text)) parts.push(await answered(part, parts.at(-1), await search(part.question)))
  const answers = parts.filter(({ quotes }) => quotes.length > 0)
  if (answers.length === 0) return undefined
  const hits: HitInContext[] = []
  const said = answers.flatMap((one) => one.quotes.map(({ text: words }) => words))
  const paragraphs = answers.flatMap((one) =>
    one.quotes
      .filter(({ text: words }) => !said.some((other) => other !== words && other.includes(words)))
      .map((quote) => placed(quoted([quote], one.hits), one, hits)),
  )
  const open = parts.filter(({ quotes }) => quotes.length === 0)
  const notes = [...new Set(parts.flatMap((part) => part.notes))]
  const evidence = Math.min(...answers.map((one) => one.evidence))
  const outcome = found(text, [...new Set(paragraphs)].join('\n\n'), hits, evidence, notes)
  return { ...outcome, ...notAnswered(open) }
}

/** `quotesOnPages` off the event loop; no quotes when it takes too long. */
export async function quotesInThread(question: string, hits: readonly HitInContext[]): Promise<QuotesOnPages> {
  return (await runRule('quotes', question, hits)) ?? { hits: hits.flatMap(hitsByPage), quotes: [] }
}

/** What an outcome says of parts that nobody answered. */
function notAnswered(open: readonly Answered[]): Pick<Outcome, 'unanswered' | 'remarks'> {
  if (open.length === 0) return {}
  return {
    unanswered: open.map((part) => part.text),
    remarks: open.map((part) => `Not answered: “${part.text}”: ${reasonOf(part)}`),
  }
}

async function answered(part: QuestionPart, before: Answered | undefined, result: SearchResult): Promise<Answered> {
  const chosen = result.hits.slice(0, WANTED)
  const { hits, quotes } = await quotesInThread(part.question, chosen)
  const sure = quotes.filter(({ evidence }) => evidence >= ENOUGH_EVIDENCE)
  const documents = new Set(before?.quotes.map(({ passage }) => before.hits[passage]!.document.documentId))
  const isOfSame = ({ passage }: Quote): boolean => documents.has(hits[passage]!.document.documentId)
  return {
    ...part,
    hits,
    quotes: part.isLeaning && documents.size > 0 ? sure.filter(isOfSame) : sure,
    evidence: Math.max(0, ...quotes.map(({ evidence }) => evidence)),
    notes: result.notes,
  }
}

/** A paragraph with the places of its passages among those of all parts. */
function placed(paragraph: string, { hits }: Answered, all: HitInContext[]): string {
  return replaceMarks(paragraph, (n) => {
    const hit = hits[n - 1]
    if (hit === undefined) return undefined
    const at = all.findIndex(({ chunk }) => isSamePlace(chunk, hit.chunk))
    return at >= 0 ? at + 1 : all.push(hit)
  })
}

function reasonOf({ evidence }: Answered): string {
  const reason = evidence >= SOME_EVIDENCE ? NOTHING_CERTAIN : NOTHING_FOUND
  return reason.charAt(0).toLowerCase() + reason.slice(1)
}
