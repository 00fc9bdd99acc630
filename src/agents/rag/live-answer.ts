import type { ActorContext, AgentTask } from '../../core/actor.ts'
import type { AgentResult } from '../../core/response.ts'
import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import { AnswerCheck } from '../answers/answer-check.ts'
import { numberSources } from '../answers/citing.ts'
import { commonEvidence, groundsIn } from '../answers/grounds.ts'
import { citedSources } from '../citations.ts'
import { sourceOf } from './outcomes.ts'

/**
 * Makes a check of what a model writes from passages, for those that it cites. The composer holds the whole against the same
 * grounds.
 * @param found what the search gave back
 */
export function passageCheck(
  task: AgentTask,
  ctx: ActorContext,
  found: unknown,
): (cited: readonly HitInContext[]) => AnswerCheck {
  const common = commonEvidence(ctx, task.instructions ?? [])
  const outputs = new Map([[task.id, [{ value: found }]]])
  return (cited) => {
    const about = { task: task.id, agent: ctx.job.actor, status: 'succeeded', models: [''] } as const
    const result: AgentResult = { ...about, sources: cited.map((hit) => sourceOf(hit)) }
    return new AnswerCheck(groundsIn(common, outputs, [result], numberSources([result]).citations, ctx.request.locale))
  }
}

/**
 * What can be shown of an answer from passages while it is being written: the sentences that its passages stand for, with the
 * numbers that the sources have in the end.
 */
export function liveAnswer(
  hits: readonly HitInContext[],
  checkFor: ReturnType<typeof passageCheck>,
): (soFar: string) => string {
  let known = ''
  let check: AnswerCheck | undefined
  let shown = ''
  return (soFar) => {
    const { answer, sources } = citedSources(soFar, hits)
    const cited = sources.map(({ chunk }) => `${chunk.chunkId}-${chunk.start}`).join(' ')
    if (cited !== known || check === undefined) check = checkFor(sources)
    known = cited
    const released = check.release(answer)
    // A source that is cited later may change the marks before; what is shown cannot be taken back.
    if (released.startsWith(shown)) shown = released
    return shown
  }
}
