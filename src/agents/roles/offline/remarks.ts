import type { RoleContext } from '../../../core/actor.ts'
import type { AgentResult } from '../../../core/response.ts'
import type { RunState } from '../../../core/state.ts'
import { isSource } from '../planning/choose.ts'
import { asksForFigure } from '../planning/references.ts'

/** How a question was taken that does not say all by itself. */
export function understoodAs({ plan }: RunState): string[] {
  const { question, parts = [] } = plan?.understood ?? {}
  const said = question === undefined ? parts : [question]
  return said.length === 0 ? [] : [`Understood as: ${said.map((text) => `“${text}”`).join(' and ')}.`]
}

/** What was set up and could not be asked: an answer from the others must not pass for one from all. */
export function remarksOn(ctx: RoleContext, results: readonly AgentResult[]): string[] {
  const { agents, request } = ctx
  const used = agents.filter(({ name }) => results.some((result) => result.agent === name))
  const enabled = agents.filter(({ name }) => !request.disableAgents.includes(name))
  const lacking = used.some(isSource) ? enabled.flatMap((agent) => agent.lacking ?? []) : []
  return [...new Set([...standIns(ctx, results), ...lacking, ...results.flatMap(({ remarks = [] }) => remarks)])]
}

/** “How many days may be carried over?”: no figure of what there is. */
const IS_RULE = /\b(?:may|must|should|shall|allowed|permitted|required)\b/i

/** A figure that the database was asked for and did not know is not the same when a document says it. */
function standIns({ agents, state, request }: RoleContext, results: readonly AgentResult[]): string[] {
  const tasks = state.plan?.plan.tasks ?? []
  return results.flatMap(({ agent, task, error }) => {
    const asked = agents.find(({ name }) => name === agent)
    const text = tasks.find(({ id }) => id === task)?.text
    if (error?.type !== 'PlanningDeclined' || asked?.planning?.isDefault !== true) return []
    const question = text ?? request.question
    if (!asksForFigure(question) || IS_RULE.test(question)) return []
    const isQuoted = results.some(
      (other) =>
        other.status === 'succeeded' &&
        tasks.find(({ id }) => id === other.task)?.text === text &&
        other.sources.length > 0 &&
        other.sources.every(({ kind }) => kind === 'document' || kind === 'mail' || kind === 'web'),
    )
    return isQuoted ? [`This is what is written there; ${asked.label ?? asked.name} has no answer to it.`] : []
  })
}
