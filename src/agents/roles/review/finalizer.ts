import { dataOf, defineRole, type Role, type RoleContext } from '../../../core/actor.ts'
import { isOfApproval } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { agentResultsOf } from '../../../core/response.ts'
import type { JobState } from '../../../core/state.ts'
import { kindOf } from '../../../strategies/review/errors.ts'
import { approvedResearch } from '../../../strategies/review/review.ts'
import { criticTypes, expertType, finalizerType, NOT_ANSWERED } from '../../../strategies/review/types.ts'
import { answerFrom } from '../composer.ts'
import { ownFinding, reply, told } from './actors.ts'

/**
 * The final answer and the final reasoning trace (SPEC C6). The composer words it from what was approved and goes by the
 * expert's answer; the trace is read off the log. A question whose retries are used up has neither (SPEC C3).
 */
export const finalizerRole: Role = defineRole({
  ...finalizerType,
  limits: { timeoutMs: 180_000 },
  async run(ctx) {
    told(ctx)
    noteErrors(ctx)
    const { ending } = ctx.input
    if (ending === 'unanswered') {
      const reason = [...refusals(ctx), rejections(ctx).at(-1) ?? 'no attempt was approved'].join(' ')
      ctx.emit({ type: 'answer.composed', answer: NOT_ANSWERED, by: 'fallback', isAnswered: false, reason })
      reply(ctx, NOT_ANSWERED)
      return { answer: NOT_ANSWERED, data: { finalAnswer: NOT_ANSWERED, finalReasoningTrace: NOT_ANSWERED } }
    }
    const approved = new Set(approvedResearch(ctx.state).map(({ task }) => task!.id))
    const results = agentResultsOf(ctx.state).filter(({ task, status }) => approved.has(task) || status !== 'succeeded')
    const input = ctx.inputs().find(({ actor }) => actor === expertType.name)
    const expert = input && ctx.state.jobs.get(input.key)
    const opinion = dataOf(expertType, expert)
    const found = expert === undefined ? [] : ownFinding(expert)
    const stopped = ending === 'error' && results.length === 0 ? endedBy(ctx) : undefined
    const finalAnswer = await answerFrom(ctx, [...results, ...found], given({ draft: opinion?.expertAnswer, stopped }))
    const finalReasoningTrace = traceOf(ctx, opinion?.expertReasoning)
    ctx.note('RESULT', 'Reasoning trace', { final_reasoning_trace: finalReasoningTrace })
    reply(ctx, finalAnswer)
    return { answer: finalAnswer, data: { finalAnswer, finalReasoningTrace } }
  },
})

/** Each error with its component and kind (SPEC C7). */
function noteErrors(ctx: RoleContext): void {
  for (const { key, actor, result } of ctx.state.jobs.values()) {
    if (result?.error === undefined) continue
    const { trouble, isRecoverable } = kindOf(result.error)
    ctx.note('ERROR', result.error.message, { component: actor, key, category: trouble, isRecoverable })
  }
}

/** Who failed, where no agent did and nothing was approved: there is no result that says it. */
function endedBy({ state }: RoleContext): string | undefined {
  const failed = [...state.jobs.values()].findLast(({ result }) => result?.error !== undefined)
  return failed && `This could not be answered: ${failed.actor} failed. ${failed.result!.error!.message}`
}

/** Which calls a person refused, in whatever attempt: that is not for a critic's words to hide. */
function refusals({ state }: RoleContext): string[] {
  const refused = [...state.jobs.values()].flatMap(({ result }) =>
    isOfApproval(result?.error) ? [result!.error!.message] : [],
  )
  return [...new Set(refused)]
}

function rejections({ state }: RoleContext): string[] {
  return [...state.jobs.values()].flatMap((job) => {
    const critic = Object.values(criticTypes).find(({ name }) => name === job.actor)
    const verdict = critic && dataOf(critic, job)
    if (verdict?.decision === 'reject')
      return [`${job.actor} rejected ${job.dependsOn?.join(', ') ?? ''}: ${verdict.feedback}`]
    return job.result?.error === undefined ? [] : [`${job.actor} failed: ${job.result.error.message}`]
  })
}

/** What was approved, in its order, and how the expert reasoned from it. */
function traceOf({ state, request }: RoleContext, reasoning: string | undefined): string {
  const step = ({ task, actor, result }: JobState): string =>
    `${actor} on “${task?.text ?? request.question}”: ${result?.answer ?? result?.error?.message ?? 'a table'}`
  return [...approvedResearch(state).map(step), ...(reasoning === undefined ? [] : [`Expert: ${reasoning}`])].join('\n')
}
