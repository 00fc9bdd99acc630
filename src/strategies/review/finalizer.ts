import { dataOf, defineRole, type Role, type RoleContext } from '../../domain/actor.ts'
import { isOfApproval } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { NO_SOURCE, type Notice } from '../../domain/answer.ts'
import { localeProfile } from '../../shared/locale.ts'
import { agentResult, type AgentResult } from '../../domain/agent-results.ts'
import type { Outcome } from '../../domain/result.ts'
import type { JobState } from '../../domain/state.ts'
import { numberedSoFar } from '../../grounding/citations.ts'
import { errorKind } from './errors.ts'
import { approvedResearch, isLimitReached, retryLimit } from './next.ts'
import {
  criticTypes,
  expertType,
  finalizerType,
  NOT_ANSWERED,
  type Ending,
  type FinalAnswer,
  type LastInstruction,
  type Verdict,
} from './types.ts'
import { unknownRemarks } from '../../tool-loop/outcome.ts'
import { citableResults, type CitableResults } from '../planning/citable-results.ts'
import { tableOfAnswer } from '../planning/composer.ts'
import { emptyAnswer, splitOpenParts, splitTag } from '../planning/composer-prompt.ts'
import { mergeCitations, reply, researchOf, receiveInstruction } from './actors.ts'
import { REASONING_TRACE, reviewFinal } from './prompts.ts'

export interface Final {
  readonly answer: string
  readonly trace: string
}

/**
 * The final answer and the final reasoning trace, written by one call; if the call fails, the approved answer of the
 * expert. If a question has used up its retries, there is neither.
 */
export const finalizerRole: Role<LastInstruction, FinalAnswer> = defineRole({
  ...finalizerType,
  limits: { timeoutMs: 180_000 },
  run: (ctx) => finalize(ctx, write),
})

type Write = (ctx: RoleContext, asked: ReturnType<typeof receiveInstruction>, ending: Ending) => Promise<Final>

/** Ends a review with the result of `write`, unless its retries are used up. */
export async function finalize(ctx: RoleContext<LastInstruction>, write: Write): Promise<Outcome<FinalAnswer>> {
  const instruction = receiveInstruction(ctx)
  noteErrors(ctx)
  const { ending } = ctx.input
  const { answer, trace } =
    ending === 'unanswered'
      ? notAnswered(ctx, rejections(ctx).at(-1) ?? 'no attempt was approved')
      : await write(ctx, instruction, ending)
  ctx.note('RESULT', 'Reasoning trace', { final_reasoning_trace: trace })
  reply(ctx, answer)
  return { answer, data: { finalAnswer: answer, finalReasoningTrace: trace } }
}

function notAnswered(ctx: RoleContext, why: string): Final {
  const reason = [...refusals(ctx), why].join(' ')
  ctx.emit({
    type: 'answer.composed',
    answer: NOT_ANSWERED,
    reasoningTrace: NOT_ANSWERED,
    by: 'fallback',
    isAnswered: false,
    unanswered: [ctx.request.question],
    reason,
    ...(isLimitReached(ctx.state) ? { notices: [limitNotice(retryLimit(ctx.state))] } : {}),
  })
  return { answer: NOT_ANSWERED, trace: NOT_ANSWERED }
}

function limitNotice(limit: number): Notice {
  return {
    code: 'limit_reached',
    params: { limit: 'maxRetries' },
    severity: 'warning',
    text: `The limit of ${limit} retries was reached.`,
  }
}

async function write(ctx: RoleContext, asked: ReturnType<typeof receiveInstruction>, ending: Ending): Promise<Final> {
  const approved = approvedResearch(ctx.state)
  const expert = expertOf(ctx)
  const { results, sections } = researchOf(ctx, approved)
  const own = expert === undefined ? [] : opinionResults(expert)
  const citable = citableResults([...results, ...own])
  const [opinion, reasoning] = own.map((part) => citable.texts.get(part.task) ?? part.answer)
  const input = {
    ...asked,
    found: [...sections],
    localeRule: localeProfile(ctx.request.locale).rule,
    ...omitUndefined({ answer: opinion, reasoning, ended: ending === 'approved' ? undefined : endReason(ctx) }),
  }
  const { value, reason } = await ctx.ask(reviewFinal, input, {
    problemWith: (written) => emptyAnswer(answerIn(written)),
    streamAnswer: (soFar) => numberedSoFar(answerIn(soFar), citable.sources),
  })
  const written = value ?? (ending === 'approved' ? opinion : undefined)
  if (written === undefined) return notAnswered(ctx, `The model did not return the final answer: ${reason}.`)
  const { unanswered } = splitOpenParts(written)
  const reasons =
    splitTag(written, REASONING_TRACE).tagged || reasoningTrace(ctx, dataOf(expertType, expert)?.expertReasoning)
  const { texts, cited, unknown } = mergeCitations(answerIn(written), reasons, citable.sources)
  const [answer, trace] = texts
  const citations = cited.map((source, i) => ({ n: i + 1, source, agent: citable.agentOf(source)!.agent }))
  const notes = [
    ...notesOn(ctx, results, citable),
    ...unknownRemarks({ unknown }),
    ...(reason === undefined ? [] : [`The model did not return the final answer, so the expert’s stands: ${reason}.`]),
  ]
  ctx.emit({
    type: 'answer.composed',
    answer,
    reasoningTrace: trace,
    by: 'model',
    isAnswered: ending === 'approved' || approved.length > 0,
    ...(citations.length === 0 ? {} : { citations }),
    ...(notes.length === 0 ? {} : { notes }),
    ...omitUndefined({
      unanswered,
      data: tableOfAnswer(ctx, { text: answer, cited, unknown }, results),
      confidence: ctx.state.plan?.confidence,
    }),
  })
  return { answer, trace }
}

/** The text outside the trace and the open parts. */
function answerIn(written: string): string {
  return splitOpenParts(splitTag(written, REASONING_TRACE).text).text
}

/** The expert's answer and reasoning as results, so that they cite by the ids of the research. */
function opinionResults(expert: JobState): readonly AgentResult[] {
  const { expertAnswer = '', expertReasoning = '' } = dataOf(expertType, expert) ?? {}
  const result = agentResult(expert.actor, expert.key, expert, false)
  return [
    { ...result, answer: expertAnswer },
    { ...result, task: `${expert.key}/reasoning`, answer: expertReasoning },
  ]
}

export function expertOf(ctx: RoleContext): JobState | undefined {
  const input = ctx.inputs().find(({ actor }) => actor === expertType.name)
  return input && ctx.state.jobs.get(input.key)
}

/** Notes for the reader, shown beside the answer. */
function notesOn({ state }: RoleContext, results: readonly AgentResult[], { sources }: CitableResults): string[] {
  return [
    ...new Set([
      // The expert has sources of its own, such as a computation.
      ...(sources.length > 0 ? [] : [NO_SOURCE]),
      ...results.flatMap(({ remarks = [] }) => remarks),
      ...(state.exhausted === undefined ? [] : [state.exhausted.message]),
    ]),
  ]
}

/** Each error with its component and kind. */
function noteErrors(ctx: RoleContext): void {
  for (const { key, actor, result } of ctx.state.jobs.values()) {
    if (result?.error === undefined) continue
    const { category, isRecoverable } = errorKind(result.error)
    ctx.note('ERROR', result.error.message, { component: actor, key, category, isRecoverable })
  }
}

/** Who failed at last. */
export function endReason({ state }: RoleContext): string | undefined {
  const failed = [...state.jobs.values()].findLast(({ result }) => result?.error !== undefined)
  return failed && `This could not be answered: ${failed.actor} failed. ${failed.result!.error!.message}`
}

/** Calls that a user refused, in any attempt; they are mentioned even if a critic's feedback hides them. */
function refusals({ state }: RoleContext): string[] {
  const refused = [...state.jobs.values()].flatMap(({ result }) =>
    isOfApproval(result?.error) ? [result!.error!.message] : [],
  )
  return [...new Set(refused)]
}

/** The work that each critic judges, as users call it. */
const WORK: Readonly<Record<string, string>> = {
  [criticTypes.critic_planner.name]: 'the plan',
  [criticTypes.critic_researcher.name]: 'the research',
  [criticTypes.critic_expert.name]: 'the answer',
}

function verdictOf(job: JobState): Verdict | undefined {
  const critic = Object.values(criticTypes).find(({ name }) => name === job.actor)
  return critic && dataOf(critic, job)
}

function rejections({ state }: RoleContext): string[] {
  return [...state.jobs.values()].flatMap((job) => {
    const verdict = verdictOf(job)
    if (verdict?.decision === 'reject') return [`The review did not accept ${WORK[job.actor]}: ${verdict.feedback}`]
    return job.result?.error?.message ?? []
  })
}

/** The approved steps in order, and the expert's reasoning. */
export function reasoningTrace({ state, request }: RoleContext, reasoning: string | undefined): string {
  const step = ({ task, actor, result }: JobState): string =>
    `${actor} on “${task?.text ?? request.question}”: ${result?.answer ?? result?.error?.message ?? 'a table'}`
  return [...approvedResearch(state).map(step), ...(reasoning ? [`Expert: ${reasoning}`] : [])].join('\n')
}
