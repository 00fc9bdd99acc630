import type { ActorContext, Agent, AgentTask } from '../../domain/actor.ts'
import { isObject } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { findSkillsTool, type GivenSkill, type SkillIndex } from '../../memory/skills/tools.ts'
import { workerContext } from './context.ts'
import { reflect } from './reflect.ts'
import { watch } from './watch.ts'

/**
 * Wraps an agent in middleware, for every strategy: it gets examples and further context, does its task, and its result
 * is reviewed. The agent itself does not notice.
 * @param supervised settings in the strategy `supervisor` with a model
 */
export function withAgentMiddleware(
  agent: Agent,
  settings: WorkerSettings,
  skillIndex: SkillIndex,
  supervised: WorkerSettings = settings,
): Agent {
  if (![settings, supervised].some(({ reflection, context, skills }) => reflection !== 'off' || context || skills))
    return agent
  const find = findSkillsTool(skillIndex)
  const examples = async (task: AgentTask, { request, owner, call }: ActorContext): Promise<readonly GivenSkill[]> => {
    // An example may have misled the first attempt.
    if (task.feedback !== undefined) return []
    // A failed search for examples is in the trace and does not fail the task.
    return call(find, { owner, agent: agent.name, task: task.text || request.question }).catch(() => [])
  }
  const run = async (task: AgentTask, ctx: ActorContext): Promise<Outcome> => {
    const { reflection, context, skills } = (await isSupervised(ctx)) ? supervised : settings
    const learns = skills && ctx.request.memory !== false
    const skillExamples = learns ? await examples(task, ctx) : []
    const work = watch(ctx, workerContext(task, ctx, context, skillExamples), reflection !== 'off')
    const result: unknown = await agent.run(task, work.ctx)
    if (!isObject(result)) return result as Outcome
    const outcome: Outcome = learns ? { ...result, skills: skillExamples.map(({ skillId }) => skillId) } : result
    const isJudged = reflection !== 'off' && (outcome.status ?? 'succeeded') === 'succeeded'
    return isJudged ? reflect({ ctx, agent, task, work }, outcome) : outcome
  }
  // Getters are kept, because an agent's description may change while it works.
  const properties = { ...Object.getOwnPropertyDescriptors(agent), run: { value: run, enumerable: true } }
  return Object.freeze(Object.defineProperties({}, properties) as Agent)
}

async function isSupervised({ request, transcript }: ActorContext): Promise<boolean> {
  return request.strategy === 'supervisor' && (await transcript.model()) !== undefined
}

/** Middleware settings of an agent, for every strategy. */
export interface WorkerSettings {
  /** Review of results: none, or by a model. */
  readonly reflection: 'off' | 'model'
  /** Whether the agent receives the run's large values and the latest messages. */
  readonly context: boolean
  /** Whether the agent receives examples of earlier tasks, and whether new ones are learnt. */
  readonly skills: boolean
}
