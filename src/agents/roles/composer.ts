import { z } from 'zod'
import { defineRole, type Role, type RoleContext } from '../../core/actor.ts'
import { isOfApproval } from '../../core/errors.ts'
import { given } from '../../core/given.ts'
import { localeProfile } from '../../core/locale.ts'
import { agentResultsOf, type AgentResult } from '../../core/response.ts'
import type { Outcome } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import { lastOf } from '../../core/team.ts'
import { isStatement } from '../../language/introduction.ts'
import { languageOf, namesLanguage } from '../../language/which-language.ts'
import { AnswerCheck, type CheckedAnswer } from '../answers/answer-check.ts'
import { numberSources, resolveMarks, withMarks } from '../answers/citing.ts'
import { acknowledged } from './acknowledged.ts'
import { leftOut } from './coverage.ts'
import { droppedParts, NOT_DROPPED, notTold } from './dropped-parts.ts'
import {
  answerOfAgents,
  composeAnswer,
  failuresOf,
  isAnswer,
  limitSentence,
  ownAnswer,
  type ComposeInput,
} from './composer-prompt.ts'
import { commonEvidence, groundsOf, instructionsIn } from '../answers/grounds.ts'
import { REMARK } from '../answers/silent-parts.ts'
import { inTheirLanguage } from './in-their-language.ts'
import { notAnswered } from './not-answered.ts'
import { leftToWording, saidOfLeft } from './left-to-wording.ts'
import { mayRecall, profileFacts, recallAnswer, wasSaid } from './recall-prompt.ts'
import { unlooked } from '../team-words.ts'
import { notWorkedOut } from '../tool-agent/left-open.ts'
import { remarksOn, understoodAs } from './remarks.ts'
import { summariesOf, tellsOwnWork } from './summaries.ts'

/** What a strategy tells it: why the work was ended before its time. */
const composing = z.object({ stopped: z.string().optional() })

interface Composed {
  readonly text: string
  readonly by: 'model' | 'fallback'
  readonly reason?: string
  readonly isAnswered: boolean
}

/** Puts the agents' findings together: their summaries, the first table, one model call (SPEC P9). */
export const composerRole: Role = defineRole({
  name: 'composer',
  limits: { timeoutMs: 180_000 },
  async run(ctx): Promise<Outcome> {
    const { stopped } = composing.safeParse(ctx.input).data ?? {}
    return { answer: await answerFrom(ctx, ofTeam(ctx, agentResultsOf(ctx.state)), given({ stopped })) }
  },
})

/**
 * Composes the answer of the run from these results, and gives its text.
 * @param how.draft an answer that was approved: what the model goes by, and the answer where there is none
 * @param how.stopped why the work was ended before its time: the last paragraph
 */
export async function answerFrom(
  ctx: RoleContext,
  results: readonly AgentResult[],
  { draft, stopped }: { readonly draft?: string; readonly stopped?: string } = {},
): Promise<string> {
  const { request, state } = ctx
  const data = firstTable(results)
  const numbered = numberSources(results)
  const check = new AnswerCheck(groundsOf(ctx, results, numbered.citations))
  const limit = state.exhausted?.message
  const input: ComposeInput = {
    question: state.plan?.understood?.question ?? request.question,
    rationale: state.plan?.rationale ?? '',
    summaries: summariesOf(ctx, results, numbered, check),
    ...(limit === undefined ? {} : { limit }),
    localeRule: localeProfile(request.locale).rule,
    ...given({ draft, systemPrompt: request.systemPrompt }),
  }
  const isFound = input.summaries.some(({ status }) => status === 'succeeded')
  const isRefused = results.some(({ error }) => isOfApproval(error))
  const { text: composed, ...how }: Composed =
    onlyDocumentAnswer(results, input) ??
    report(ctx, results, input) ??
    (isFound ? await compose(ctx, input, check) : undefined) ??
    // Nothing that was said before is an answer where a call was not made.
    (isRefused
      ? notAnswered(ctx, input, stopped)
      : ((isStatement(request.question) ? undefined : heldDraft(draft, check)) ??
        (await recall(ctx, input)) ??
        (isStatement(request.question) ? acknowledged(ctx) : notAnswered(ctx, input, stopped))))
  // The limit may have been reached by this very call, after its input was put together.
  const late = limit === undefined ? state.exhausted?.message : undefined
  const left = isFound && how.by === 'fallback' ? leftToWording(state, results) : []
  const counts = saidOfLeft(left, results)
  const open = left.filter((text) => !counts.some(({ part }) => part === text))
  // Whoever asked a team for a part of a question says it of that part.
  const isAsked = request.team !== undefined && state.parent === undefined && isFound
  const unread = isAsked ? unlooked(request.team, request.question) : { remarks: [], parts: [] }
  const around = [
    ...understoodAs(state),
    ...counts.map(({ said, task }) => withMarks(said, numbered.numbers.get(task) ?? [])),
    ...(open.length === 0 ? [] : [notWorkedOut(open, how.reason)]),
    // Members for whom others waited have said something, too.
    ...remarksOn(ctx, request.team === undefined ? results : agentResultsOf(state)),
    ...unread.remarks,
    ...(isFound ? failuresOf(input.summaries) : []),
    ...(late === undefined ? [] : [limitSentence(late)]),
    ...(stopped === undefined ? [] : [stopped]),
  ]
  const { more, silent } = isFound && how.isAnswered ? droppedParts(ctx, results, input, composed, around) : NOT_DROPPED
  const say = await inTheirLanguage(request.question)
  const own = composed.split('\n\n').map((text) => (how.isAnswered && !REMARK.test(text) ? text : say(text)))
  const paragraphs = [...(composed === '' ? [] : own), ...more, ...around.map(say), ...silent.map(notTold).map(say)]
  const { answer, cited, removed } = resolveMarks(paragraphs.join('\n\n'), numbered.citations)
  if (removed.length > 0) ctx.note('DECISION', 'Citations that stand for no source were taken out', { removed })
  const confidence = state.plan?.confidence
  const unanswered = [...open, ...silent, ...unread.parts]
  ctx.emit({
    type: 'answer.composed',
    answer,
    ...how,
    ...(data === undefined ? {} : { data }),
    ...(cited.length === 0 ? {} : { citations: cited }),
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...(confidence === undefined ? {} : { confidence }),
  })
  return answer
}

/** A draft for which nobody had to look anything up, when all of it stands in what the user said. */
function heldDraft(draft: string | undefined, check: AnswerCheck): Composed | undefined {
  if (draft === undefined) return undefined
  const { text, unfounded } = check.whole(draft)
  return text === '' || unfounded.length > 0 ? undefined : { text, by: 'model', isAnswered: true }
}

/**
 * The answer in a model's words. What stands in no finding is given back to it once; what is still in its answer then goes, or
 * the agents' own words stand in its place. What it left out is added.
 */
async function compose(ctx: RoleContext, input: ComposeInput, check: AnswerCheck): Promise<Composed> {
  if (input.summaries.some(({ isOther }) => isOther))
    return { text: answerOfAgents(input), by: 'fallback', isAnswered: true, reason: OTHER }
  const live = inRightLanguage(ctx, check)
  const first = await ctx.ask(composeAnswer, input, { streamAnswer: live.release })
  const { by, reason } = first
  if (by === 'fallback')
    return {
      text: first.value.trim(),
      by,
      isAnswered: input.summaries.some(isAnswer),
      ...(reason === undefined ? {} : { reason }),
    }
  let checked = check.whole(first.value)
  let isForeign = live.isForeign(first.value)
  if (checked.unfounded.length > 0 || isForeign) {
    const { unfounded } = checked
    ctx.note('DECISION', 'The answer cannot stand as it is; asked for again', { unfounded, isForeign })
    const earlier = { answer: first.value, problem: problemOf(checked, isForeign) }
    const again = inRightLanguage(ctx, check)
    const second = await ctx.ask(composeAnswer, { ...input, earlier }, { streamAnswer: again.release })
    if (second.by === 'model') {
      checked = check.whole(second.value)
      isForeign = again.isForeign(second.value)
    }
  }
  const { text, unfounded, wrongMarks } = checked
  tellOfMarks(ctx, wrongMarks, check)
  const missing = leftOut(text, input)
  if (text === '' || isForeign || missing.findings.length === input.summaries.filter(isAnswer).length) {
    ctx.note('DECISION', 'The answer of the model says nothing of what was found; the agents’ own stands instead', {
      unfounded,
    })
    return { text: answerOfAgents(input), by: 'fallback', isAnswered: true, reason: NOT_HELD }
  }
  if (unfounded.length > 0) ctx.note('DECISION', 'Sentences that nothing stands for were taken out', { unfounded })
  const isCited = new Set(input.summaries.flatMap(({ sources }) => sources.map(({ n }) => n))).size > 1
  const added = [...missing.findings.map((summary) => ownAnswer(summary, isCited)), ...missing.remarks]
  return {
    text: [text, ...added].join('\n\n'),
    by,
    isAnswered: true,
    ...(unfounded.length > 0 ? { reason: UNFOUNDED } : {}),
  }
}

const OTHER = 'the query does not say all that was asked'
const NOT_HELD = 'the model’s answer did not hold what was found'
/** Why the answer is not all that the model wrote. */
const UNFOUNDED = 'sentences of the model were left out, since their figures or names stand in nothing that was found'

/** Those that stand for nothing, and those whose sources say something else. */
function tellOfMarks(ctx: RoleContext, wrongMarks: readonly number[], check: AnswerCheck): void {
  const removed = wrongMarks.filter((n) => !check.isSource(n))
  const wrong = wrongMarks.filter((n) => check.isSource(n))
  if (removed.length > 0) ctx.note('DECISION', 'Citations that stand for no source were taken out', { removed })
  if (wrong.length > 0)
    ctx.note('DECISION', 'Citations of sources that do not hold the figures were corrected', { wrong })
}

function problemOf({ unfounded }: CheckedAnswer, isForeign: boolean): string {
  const invented = `This stands in none of the findings and does not follow from them: ${unfounded.join('; ')}.`
  const foreign = 'The answer is not in the language of the question.'
  return [...(unfounded.length > 0 ? [invented] : []), ...(isForeign ? [foreign] : [])].join('\n')
}

/** Nothing is shown before its language is certain; what was shown is not taken back for that. */
function inRightLanguage(ctx: RoleContext, check: AnswerCheck) {
  let isRight = languageOf(ctx.request.question) === undefined
  return {
    release(soFar: string): string {
      isRight ||= languageOf(soFar) !== undefined && !inOtherLanguage(ctx, soFar)
      return isRight ? check.release(soFar) : ''
    },
    isForeign: (answer: string): boolean => !isRight && inOtherLanguage(ctx, answer),
  }
}

/** Whether the answer is certainly in another language than the question, and nobody wished for that. */
function inOtherLanguage({ request, recollection }: RoleContext, answer: string): boolean {
  const { question, systemPrompt = '' } = request
  const [asked, given] = [languageOf(question), languageOf(answer)]
  if (asked === undefined || given === undefined || asked === given) return false
  const { profile, recent } = recollection
  const isWished = profile?.preferences.language !== undefined || namesLanguage(`${question} ${systemPrompt}`)
  // What was said before may have been in another language, or have asked for one.
  return !isWished && recent.length === 0
}

/** Where no agent found anything, no model says what was found: only what the user said, and what was answered before. */
async function recall(ctx: RoleContext, { question, systemPrompt }: ComposeInput): Promise<Composed | undefined> {
  const known = profileFacts(ctx.recollection.profile)
  const common = commonEvidence(ctx, instructionsIn(ctx))
  const isKnown = known.length > 0 || ctx.recollection.recent.length > 0
  if (isKnown && mayRecall(question)) {
    const before = ctx.recollection.recent.findLast(({ role }) => role === 'assistant')?.text
    const { value, by, reason } = await ctx.ask(recallAnswer, { question, known, ...given({ before, systemPrompt }) })
    // What rules compute is in no text.
    if (by === 'fallback' && value.answer !== '')
      return { text: value.answer, by, isAnswered: true, ...given({ reason }) }
    const grounds = { common, found: [common], byTask: new Map(), byNumber: new Map() }
    const { text, unfounded } = new AnswerCheck(grounds).whole(value.answer)
    if (text !== '' && unfounded.length === 0 && (namesLanguage(question) || wasSaid(text, common)))
      return { text, by, isAnswered: true, ...(reason === undefined ? {} : { reason }) }
  }
  return undefined
}

/**
 * What a model has written from passages, as far as it was found in them, where there is nothing to put together with it;
 * written anew it would lose by it.
 */
function onlyDocumentAnswer(results: readonly AgentResult[], { summaries, limit }: ComposeInput): Composed | undefined {
  const [only] = results
  const [summary] = summaries
  if (only === undefined || summary === undefined || results.length > 1 || limit !== undefined) return undefined
  if (!isAnswer(summary) || summary.isOverridden) return undefined
  const isWritten = (only.data as { readonly by?: unknown } | undefined)?.by === 'model'
  const isOfDocuments = only.sources.length > 0 && only.sources.every(({ kind }) => kind === 'document')
  return isWritten && isOfDocuments ? { text: summary.answer, by: 'model', isAnswered: true } : undefined
}

/** Of a team the results of those for whom nobody waits, and what failed; the others were there for them. */
function ofTeam({ request: { team } }: RoleContext, results: readonly AgentResult[]): readonly AgentResult[] {
  if (team === undefined) return results
  const last = lastOf(team)
  const isKept = (isOfUse: (task: string) => boolean) =>
    results.filter(({ task, status }) => isOfUse(task) || status !== 'succeeded')
  const kept = isKept((task) => last.includes(task))
  if (kept.some(({ status }) => status === 'succeeded')) return kept
  // Whoever only gathered has nothing to say where nobody worked on it. A supervisor may have planned otherwise.
  const gathering = new Set(team.agents.filter(({ after }) => after.length === 0).map(({ name }) => name))
  return isKept((task) => !gathering.has(task) || last.includes(task))
}

/** What the writer of a team has written and held against its findings, or one tells of its own work: nobody writes it anew. */
function report(ctx: RoleContext, results: readonly AgentResult[], input: ComposeInput): Composed | undefined {
  const [only, ...others] = results
  if (only === undefined || others.length > 0 || only.status !== 'succeeded') return undefined
  const member = ctx.request.team?.agents.find(({ name }) => name === only.task)
  if (member?.tools.length !== 0 && !tellsOwnWork(ctx, only)) return undefined
  const by = (only.data as { readonly by?: unknown } | undefined)?.by === 'model' ? 'model' : 'fallback'
  return { text: answerOfAgents(input), by, isAnswered: true }
}

/** The first table of an agent that succeeded. */
function firstTable(results: readonly AgentResult[]): Table | undefined {
  return results.find((result) => result.status === 'succeeded' && result.tabular !== undefined)?.tabular
}
