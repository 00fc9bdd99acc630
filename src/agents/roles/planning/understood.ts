import { z } from 'zod'
import type { RoleContext } from '../../../core/actor.ts'
import type { Task, Understood } from '../../../core/plan.ts'
import type { RunRequest } from '../../../core/request.ts'
import { figuresIn } from '../../../language/figures/read.ts'
import { commonEvidence } from '../../answers/grounds.ts'
import { runRule } from '../../rules/run-rule.ts'
import type { Standing } from './follow-up.ts'
import { todayOf } from './team.ts'

/** What a planner's model is asked beside the plan. */
export const standalone = z
  .string()
  .default('')
  .describe(
    'only when the question cannot be understood without the conversation so far: the same question complete in itself, in its own language, with nothing added that was not said; else empty',
  )

/** The question beside the one before it, by rules. */
export async function standingIn({ request, recollection, now }: RoleContext): Promise<Standing> {
  const last = recollection.recent.findLast(({ role }) => role === 'user')
  const today = todayOf(request) ?? new Date(now()).toISOString().slice(0, 10)
  const { question } = request
  return (await runRule('standing', question, last?.understood ?? last?.text, today)) ?? { question }
}

/**
 * The question as a model has completed it; undefined where there is nothing that it could go on from, or a figure or a
 * name is in it that nobody has said. Days are the model's to work out, and whoever asked is told.
 */
export function completedBy(ctx: RoleContext, text: string): string | undefined {
  const { request, recollection } = ctx
  const said = text.trim()
  const isConversation = recollection.recent.length > 0 || recollection.summary !== undefined
  if (said === '' || !isConversation || said.toLowerCase() === request.question.trim().toLowerCase()) return undefined
  const known = commonEvidence(ctx, [])
  const invented = figuresIn(said).filter(
    (figure) => figure.kind !== 'date' && !/^(?:19|20)\d\d$/.test(figure.text) && known.find(figure) === undefined,
  )
  if (invented.length === 0) return said
  ctx.note('DECISION', 'The model completed the question with what nobody said; not taken', { completed: said })
  return undefined
}

/** Tasks without a text of their own are about the question as it was understood. */
export function about(question: string, request: RunRequest): (task: Task) => Task {
  return (task) => (task.text === undefined && question !== request.question ? { ...task, text: question } : task)
}

/** What a plan says of how the question was taken. */
export function understoodBy(
  { request }: RoleContext,
  question: string,
  { unclear }: Pick<Standing, 'unclear'>,
  parts: readonly string[] = [],
): { readonly understood?: Understood } {
  const isOwn = question === request.question
  const understood = {
    ...(isOwn ? {} : { question }),
    ...(parts.length === 0 ? {} : { parts }),
    ...(isOwn && unclear !== undefined ? { unclear } : {}),
  }
  return Object.keys(understood).length === 0 ? {} : { understood }
}
