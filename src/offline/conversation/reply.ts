import type { RoleContext } from '../../domain/actor.ts'
import { agentProblem } from '../../strategies/planning/usable-agents.ts'
import { replyToFollowUp } from '../planner/follow-up.ts'
import { replyToSmallTalk, type Connected } from './small-talk.ts'

export interface Reply {
  readonly text: string
  readonly isAnswered: boolean
  /** Topic of the example questions offered with the reply; by default the question itself. */
  readonly about?: string
  /** The question that may be meant. It is offered if it is understood. */
  readonly whole?: string | undefined
}

/** Replies without an agent to a follow-up or small talk. Returns undefined for a question. */
export async function replyTo(ctx: RoleContext): Promise<Reply | undefined> {
  const { question } = ctx.request
  const open = replyToFollowUp(ctx)
  if (open !== undefined) return open
  const text = replyToSmallTalk(question, () => connectedSources(ctx))
  return text === undefined ? undefined : { text: await text, isAnswered: true }
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
