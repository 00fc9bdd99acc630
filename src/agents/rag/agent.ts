import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import type { Outcome } from '../../core/result.ts'
import { collectionOwner } from '../../knowledge/collections.ts'
import { wordsForPassages } from '../../knowledge/search/languages.ts'
import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import { changeOrderedIn } from '../../language/clause-starts.ts'
import { rerankByModel } from '../../knowledge/search/prompts.ts'
import type { Retriever } from '../../knowledge/search/retriever.ts'
import { pick } from '../../knowledge/search/rerank.ts'
import { unreadIn } from '../../language/periods.ts'
import { citedSources } from '../citations.ts'
import { contextLines, factLines } from '../context-lines.ts'
import { ENOUGH_EVIDENCE } from './evidence.ts'
import { liveAnswer, passageCheck } from './live-answer.ts'
import { found, nothingFound, type Nearest } from './outcomes.ts'
import { answerFromPassages, type NumberedPassage } from './prompts.ts'
import { quotesFor, type Quote } from './quotes.ts'
import { SEARCH_DOCUMENTS, searchDocuments, type SearchDocuments } from './tools.ts'

/** Passages that an answer is written from (SPEC R5). */
const WANTED = 8

/** Characters of a passage that does not answer. */
const MOST_SHOWN = 160

const NOTHING_FOUND = 'The documents say nothing on this.'
/** What holds some of the words may be the answer, in words of its own. */
const NOTHING_CERTAIN = 'No passage answers this for certain.'

export interface RagParts {
  readonly library: Retriever
  /** Where the documents lie that were named for single runs. */
  readonly ofRuns: Retriever
  /** Whether there may be documents at all. */
  readonly hasDocuments: () => boolean
  /** A sentence for whoever has none. */
  readonly howToSetUp?: string
}

/**
 * Answers from documents: searches, lets a model choose among the passages and write the answer with the numbers of its
 * sources. Without a model it quotes the sentences that fit best.
 */
export function ragAgent({
  hasDocuments,
  howToSetUp = 'Name them with the option documents.',
  ...where
}: RagParts): Agent {
  return defineAgent({
    name: 'rag',
    label: 'the documents',
    description: 'Answers from documents that were added, such as policies, contracts, handbooks, reports and minutes.',
    capabilities: ['search in documents', 'answers that name file, page and section'],
    useCases: [
      'what a policy, contract or manual says',
      'finding a passage in reports, minutes or notes',
      'facts that are written down rather than kept in a database',
    ],
    keywords: [
      'document',
      'docs',
      'policy',
      'policies',
      'contract',
      'handbook',
      'manual',
      'guideline',
      'minutes',
      'newsletter',
      'brochure',
      'report say',
      'pdf',
      'file say',
      'say about',
      'says about',
      'according to',
      'clause',
      'faq',
      'written down',
      'price list',
      'warranty',
      'terms and conditions',
      'uploaded',
    ],
    planning: { rank: 5, isLastResort: true },
    typicalLatencyMs: 5_000,
    tools: [SEARCH_DOCUMENTS],
    limits: { timeoutMs: 180_000, retries: 2 },
    // Looked at for each question, since a server is given some while it works.
    get unavailable() {
      return hasDocuments() ? undefined : `No documents have been added. ${howToSetUp}`
    },
    // Others may have added some since.
    worksAnyway: () => true,
    lend: (_task, ctx) => [searchFor(ctx, where)],
    run: (task, ctx) => answer(task, ctx, searchFor(ctx, where)),
  })
}

/** The documents that were named for the run, and no others; where none were, the owner's library. */
function searchFor(
  { owner, request }: ActorContext,
  { library, ofRuns }: Pick<RagParts, 'library' | 'ofRuns'>,
): SearchDocuments {
  const named = request.attached?.find(({ kind }) => kind === 'documents')
  if (named === undefined) return searchDocuments(library, owner)
  // A run of before there were collections finds an empty one, and says so.
  return searchDocuments(ofRuns, collectionOwner(owner, named.collection ?? ''))
}

async function answer(task: AgentTask, ctx: ActorContext, search: SearchDocuments): Promise<Outcome> {
  const result = await ctx.call(search, { question: task.text, entities: task.entities })
  const { hits, confidence, method, notes } = result
  ctx.note('TOOL', 'Documents searched', { passages: hits.length, confidence, method, filter: result.filter, notes })
  if (hits.length === 0) return ctx.decline(notes.at(-1) ?? NOTHING_FOUND, nothingFound(task.text, notes))
  if (result.descriptions !== undefined) {
    const lines = hits.map(({ document }, i) => `${document.name}: ${result.descriptions![i]!} [${i + 1}]`)
    return found(task.text, { text: [...notes, ...lines].join('\n\n'), by: 'fallback' }, hits, confidence, notes)
  }

  const judged = await rerankByModel((prompt, input) => ctx.ask(prompt, input))(task.text, hits, ctx.signal)
  const best = pick(hits, judged?.order ?? []).slice(0, WANTED) as readonly HitInContext[]
  const quotes = quotesFor(task.text, best, await wordsForPassages(task.text, best))
  const evidence = Math.max(0, ...quotes.map((quote) => quote.evidence))
  // What is to be changed is nothing to quote from.
  const change = changeOrderedIn(task.text)
  if (change !== undefined && (judged === undefined || judged.order.length === 0)) {
    return ctx.decline(
      `“${change}” would change something, and documents are only read.`,
      nothingFound(task.text, notes),
    )
  }
  const isUseless = judged === undefined ? evidence < ENOUGH_EVIDENCE : judged.order.length === 0
  const nearest = nearestOf(quotes, best)
  const isNear = judged === undefined && nearest !== undefined && evidence >= ENOUGH_EVIDENCE / 2
  if (isUseless) return ctx.decline(isNear ? NOTHING_CERTAIN : NOTHING_FOUND, nothingFound(task.text, notes, nearest))
  const unread = judged === undefined ? unreadIn(task.text, String(ctx.request.context['current_date'])) : undefined
  if (unread !== undefined && !best.some(({ chunk }) => chunk.text.toLowerCase().includes(unread.time.toLowerCase()))) {
    return ctx.decline(unread.reason, nothingFound(task.text, notes))
  }
  const { systemPrompt, context } = ctx.request
  const checkFor = passageCheck(task, ctx, result)
  const quote = (): string =>
    quoted(
      quotes.filter((one) => one.evidence >= ENOUGH_EVIDENCE),
      best,
    )
  const { value, by } = await ctx.ask(
    answerFromPassages,
    {
      question: task.text,
      context: [...contextLines(context), ...factLines(task)],
      passages: best.map(numbered),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    },
    {
      ...(task.isOnly ? { streamAnswer: liveAnswer(best, checkFor) } : {}),
      fallback: quote,
    },
  )
  if (by === 'model' && evidence >= ENOUGH_EVIDENCE) {
    const { answer, sources } = citedSources(value, best)
    const { text, unfounded } = checkFor(sources).whole(answer)
    if (text === '' && unfounded.length > 0) {
      ctx.note('DECISION', 'Nothing that the model wrote stands in the passages; they are quoted instead', {
        unfounded,
      })
      return found(task.text, { text: quote(), by: 'fallback' }, best, evidence, notes)
    }
  }
  return found(task.text, { text: value, by }, best, judged?.confidence ?? evidence, notes)
}

function numbered({ chunk, document, before, after }: HitInContext, place: number): NumberedPassage {
  return {
    n: place + 1,
    document: document.name,
    ...(chunk.page === undefined ? {} : { page: chunk.page }),
    ...(chunk.section === undefined ? {} : { section: chunk.section }),
    ...(before === undefined ? {} : { before }),
    text: chunk.text,
    ...(after === undefined ? {} : { after }),
  }
}

/** The sentences that fit best, each with where it stands. */
function quoted(quotes: readonly Quote[], hits: readonly HitInContext[]): string {
  if (quotes.length === 0) return 'The passages that were found do not answer this in so many words.'
  return quotes.map(({ passage, text }) => `${placeOf(hits[passage]!)}: ${text} [${passage + 1}]`).join('\n\n')
}

/** A person may see from the nearest passage how else to ask. */
function nearestOf([nearest]: readonly Quote[], hits: readonly HitInContext[]): Nearest | undefined {
  if (nearest === undefined) return undefined
  const { text } = nearest
  const shown = text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN).replace(/\s+\S*$/, '')} …`
  return { place: placeOf(hits[nearest.passage]!), text: shown.replaceAll('\n', ' ') }
}

function placeOf({ chunk, document }: HitInContext): string {
  const { page, section } = chunk
  const where = [
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(section === undefined ? [] : [section.split(' › ').at(-1)!]),
  ]
  return where.length === 0 ? document.name : `${document.name} (${where.join(', ')})`
}
