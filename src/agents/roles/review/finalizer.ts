import { dataOf, defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { isOfApproval } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { localeProfile } from '../../../core/locale.ts'
import { agentResult, agentResultsOf, type AgentResult } from '../../../core/response.ts'
import type { JobState } from '../../../core/state.ts'
import { numberedSoFar } from '../../../grounding/citations.ts'
import { kindOf } from '../../../strategies/review/errors.ts'
import { approvedResearch } from '../../../strategies/review/review.ts'
import { criticTypes, expertType, finalizerType, NOT_ANSWERED, type Ending } from '../../../strategies/review/types.ts'
import { unknownRemarks } from '../../../tool-loop/outcome.ts'
import { citableResults } from '../citable-results.ts'
import { answerFrom, tableOf } from '../composer.ts'
import { hasModel } from '../has-model.ts'
import { splitEnd } from '../tagged-end.ts'
import { numberTogether, reply, researchOf, told } from './actors.ts'
import { REASONING_TRACE, reviewFinal } from './prompts.ts'

interface Final {
  readonly answer: string
  readonly trace: string
}

/**
 * The final answer and the final reasoning trace (SPEC C6), written by one call. A question whose retries are used up has neither
 * (SPEC C3). Without a model the agents' answers stand, and the trace is read off the log.
 */
export const finalizerRole: Role = defineRole({
  ...finalizerType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    const asked = told(ctx)
    noteErrors(ctx)
    const { ending } = ctx.input
    const { answer, trace } =
      ending === 'unanswered'
        ? notAnswered(ctx, rejections(ctx).at(-1) ?? 'no attempt was approved')
        : (await hasModel(ctx))
          ? await write(ctx, asked, ending)
          : await writeOffline(ctx, ending)
    ctx.note('RESULT', 'Reasoning trace', { final_reasoning_trace: trace })
    reply(ctx, answer)
    return { answer, data: { finalAnswer: answer, finalReasoningTrace: trace } }
  },
})

function notAnswered(ctx: RoleContext, why: string): Final {
  const reason = [...refusals(ctx), why].join(' ')
  ctx.emit({
    type: 'answer.composed',
    answer: NOT_ANSWERED,
    reasoningTrace: NOT_ANSWERED,
    by: 'fallback',
    isAnswered: false,
    reason,
  })
  return { answer: NOT_ANSWERED, trace: NOT_ANSWERED }
}

async function write(ctx: RoleContext, asked: ReturnType<typeof told>, ending: Ending): Promise<Final> {
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
    ...given({ answer: opinion, reasoning, ended: ending === 'approved' ? undefined : endReason(ctx) }),
  }
  const { value, by, reason } = await ctx.ask(reviewFinal, input, {
    streamAnswer: (soFar) => numberedSoFar(splitEnd(soFar, REASONING_TRACE).text, citable.sources),
  })
  if (by === 'fallback') return notAnswered(ctx, `The model did not return the final answer: ${reason}.`)
  const { text, end = traceOf(ctx, dataOf(expertType, expert)?.expertReasoning) } = splitEnd(value, REASONING_TRACE)
  const { texts, cited, unknown } = numberTogether(text, end, citable.sources)
  const [answer, trace] = texts
  const citations = cited.map((source, i) => ({ n: i + 1, source, agent: citable.agentOf(source)!.agent }))
  const notes = [...notesOn(ctx, results), ...unknownRemarks({ unknown })]
  ctx.emit({
    type: 'answer.composed',
    answer,
    reasoningTrace: trace,
    by: 'model',
    isAnswered: ending === 'approved' || approved.length > 0,
    ...(citations.length === 0 ? {} : { citations }),
    ...(notes.length === 0 ? {} : { notes }),
    ...given({ data: tableOf({ cited, unknown }, citable, results), confidence: ctx.state.plan?.confidence }),
  })
  return { answer, trace }
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

async function writeOffline(ctx: RoleContext, ending: Ending): Promise<Final> {
  const approved = new Set(approvedResearch(ctx.state).map(({ task }) => task!.id))
  const results = agentResultsOf(ctx.state).filter(({ task, status }) => approved.has(task) || status !== 'succeeded')
  const stopped = ending === 'error' && results.length === 0 ? endReason(ctx) : undefined
  const trace = traceOf(ctx, dataOf(expertType, expertOf(ctx))?.expertReasoning)
  return { answer: await answerFrom(ctx, results, given({ stopped, reasoningTrace: trace })), trace }
}

function expertOf(ctx: RoleContext): JobState | undefined {
  const input = ctx.inputs().find(({ actor }) => actor === expertType.name)
  return input && ctx.state.jobs.get(input.key)
}

/** What a reader should know beside the answer. */
function notesOn({ state }: RoleContext, results: readonly AgentResult[]): string[] {
  const hasSources = results.some(({ sources }) => sources.length > 0)
  return [
    ...new Set([
      ...(hasSources ? [] : ['No source was used for this answer.']),
      ...results.flatMap(({ remarks = [] }) => remarks),
      ...(state.exhausted === undefined ? [] : [state.exhausted.message]),
    ]),
  ]
}

/** Each error with its component and kind (SPEC C7). */
function noteErrors(ctx: RoleContext): void {
  for (const { key, actor, result } of ctx.state.jobs.values()) {
    if (result?.error === undefined) continue
    const { trouble, isRecoverable } = kindOf(result.error)
    ctx.note('ERROR', result.error.message, { component: actor, key, category: trouble, isRecoverable })
  }
}

/** Who failed at last. */
function endReason({ state }: RoleContext): string | undefined {
  const failed = [...state.jobs.values()].findLast(({ result }) => result?.error !== undefined)
  return failed && `This could not be answered: ${failed.actor} failed. ${failed.result!.error!.message}`
}

/** Calls that a person refused, in whatever attempt: that is not for a critic's words to hide. */
function refusals({ state }: RoleContext): string[] {
  const refused = [...state.jobs.values()].flatMap(({ result }) =>
    isOfApproval(result?.error) ? [result!.error!.message] : [],
  )
  return [...new Set(refused)]
}

/** What each critic judges, as users call it. */
const WORK: Readonly<Record<string, string>> = {
  [criticTypes.critic_planner.name]: 'the plan',
  [criticTypes.critic_researcher.name]: 'the research',
  [criticTypes.critic_expert.name]: 'the answer',
}

function rejections({ state }: RoleContext): string[] {
  return [...state.jobs.values()].flatMap((job) => {
    const critic = Object.values(criticTypes).find(({ name }) => name === job.actor)
    const verdict = critic && dataOf(critic, job)
    if (verdict?.decision === 'reject') return [`The review did not accept ${WORK[job.actor]}: ${verdict.feedback}`]
    return job.result?.error?.message ?? []
  })
}

/** What was approved, in its order, and how the expert reasoned from it. */
function traceOf({ state, request }: RoleContext, reasoning: string | undefined): string {
  const step = ({ task, actor, result }: JobState): string =>
    `${actor} on “${task?.text ?? request.question}”: ${result?.answer ?? result?.error?.message ?? 'a table'}`
  return [...approvedResearch(state).map(step), ...(reasoning ? [`Expert: ${reasoning}`] : [])].join('\n')
}
