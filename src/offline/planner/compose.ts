import { z } from 'zod'
import type { RoleContext } from '../../domain/actor.ts'
import { fixedSentence } from '../../domain/error-text.ts'
import { isOfApproval, type ErrorInfo } from '../../domain/errors.ts'
import type { Notice } from '../../domain/answer.ts'
import type { AgentResult } from '../../domain/agent-results.ts'
import { NO_MODEL } from '../../domain/model.ts'
import { citableResults, type CitableResults } from '../../strategies/planning/citable-results.ts'
import { answered, answersInOrder, notesOn, type Composed, type Composing } from '../../strategies/planning/composer.ts'
import { examplesOf } from '../conversation/small-talk.ts'
import { connectedSources, replyTo } from '../conversation/reply.ts'
import { isOtherLanguage } from './plan.ts'

/** The answer without a model: a reply to small talk, or what the agents said in their order, and why the others did not answer. */
export async function composeOffline(
  ctx: RoleContext,
  results: readonly AgentResult[],
  { stopped }: Composing,
): Promise<Composed> {
  const origin = { by: 'fallback', reason: NO_MODEL } as const
  const reply = results.length === 0 ? await replyTo(ctx) : undefined
  if (reply !== undefined) {
    const { isAnswered, about: asked, whole } = reply
    const examples = isAnswered ? [] : await examplesFor(ctx, [], asked, whole)
    return { ...origin, isAnswered, answer: [reply.text, ...examples].join('\n\n') }
  }
  const citable = citableResults(results)
  const isAnswered = results.some(({ status }) => status === 'succeeded')
  const isForeign = !isAnswered && isOtherLanguage(ctx.request.question)
  const failures = isForeign
    ? ['Without a language model only questions in English can be answered.']
    : failuresOf(ctx, results)
  const unanswered = results.flatMap((result) => result.unanswered ?? [])
  const isOpen = failures.length > 0 || unanswered.length > 0 || !isAnswered
  const text = [
    answersInOrder(results, { ...citable, texts: allCited(results, citable) }),
    ...failures,
    stopped,
    ...(isOpen ? await examplesFor(ctx, results) : []),
  ]
    .filter(Boolean)
    .join('\n\n')
  const notices = results.flatMap(assumptionsOf)
  const notes = isAnswered ? notesOn(ctx, results) : lackingIn(ctx, results)
  return {
    ...origin,
    isAnswered: isAnswered && text !== '',
    ...answered(ctx, text || 'No agent gave an answer.', citable, results, notes),
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...(notices.length === 0 ? {} : { notices }),
  }
}

/** Sources that could not be opened, for a question without an answer. */
function lackingIn({ agents }: RoleContext, results: readonly AgentResult[]): readonly string[] {
  const remarks = results.flatMap((result) => result.remarks ?? [])
  return [...new Set([...agents.flatMap(({ lacking }) => lacking ?? []), ...remarks])]
}

/** Where one answer cites its sources, each does. */
function allCited(results: readonly AgentResult[], { texts, idsOf }: CitableResults): CitableResults['texts'] {
  const isCited = (text: string): boolean => /\[s\d+\]/.test(text)
  if (![...texts.values()].some(isCited)) return texts
  const ids = (result: AgentResult): string => (idsOf(result.task).match(/^\[\w+\]/gm) ?? []).join('')
  return new Map(
    results.flatMap((result) => {
      const text = texts.get(result.task)
      if (text === undefined) return []
      return [[result.task, isCited(text) || ids(result) === '' ? text : `${text} ${ids(result)}`] as const]
    }),
  )
}

const assumed = z.object({ assumptions: z.array(z.string()) })

/** What a query takes for granted that its question does not say. */
function assumptionsOf({ data }: AgentResult): readonly Notice[] {
  const assumptions = assumed.safeParse(data).data?.assumptions ?? []
  return assumptions.map((assumption) => {
    return { code: 'assumption', params: { assumption }, severity: 'info', text: `Assumed: ${assumption}.` }
  })
}

/** Why parts have no answer, each reason once, with the part where there are several. */
function failuresOf({ state, request }: RoleContext, results: readonly AgentResult[]): readonly string[] {
  const partOf = ({ task }: AgentResult): string =>
    state.plan?.plan.tasks.find(({ id }) => id === task)?.text ?? request.question
  const isDone = ({ status, unanswered }: AgentResult): boolean => status === 'succeeded' && !unanswered?.length
  const done = new Set(results.filter(isDone).map(partOf))
  const isSplit = new Set(results.map(partOf)).size > 1
  const reasons = new Map<string, Set<string>>()
  for (const result of results) {
    if (result.error === undefined || done.has(partOf(result))) continue
    const reason = reasonOf(result.error)
    const part = `“${partOf(result).replace(/(?<![\s.?!])[\s.?!]+$/, '')}”`
    reasons.set(reason, new Set([...(reasons.get(reason) ?? []), part]))
  }
  return [...reasons].map(([reason, parts]) => (isSplit ? `${[...parts].join(', ')}: ${reason}` : reason))
}

/** Without a model, what needs one says how to set it up. */
function reasonOf(error: ErrorInfo): string {
  const fixed = error.type === 'ModelUnavailable' ? undefined : fixedSentence(error)
  return fixed === undefined ? error.message : `This could not be answered: ${fixed}.`
}

/** Example questions that work. None after a denied approval, in a team and in a nested run. */
async function examplesFor(
  ctx: RoleContext,
  results: readonly AgentResult[],
  asked = ctx.request.question,
  whole?: string,
): Promise<readonly string[]> {
  const isRefused = results.some(({ error }) => isOfApproval(error) || error?.type === 'ApprovalInstructed')
  if (isRefused || ctx.request.team !== undefined || ctx.state.parent !== undefined) return []
  const connected = await connectedSources(ctx)
  // In addition to passages, what a search cannot answer.
  const hasPassages = results.some(({ status }) => status === 'succeeded')
  if (hasPassages && connected.databases.length === 0) return []
  return [await examplesOf(hasPassages ? { ...connected, documents: [] } : connected, asked, whole)]
}
