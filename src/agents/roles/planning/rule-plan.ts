import type { Agent } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { runRule } from '../../rules/run-rule.ts'
import { defaultAgent, type Team } from './choose.ts'
import { HEURISTIC_CONFIDENCE, type Understanding } from './plan-by-rules.ts'

/** `planInThread`; when it takes too long, the whole question goes to the default agent. */
export async function rulePlan(question: string, team: Team, today: string | undefined): Promise<Understanding> {
  return (await planInThread(question, team, today)) ?? wholePlan(team)
}

/** `planByRules` off the event loop; undefined when it takes too long. */
export function planInThread(
  question: string,
  team: Team,
  today: string | undefined,
): Promise<Understanding | undefined> {
  const { agents, known, ...rest } = team
  // One copy of each agent in both lists, which the rules compare by identity.
  const copies = new Map([...agents, ...(known ?? [])].map((agent) => [agent, asData(agent)]))
  const copied = (list: readonly Agent[]): Agent[] => list.map((agent) => copies.get(agent)!)
  const data = { ...rest, agents: copied(agents), ...given({ known: known && copied(known) }) }
  return runRule('plan', question, data, today)
}

function wholePlan(team: Team): Understanding {
  const agent = defaultAgent(team)
  const tasks =
    agent === undefined ? [] : [{ id: agent.name.replaceAll(/[^\w-]/g, '_'), agent: agent.name, dependsOn: [] }]
  const rationale = 'The rules could not read the question in time.'
  return { intent: 'answer', entities: {}, tasks, rationale, confidence: HEURISTIC_CONFIDENCE }
}

/** What rules read of an agent's declaration, without its functions and schemas, which no thread can be sent. */
function asData(agent: Agent): Agent {
  const { name, description, label, capabilities, useCases, keywords, requiredContext, unavailable, lacking } = agent
  const { knows: _knows, topics: _topics, ...planning } = agent.planning ?? {}
  const tools = agent.tools?.map(({ name: tool, description: says, effect }) => ({
    name: tool,
    description: says,
    effect,
  }))
  const optional = given({ label, requiredContext, unavailable, lacking, tools })
  return { name, description, capabilities, useCases, keywords, planning, ...optional } as unknown as Agent
}
