import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { mcpAgentName } from '../agents/mcp/server.ts'
import { boundTools } from '../agents/mcp/bind.ts'
import type { McpServers } from '../agents/mcp/servers.ts'
import { membersOf } from '../agents/teams/members.ts'
import { teamProblems, nameConflict, conflictingNames, type Registry } from '../agents/teams/registry.ts'
import { teamAgent, teamLabels } from '../agents/teams/team-agent.ts'
import type { ArchitectParts } from '../agents/teams/architect.ts'
import { toolsOf } from '../agents/tool-agent/tools.ts'
import { defineAgent, type Agent } from '../domain/actor.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { offline } from '../offline/index.ts'
import type { Owner } from '../domain/events.ts'
import { combine, ownData, type Provenance } from '../domain/provenance.ts'
import type { RunRequest } from '../domain/request.ts'
import type { TeamStore } from '../domain/team.ts'
import { defineTool } from '../domain/tool.ts'

export type Teams = ReturnType<typeof openTeams>

/** A run, as its agents depend on it. */
export interface RunWithTeam {
  readonly owner: Owner
  readonly request: Pick<RunRequest, 'team'> & Partial<Pick<RunRequest, 'disableAgents'>>
}

export interface TeamsOptions {
  /** The agents that a user may use, without teams. */
  readonly agentsOf: (owner: Owner) => Promise<readonly Agent[]>
  readonly mcp: McpServers
  readonly reserved: readonly string[]
  /** Wraps each agent in the configured middleware. */
  readonly withMiddleware: (agent: Agent) => Agent
  readonly store: TeamStore
}

/** Input of the team architect. @param asker the agent that queries the databases */
export function architectSources({
  name: asker,
  unavailable: lack,
  toolkit,
}: Agent): Pick<ArchitectParts, 'databasesOf'> {
  return {
    async databasesOf(ctx, excluded) {
      const reason = excluded.includes(asker) ? `This question leaves out "${asker}".` : lack
      if (reason !== undefined) return { text: '', lacking: [reason] }
      const look = defineTool({
        name: 'describe_databases',
        description: 'Tables, columns and stored values of all databases.',
        effect: 'read',
        reach: 'inside',
        provenance: ownData('the databases'),
        input: z.object({}),
        run: async () => {
          const { instructions, lacking = [] } = (await toolkit!(ctx))!
          return { text: instructions, lacking }
        },
      })
      return ctx.call(look, {}).catch((thrown: unknown) => ({ text: '', lacking: [toTuttiError(thrown).message] }))
    },
  }
}

/** Teams as agents. They are looked up for each run, so that a saved team is available for the next one. */
export function openTeams({ agentsOf, mcp, reserved, withMiddleware, store }: TeamsOptions) {
  const registryOf = async (owner: Owner): Promise<Registry> => {
    await mcp.know()
    const agents = await agentsOf(owner)
    const names = new Set(agents.map(({ name }) => name))
    const servers = mcp.servers.filter(({ name }) => names.has(mcpAgentName(name)))
    const ofServers = servers.flatMap((server) => [...boundTools(server)])
    const versions = await store.teams(owner)
    const base = {
      owner,
      agents,
      reserved,
      withMiddleware,
      offline: offline.agents.tools,
      versions,
      tools: new Map([...toolsOf(agents), ...ofServers]),
    }
    const fitting = versions.filter(({ name }) => !reserved.includes(name) && !names.has(name))
    const teams = fitting.map((version): Agent => teamAgent(version, store, owner))
    const registry = { ...base, teams }
    const all = teams.map((agent, at) => {
      const [flaw] = teamProblems(fitting[at]!.team, registry)
      return flaw === undefined ? agent : defineAgent({ ...agent, unavailable: flaw })
    })
    return { ...registry, teams: [...all, ...(await failedOf(owner, all))] }
  }
  /**
   * Teams that failed their checks, as unavailable agents: a request that names one gets the reason, and no other agent
   * takes it.
   */
  const failedOf = async (owner: Owner, teams: readonly Agent[]): Promise<readonly Agent[]> =>
    (await store.unused(owner)).flatMap((version) => {
      if (version.status !== 'failed') return []
      if (reserved.includes(version.name) || teams.some(({ name }) => name === version.name)) return []
      const unavailable = `The team “${version.name}” is not used, since it did not pass its checks. ${version.remark ?? ''}`
      return [defineAgent({ ...teamAgent(version, store, owner), unavailable: unavailable.trim() })]
    })
  return {
    registryOf,
    /** Labels of a request that contains a team: text of another user in it does not count as the asking user's words. */
    async provenanceOf(owner: Owner, { team }: Pick<RunRequest, 'team'>): Promise<Provenance | undefined> {
      if (team === undefined) return undefined
      const versions = await store.teams(owner)
      const same = versions.filter((one) => isDeepStrictEqual(one.team, team))
      return same.length === 0 ? undefined : combine(same.map((one) => teamLabels(one, owner)))
    },
    /** A team's members for a run of a team; else all agents, and the teams of the run's owner among them. */
    async agentsOf({ owner, request: { team, disableAgents } }: RunWithTeam): Promise<readonly Agent[]> {
      if (team !== undefined) {
        const registry = await registryOf(owner)
        const [taken] = conflictingNames(team, registry)
        if (taken !== undefined) throw new TuttiError('InvalidRequest', nameConflict(taken))
        return membersOf(team, registry, disableAgents)
      }
      const agents = await agentsOf(owner)
      if ((await store.teams(owner)).length === 0 && (await store.unused(owner)).length === 0) return agents
      return [...agents, ...(await registryOf(owner)).teams]
    },
  }
}
