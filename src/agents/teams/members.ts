import { contextLines } from '../../domain/context.ts'
import { NO_MODEL } from '../../domain/model.ts'
import { omitUndefined } from '../../shared/json.ts'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { nearest } from '../../shared/nearest.ts'
import { TEAM_TOOL, type Team, type TeamMember } from '../../domain/team.ts'
import { toolAgent, type ToolAgentOptions } from '../tool-agent/tool-agent.ts'
import { openTools, type KnownTool } from '../tool-agent/tools.ts'
import { fixedCall } from './fixed-call.ts'
import type { Outcome } from '../../domain/result.ts'
import { numberCitations } from '../../grounding/citations.ts'
import { delegatedResult } from '../../tool-loop/delegation.ts'
import { callsMadeSection, questionSection } from '../../tool-loop/messages.ts'
import { emptyAnswer, splitOpenParts } from '../../strategies/planning/composer-prompt.ts'
import { writeReport } from './prompts.ts'

/** Longer than any member takes; how long a run may take is its budget's. */
export const TEAM_TIMEOUT_MS = 600_000

/** The parts of an installation that teams can use. */
export interface AvailableParts {
  /** Without teams. */
  readonly agents: readonly Agent[]
  readonly tools: ReadonlyMap<string, KnownTool>
  /** The teams that may be members, as agents. */
  readonly teams: readonly Agent[]
  /** Names that no member may have. */
  readonly reserved: readonly string[]
  /** Wraps an agent in the configured middleware; agents of the installation are wrapped already. */
  readonly withMiddleware: (agent: Agent) => Agent
  readonly offline?: ToolAgentOptions['offline']
}

/**
 * The members of a team as agents, each with its own tools only. A member whose tools no longer exist, or belong to
 * excluded agents, reports that when it is asked.
 */
export function membersOf(
  { agents, supervisor }: Team,
  available: AvailableParts,
  excluded: readonly string[] = [],
): readonly Agent[] {
  const { withMiddleware } = available
  return agents.map(memberAs)

  function memberAs(member: TeamMember): Agent {
    const { name, purpose, tools, after } = member
    const own = { name, description: purpose, keywords: [], useCases: [], capabilities: [purpose] }
    const planning = after.length > 0 ? { worksOnResults: true } : {}
    const lack = memberProblem(member, available) ?? exclusionProblem(member, available, excluded)
    if (lack !== undefined) return defineAgent({ ...own, unavailable: lack, run: async () => ({}) })
    const usedTeam = available.teams.find((team) => tools.includes(`${TEAM_TOOL}${team.name}`))
    if (usedTeam !== undefined) return defineAgent({ ...usedTeam, ...own, planning: {} })
    const { call } = member
    const known = (call === undefined ? tools : [call.tool]).map((tool) => available.tools.get(tool)!)
    const limits = { timeoutMs: TEAM_TIMEOUT_MS, retries: 1 }
    if (call !== undefined) {
      const run = (task: AgentTask, ctx: ActorContext) => fixedCall(call, openTools(known, task, ctx)[0]!, ctx)
      return withMiddleware(defineAgent({ ...own, planning, limits, tools: known.map(({ info }) => info), run }))
    }
    if (tools.length === 0) {
      const run = (task: AgentTask, ctx: ActorContext) => write(task, ctx)
      return withMiddleware(defineAgent({ ...own, planning: { worksOnResults: true }, limits, run }))
    }
    const owner = ownerOf(tools, available)
    if (owner !== undefined) return restrictTools(member, owner, { ...owner, ...own, planning })
    const instructions = [`You are “${name}”: ${purpose}`, supervisor].filter(Boolean).join('\n')
    return withMiddleware(
      toolAgent({ ...own, instructions, planning, openTools: async () => known, offline: available.offline }),
    )
  }
}

/** The agent that owns all of these tools and knows how to work with them. */
function ownerOf(tools: readonly string[], { agents }: Pick<AvailableParts, 'agents'>): Agent | undefined {
  return agents.find(({ tools: its = [] }) => tools.every((tool) => its.some(({ name }) => name === tool)))
}

/** The owner of the tools, restricted to those that the team gives this member. */
function restrictTools({ name, tools }: TeamMember, owner: Agent, agent: Agent): Agent {
  const its = owner.tools ?? []
  const refuse = (tool: string): void => {
    if (tools.includes(tool) || !its.some((one) => one.name === tool)) return
    throw new TuttiError('ToolError', `The team gives “${name}” no tool "${tool}".`)
  }
  return defineAgent({
    ...agent,
    tools: its.filter((tool) => tools.includes(tool.name)),
    run: (task, ctx) =>
      owner.run(
        { ...task, tools },
        Object.create(ctx, {
          call: { value: (async (tool, input) => (refuse(tool.name), ctx.call(tool, input))) as ActorContext['call'] },
        }) as ActorContext,
      ),
  })
}

/** Why a member cannot work here; undefined when it can. */
export function memberProblem(
  { name, tools }: TeamMember,
  { agents, teams, tools: there }: AvailableParts,
): string | undefined {
  const missing = tools.find((tool) =>
    tool.startsWith(TEAM_TOOL) ? !teams.some((team) => `${TEAM_TOOL}${team.name}` === tool) : !there.has(tool),
  )
  if (missing !== undefined) {
    const near = nearest(missing, [...there.keys(), ...teams.map((team) => `${TEAM_TOOL}${team.name}`)])
    const missingText = `“${name}” needs "${missing}", which this installation does not have.`
    return near === undefined ? missingText : [missingText, `The nearest name is "${near}".`].join(' ')
  }
  return tools
    .flatMap((tool) => unavailableTool(tool, agents) ?? [])
    .map((why) => `“${name}” cannot be given ${why}`)[0]
}

/** The problem of an existing tool whose agent is unavailable. */
function unavailableTool(tool: string, agents: readonly Agent[]): string | undefined {
  const unable = agents.find(
    ({ unavailable, tools: its = [] }) => unavailable !== undefined && its.some(({ name }) => name === tool),
  )
  return unable && `"${tool}": ${unable.unavailable}`
}

/** Whether no member can use the tool. */
export function isUnusable(known: KnownTool, { agents }: Pick<AvailableParts, 'agents'>): boolean {
  return (
    ('disabledReason' in known && known.disabledReason !== undefined) ||
    unavailableTool(known.info.name, agents) !== undefined
  )
}

/** Why a member cannot work on a question that leaves out some agents or teams. */
function exclusionProblem(
  { name, tools }: TeamMember,
  { agents, teams }: AvailableParts,
  excluded: readonly string[],
): string | undefined {
  const isOf = (agent: Agent, tool: string): boolean =>
    tool === `${TEAM_TOOL}${agent.name}` || (agent.tools ?? []).some((its) => its.name === tool)
  const excludedAgents = [...agents, ...teams].filter((agent) => excluded.includes(agent.name))
  const agent = excludedAgents.find((one) => tools.some((tool) => isOf(one, tool)))
  return agent && `“${name}” works with "${agent.name}", which this question leaves out.`
}

/**
 * The member that writes a text from the others' findings; if its model fails, the findings themselves are the text.
 */
async function write(task: AgentTask, ctx: ActorContext): Promise<Outcome> {
  const inputs = task.inputs()
  if (!inputs.some(({ result }) => result.status === 'succeeded'))
    return ctx.decline('Nothing was found that could be written about.')
  const plain = inputs.flatMap(({ result }) => result.answer ?? []).join('\n\n')
  const tabular = inputs.find(({ result }) => result.tabular !== undefined)?.result.tabular
  const findings = inputs.map((input) => delegatedResult([input], false)!)
  const sources = findings.flatMap((finding) => finding.sources ?? [])
  const { value, reason } = await ctx.ask(
    writeReport,
    {
      task: task.text,
      context: contextLines(ctx.request.context),
      findings: [...findings.map(({ text }) => text), callsMadeSection(ctx.actions), questionSection(ctx.userRequest)],
      ...omitUndefined({ systemPrompt: ctx.request.systemPrompt }),
    },
    { problemWith: (report) => emptyAnswer(splitOpenParts(report).text) },
  )
  const { text: written, unanswered = [] } = splitOpenParts(value ?? '')
  const { text, cited } = numberCitations(written, sources)
  const from = cited.length > 0 ? cited : sources
  const fields = { ...omitUndefined({ tabular }), ...(from.length === 0 ? {} : { sources: from }) }
  if (reason === undefined) {
    return { answer: text, data: { by: 'model' }, ...fields, ...(unanswered.length === 0 ? {} : { unanswered }) }
  }
  const remarks = [`The model did not write the report, so the findings stand as they are: ${reason}.`]
  return { answer: plain, data: { by: 'rules' }, ...fields, ...(reason === NO_MODEL ? {} : { remarks }) }
}
