import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import { MAX_RULE_TEXT, ruleText } from '../../core/rule-text.ts'
import type { Owner } from '../../core/owner.ts'
import type { Attached } from '../../core/request.ts'
import type { Outcome } from '../../core/result.ts'
import { collectionOwner } from '../../knowledge/collections.ts'
import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import { changeOrderedIn } from '../../language/clause-starts.ts'
import { rerankByModel } from '../../knowledge/search/prompts.ts'
import type { Retriever } from '../../knowledge/search/retriever.ts'
import { pick } from '../../knowledge/search/rerank.ts'
import type { Whose } from '../../knowledge/types.ts'
import { saysNothing } from '../../language/declining.ts'
import { unreadIn } from '../../language/periods.ts'
import { partsAsked, silentParts } from '../answers/silent-parts.ts'
import { citedSources } from '../citations.ts'
import { withMarks } from '../answers/citing.ts'
import { contextLines, factLines } from '../context-lines.ts'
import { ENOUGH_EVIDENCE, SOME_EVIDENCE } from './evidence.ts'
import { citesAny, holderIn } from './held.ts'
import { liveAnswer, passageCheck } from './live-answer.ts'
import { found, NOT_HELD, NOTHING_CERTAIN, NOTHING_FOUND, nothingFound } from './outcomes.ts'
import { answerFromPassages, type NumberedPassage } from './prompts.ts'
import { notAnswered, quotedBeside, quotedParts, quotesInThread, WANTED } from './quote-parts.ts'
import { nearestOf, quoted } from './shown.ts'
import { SEARCH_DOCUMENTS, searchDocuments, type SearchDocuments } from './tools.ts'

export interface RagParts {
  readonly library: Retriever
  /** Whose documents of it a person's questions are answered from: all that they may read, or the chosen collections. */
  readonly shelvesOf: (owner: Owner, chosen?: readonly string[]) => Promise<Whose>
  /** Where the documents lie that were named for single runs. */
  readonly ofRuns: Retriever
  /** Whether there may be documents at all. */
  readonly hasDocuments: () => boolean
  /** Names and topics of documents of the library, or of such that were named for runs. */
  readonly topicsOf?: (whose: Whose, isOfRun: boolean) => Promise<readonly string[]>
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
  topicsOf,
  ...where
}: RagParts): Agent {
  const topicsFor = async (owner: Owner, request: ActorContext['request']): Promise<readonly string[]> => {
    const named = namedIn(request)
    if (topicsOf === undefined) return []
    if (named !== undefined) return topicsOf(collectionOwner(owner, named.collection ?? ''), true)
    return topicsOf(await where.shelvesOf(owner, request.collections), false)
  }
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
    planning: {
      rank: 5,
      isLastResort: true,
      // Without them the question is planned all the same; what is wrong with the documents is told by who looks into them.
      topics: (owner, request) => topicsFor(owner, request).catch(() => []),
    },
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

function namedIn({ attached }: ActorContext['request']): Attached | undefined {
  return attached?.find(({ kind }) => kind === 'documents')
}

/** The documents that were named for the run, and no others; where none were, what the owner may read by now. */
function searchFor(
  { owner, request }: ActorContext,
  { library, shelvesOf, ofRuns }: Pick<RagParts, 'library' | 'shelvesOf' | 'ofRuns'>,
): SearchDocuments {
  const named = namedIn(request)
  if (named === undefined) return searchDocuments(library, () => shelvesOf(owner, request.collections))
  // A run of before there were collections finds an empty one, and says so.
  return searchDocuments(ofRuns, async () => collectionOwner(owner, named.collection ?? ''))
}

async function answer(task: AgentTask, ctx: ActorContext, search: SearchDocuments): Promise<Outcome> {
  const searchIn = (question: string) => ctx.call(search, { question, entities: task.entities })
  const result = await searchIn(task.text)
  const asked = ruleText(task.text)
  const { hits, confidence, method, notes } = result
  ctx.note('TOOL', 'Documents searched', { passages: hits.length, confidence, method, filter: result.filter, notes })
  if (hits.length === 0) return ctx.decline(notes.at(-1) ?? NOTHING_FOUND, nothingFound(task.text, notes))
  if (result.descriptions !== undefined) {
    const lines = hits.map(({ document }, i) => `${document.name}: ${result.descriptions![i]!} [${i + 1}]`)
    return found(task.text, { text: [...notes, ...lines].join('\n\n'), by: 'fallback' }, hits, confidence, notes)
  }

  const judged = await rerankByModel((prompt, input) => ctx.ask(prompt, input))(task.text, hits, ctx.signal)
  const chosen = pick(hits, judged?.order ?? []).slice(0, WANTED) as readonly HitInContext[]
  const { hits: best, quotes } = await quotesInThread(asked, chosen)
  const evidence = Math.max(0, ...quotes.map((quote) => quote.evidence))
  // What is to be changed is nothing to quote from.
  const change = changeOrderedIn(asked)
  if (change !== undefined && (judged === undefined || judged.order.length === 0)) {
    return ctx.decline(
      `“${change}” would change something, and documents are only read.`,
      nothingFound(task.text, notes),
    )
  }
  if (judged === undefined) {
    const parts = await quotedParts(asked, searchIn)
    if (parts !== undefined) return parts
  }
  const isUseless = judged === undefined ? evidence < ENOUGH_EVIDENCE : judged.order.length === 0
  const nearest = nearestOf(quotes, best)
  const isNear = judged === undefined && nearest !== undefined && evidence >= SOME_EVIDENCE
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
  const written = await ctx.ask(
    answerFromPassages,
    {
      question: task.text,
      context: [...contextLines(context), ...factLines(task)],
      passages: best.map(numbered),
      ...given({ systemPrompt }),
    },
    {
      ...(task.isOnly ? { streamAnswer: liveAnswer(best, checkFor) } : {}),
      fallback: quote,
    },
  )
  const { by } = written
  let { value } = written
  if (by === 'model' && !citesAny(value, best)) {
    const holder = holderIn(value, asked, best)
    const saysNo = holder === undefined && value.length <= MAX_RULE_TEXT && saysNothing(value, asked)
    if (holder === undefined && !saysNo) {
      ctx.note('DECISION', 'The model’s answer holds nothing of the passages', { written: value })
      if (evidence < ENOUGH_EVIDENCE) return ctx.decline(NOT_HELD, nothingFound(task.text, notes, nearest))
      return found(task.text, { text: quote(), by: 'fallback' }, best, evidence, notes)
    }
    // Of several questions rules may answer one.
    if (saysNo && partsAsked(asked).length === 0)
      return ctx.decline(NOTHING_CERTAIN, nothingFound(task.text, notes, nearest))
    if (holder !== undefined) value = withMarks(value, [holder + 1])
  }
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
  const sureness = judged?.confidence ?? evidence
  const left = by === 'model' && task.isOnly ? leftOf(asked, value, best) : []
  if (left.length === 0) return found(task.text, { text: value, by }, best, sureness, notes)
  const more = await quotedBeside(value, best, left, searchIn)
  return { ...found(task.text, { text: more.text, by }, more.hits, sureness, notes), ...notAnswered(more.open) }
}

/** The parts of a question of which a model wrote nothing. */
function leftOf(question: string, written: string, hits: readonly HitInContext[]): readonly string[] {
  return silentParts(
    partsAsked(question),
    written,
    hits.map(({ chunk }) => chunk.text),
  )
}

function numbered({ chunk, document, before, after }: HitInContext, place: number): NumberedPassage {
  return {
    n: place + 1,
    document: document.name,
    ...given({ page: chunk.page, section: chunk.section, before }),
    text: chunk.text,
    ...given({ after }),
  }
}
