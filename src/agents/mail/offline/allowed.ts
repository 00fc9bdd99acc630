import type { ActorContext, AgentTask } from '../../../core/actor.ts'

/** Declines when the plan leaves this tool out. */
export function assertAllowed(tool: { readonly name: string }, { tools }: AgentTask, ctx: ActorContext): void {
  if (tools !== undefined && !tools.includes(tool.name)) {
    ctx.decline(`The plan does not allow "${tool.name}" on the mailbox.`)
  }
}
