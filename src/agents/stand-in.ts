import {
  defineAgent,
  type ActorContext,
  type Agent,
  type AgentTask,
  type Planning,
  type Understood,
} from '../domain/actor.ts'
import type { Outcome } from '../domain/result.ts'

/** Answers in place of an agent if no model is configured. Attached in `app/`. */
export interface StandIn<Parts> {
  answer(task: AgentTask, ctx: ActorContext, parts: Parts): Promise<Outcome>
  /** Whether it can handle the request. Absent if only keywords can decide that. */
  understands?(text: string, ctx: ActorContext, parts: Parts): Promise<Understood | undefined>
  /** The connected sources, for a greeting. */
  offers?(ctx: ActorContext, parts: Parts): Promise<object>
}

/** The agent with its stand-in for runs without a model. @param partsFor creates the dependencies of the stand-in */
export function withStandIn<Parts>(
  agent: Agent,
  standIn: StandIn<Parts> | undefined,
  partsFor: (ctx: ActorContext) => Parts,
): Agent {
  if (standIn === undefined) return agent
  // Getters stay, such as that of `unavailable`, which is evaluated for each question.
  const descriptors = Object.getOwnPropertyDescriptors(agent)
  const { understands, offers } = standIn
  const planning: Planning = {
    ...agent.planning,
    ...(understands && { understands: (text, ctx) => understands(text, ctx, partsFor(ctx)) }),
    ...(offers && { offers: (ctx) => offers(ctx, partsFor(ctx)) }),
  }
  return defineAgent(
    Object.defineProperties({} as Agent, {
      ...descriptors,
      planning: { value: planning, enumerable: true },
      run: {
        value: (async (task, ctx) =>
          (await ctx.transcript.model()) === undefined
            ? standIn.answer(task, ctx, partsFor(ctx))
            : agent.run(task, ctx)) satisfies Agent['run'],
        enumerable: true,
      },
    }),
  )
}
