import type { Agent, RoleContext } from '../../domain/actor.ts'
import { onOneLine } from '../../domain/prompt-text.ts'
import { knownAgentName } from '../../domain/request.ts'
import { truncate } from '../../shared/json.ts'
import { urlsIn } from '../../shared/urls.ts'

/** Maximum characters of one agent's summary of its sources: some 500 tokens. */
const MAX_HOLDS = 2_000
const MAX_TOOLS = 30
const MAX_TOOL_DESCRIPTION = 120

/** The agents offered to the model of a planner or supervisor. */
export interface OfferedAgents {
  /** Agents that can work; preferred ones and those with keywords in the question first. */
  readonly agents: readonly Agent[]
  /** Their declarations, with summaries of their sources. */
  readonly text: string
  /** `name: reason` of the enabled agents that cannot work, so that the plan can name missing parts. */
  readonly unusable: readonly string[]
}

/** Every agent that can work on the request. Scores only order them. */
export async function offerAgents(ctx: RoleContext): Promise<OfferedAgents> {
  const { request } = ctx
  const enabled = ctx.agents.filter(({ name }) => !request.disableAgents.includes(name))
  const usable = enabled.filter((agent) => agentProblem(agent, ctx) === undefined)
  const agents = ordered(usable, ctx)
  const texts = await Promise.all(agents.map(async (agent) => describe(agent, await contentsOf(agent, ctx))))
  return {
    agents,
    text: texts.join('\n'),
    unusable: enabled.flatMap((agent) => {
      const problem = agentProblem(agent, ctx)
      return problem === undefined ? [] : [`${agent.name}: ${problem}`]
    }),
  }
}

/**
 * Agents to use if the planner's model fails: those whose keywords occur in the question, otherwise the default agent;
 * preferred ones first.
 */
export function heuristicList(agents: readonly Agent[], { request }: Pick<RoleContext, 'request'>): string[] {
  const { question, preferAgents } = request
  const isChosen = (agent: Agent): boolean => preferAgents.includes(agent.name) || keywordScore(agent, question) > 0
  const chosen = agents.filter(isChosen)
  const defaults = agents.filter(({ planning }) => planning?.isDefault === true)
  return (chosen.length > 0 ? chosen : defaults).map(({ name }) => name)
}

/** The offered agent that a model's text names, in any case or by an alias; undefined for unknown and disabled ones. */
export function agentNamed(name: string, agents: readonly Agent[]): Agent | undefined {
  const known = knownAgentName(name, new Set(agents.map((agent) => agent.name)))
  return agents.find((agent) => agent.name === known)
}

/** Why an agent cannot work on the request; undefined if it can. */
export function agentProblem(agent: Agent, { request }: RoleContext): string | undefined {
  const { question, context, attached = [] } = request
  // Some agents can work on a file or web address in the question even if they are unavailable otherwise.
  const isGiven = attached.length > 0 || urlsIn(question).length > 0
  if (agent.unavailable !== undefined && !(isGiven && agent.worksAnyway !== undefined)) return agent.unavailable
  const missing = missingContext(agent, context)
  return missing.length === 0 ? undefined : `The request lacks the context ${missing.join(', ')}.`
}

function ordered(agents: readonly Agent[], { request: { preferAgents, question } }: RoleContext): readonly Agent[] {
  const place = ({ name }: Agent): number => (preferAgents.includes(name) ? preferAgents.indexOf(name) : Infinity)
  const scores = new Map(agents.map((agent) => [agent, keywordScore(agent, question)]))
  return agents.toSorted((a, b) => Math.sign(place(a) - place(b)) || scores.get(b)! - scores.get(a)!)
}

/** How many keywords of the agent occur in the question. */
export function keywordScore({ keywords }: Agent, question: string): number {
  const text = question.toLowerCase()
  return keywords.filter((keyword) => text.includes(keyword.toLowerCase())).length
}

/** If a source cannot be read at the moment, the question is planned without its summary. */
async function contentsOf(agent: Agent, ctx: RoleContext): Promise<string> {
  return truncate((await agent.holds?.(ctx).catch(() => '')) ?? '', MAX_HOLDS)
}

function describe(agent: Agent, contents: string): string {
  const { name, description, useCases, tools = [], typicalLatencyMs } = agent
  const shown = tools.slice(0, MAX_TOOLS).map((tool) => {
    const effect = tool.effect === 'read' ? '' : ` (${tool.effect})`
    return `${tool.name}${effect}: ${truncate(onOneLine(tool.description), MAX_TOOL_DESCRIPTION)}`
  })
  const suffix = tools.length > shown.length ? [`${tools.length - shown.length} more`] : []
  const lines = [
    ...(useCases.length === 0 ? [] : [`Good for: ${useCases.join('; ')}`]),
    ...(tools.length === 0 ? [] : [`Tools: ${[...shown, ...suffix].join(' | ')}`]),
    ...(contents === '' ? [] : [`Holds: ${contents.trim().replaceAll('\n', '\n    ')}`]),
    ...(typicalLatencyMs === undefined ? [] : [`Takes about ${typicalLatencyMs / 1_000} s.`]),
  ]
  return [`- ${name}: ${onOneLine(description)}`, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** The summary of an agent's sources in the text of `offerAgents`; empty if it has none. */
export function contentsIn(text: string, agent: string): string {
  const own = `\n${text}`.split('\n- ').find((one) => one.startsWith(`${agent}: `)) ?? ''
  const [, contents = ''] = /\n  Holds: (.*(?:\n    .*)*)/.exec(own) ?? []
  return contents.replaceAll('\n    ', '\n')
}

/** Context keys that an agent needs and the request does not have. A key may offer alternatives: `base_url|api_base_url`. */
function missingContext(agent: Agent, context: Readonly<Record<string, unknown>>): string[] {
  return (agent.requiredContext ?? []).filter((entry) => !entry.split('|').some((key) => context[key] !== undefined))
}
