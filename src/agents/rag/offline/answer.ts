import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { ruleText } from '../../../core/rule-text.ts'
import type { Outcome } from '../../../core/result.ts'
import { changeOrderedIn } from '../../../language/clause-starts.ts'
import { unreadIn } from '../../../language/periods.ts'
import type { Shelf } from '../shelf.ts'
import { ENOUGH_EVIDENCE, SOME_EVIDENCE } from './evidence.ts'
import { found, NOTHING_CERTAIN, NOTHING_FOUND, nothingFound } from './outcomes.ts'
import { quotedParts, quotesInThread, WANTED } from './quote-parts.ts'
import { searchByQuestion } from './search.ts'
import { nearestOf, quoted } from './shown.ts'

/** Answers without a model: quotes the sentences that fit best, or declines. */
export async function answerOffline(task: AgentTask, ctx: ActorContext, shelf: Shelf): Promise<Outcome> {
  const search = searchByQuestion(shelf)
  const searchIn = (question: string) => ctx.call(search, { question, entities: task.entities })
  const result = await searchIn(task.text)
  const asked = ruleText(task.text)
  const { hits, confidence, method, notes } = result
  ctx.note('TOOL', 'Documents searched', { passages: hits.length, confidence, method, filter: result.filter, notes })
  if (hits.length === 0) return ctx.decline(notes.at(-1) ?? NOTHING_FOUND, nothingFound(task.text, notes))
  if (result.descriptions !== undefined) {
    const lines = hits.map(({ document }, i) => `${document.name}: ${result.descriptions![i]!} [${i + 1}]`)
    return found(task.text, [...notes, ...lines].join('\n\n'), hits, confidence, notes)
  }
  const { hits: best, quotes } = await quotesInThread(asked, hits.slice(0, WANTED))
  const evidence = Math.max(0, ...quotes.map((quote) => quote.evidence))
  // What is to be changed is nothing to quote from.
  const change = changeOrderedIn(asked)
  if (change !== undefined) {
    return ctx.decline(
      `“${change}” would change something, and documents are only read.`,
      nothingFound(task.text, notes),
    )
  }
  const parts = await quotedParts(asked, searchIn)
  if (parts !== undefined) return parts
  if (evidence < ENOUGH_EVIDENCE) {
    const nearest = nearestOf(quotes, best)
    const isNear = nearest !== undefined && evidence >= SOME_EVIDENCE
    return ctx.decline(isNear ? NOTHING_CERTAIN : NOTHING_FOUND, nothingFound(task.text, notes, nearest))
  }
  const unread = unreadIn(task.text, String(ctx.request.context['current_date']))
  if (unread !== undefined && !best.some(({ chunk }) => chunk.text.toLowerCase().includes(unread.time.toLowerCase()))) {
    return ctx.decline(unread.reason, nothingFound(task.text, notes))
  }
  const sure = quotes.filter((one) => one.evidence >= ENOUGH_EVIDENCE)
  return found(task.text, quoted(sure, best), best, evidence, notes)
}
