import type { RoleContext } from '../../../core/actor.ts'
import type { Task, Understood } from '../../../core/plan.ts'
import type { RunRequest } from '../../../core/request.ts'
import { runRule } from '../../rules/run-rule.ts'
import type { Standing } from './follow-up.ts'
import { todayOf } from './team.ts'

/** The question beside the one before it, by rules. */
export async function standingIn({ request, recollection, now }: RoleContext): Promise<Standing> {
  const last = recollection.recent.findLast(({ role }) => role === 'user')
  const today = todayOf(request) ?? new Date(now()).toISOString().slice(0, 10)
  const { question } = request
  return (await runRule('standing', question, last?.understood ?? last?.text, today)) ?? { question }
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
