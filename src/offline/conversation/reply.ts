import type { RoleContext } from '../../domain/actor.ts'
import { agentProblem } from '../../strategies/planning/usable-agents.ts'
import { replyToFollowUp } from '../planner/follow-up.ts'
import { replyToSmallTalk, type Connected } from './small-talk.ts'

/**
 * Replies without an agent to a follow-up or small talk. Returns undefined for a question.
 * @returns `about` and `whole`: the topic of the example questions to offer, and the question that may be meant
 */
export async function replyTo(ctx: RoleContext) {
  const open = replyToFollowUp(ctx)
  if (open !== undefined) return open
  const text = await replyToSmallTalk(ctx.request.question, () => connectedSources(ctx))
  return text === undefined ? undefined : { text, isAnswered: true, about: undefined, whole: undefined }
}

/** The connected sources of the agents that can work. */
export async function connectedSources(ctx: RoleContext): Promise<Connected> {
  const agents = ctx.agents.filter(
    (agent) => agentProblem(agent, ctx) === undefined && !ctx.request.disableAgents.includes(agent.name),
  )
  const all = await Promise.all(agents.map(async ({ planning }) => (await planning?.offers?.(ctx)) ?? {}))
  const offers = all as readonly Partial<Connected>[]
  return {
    databases: offers.flatMap(({ databases = [] }) => databases),
    documents: offers.flatMap(({ documents = [] }) => documents),
    apis: offers.flatMap(({ apis = [] }) => apis),
    mailboxes: offers.flatMap(({ mailboxes = [] }) => mailboxes),
    today: String(ctx.request.context['current_date']),
    agents: agents.flatMap(({ name, planning }) => (planning?.rank === undefined ? [name] : [])),
  }
}
