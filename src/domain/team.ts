import { z } from 'zod'
import { TuttiError } from './errors.ts'
import type { Owner } from './events.ts'
import type { Provenance } from './provenance.ts'
import { stages, type Plan } from './plan.ts'
import { problemTexts } from './schema-problems.ts'

const MAX_MEMBERS = 8
const MAX_TOOLS = 6
const MAX_CHECKS = 5
const MAX_TEXT_CHARS = 2_000

const text = z.string().trim().min(1, 'must not be empty').max(MAX_TEXT_CHARS)
/** How a team or a member is called. */
export const teamName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{1,39}$/, 'must be 2 to 40 small letters, digits, _ and -, a letter first')

/** Prefix of a team's name as a member of another team. */
export const TEAM_TOOL = 'team:'

const memberSchema = z.strictObject({
  name: teamName,
  /** Its single purpose. */
  purpose: text,
  /** The minimal tools: names of tools, or `team:NAME` alone; empty for a member that works on others' results. */
  tools: z.array(z.string().min(1).max(200)).max(MAX_TOOLS).default([]),
  /** Its instructions for each run. */
  task: text,
  /** Members whose results it receives. */
  after: z.array(z.string()).default([]),
  /** A fixed call that it always makes. Absent: it decides which tools to call. */
  call: z.strictObject({ tool: z.string().min(1), input: z.record(z.string(), z.unknown()) }).optional(),
})

const checkSchema = z.strictObject({
  question: text,
  /** Texts that the answer must contain, in any letter case. */
  contains: z.array(text).max(20).default([]),
})

const share = z.strictObject({
  maxCostUsd: z.number().positive().optional(),
  maxTokens: z.number().int().positive().optional(),
  maxCalls: z.number().int().positive().optional(),
})

/** A team as data: agents with one purpose each, their dependencies, and the questions that it must pass. */
export const teamSchema = z
  .strictObject({
    name: teamName,
    purpose: text,
    /** Substrings of a lower-cased question that speak for this team. */
    keywords: z.array(text).max(40).default([]),
    useCases: z.array(text).max(10).default([]),
    strategy: z.enum(['graph', 'pipeline', 'supervisor']).default('graph'),
    /** Instructions for its supervisor and its members, in addition to their tasks. */
    supervisor: text.optional(),
    agents: z.array(memberSchema).min(1).max(MAX_MEMBERS),
    checks: z.array(checkSchema).min(1).max(MAX_CHECKS),
    /** At most so much for one run, however much its caller has left. */
    budget: share.optional(),
  })
  .superRefine(({ agents }, ctx) => {
    const problem = flawIn(agents)
    if (problem !== undefined) ctx.addIssue({ code: 'custom', path: ['agents'], message: problem })
  })

export type TeamInput = z.input<typeof teamSchema>
export type Team = Readonly<z.output<typeof teamSchema>>
export type TeamMember = Team['agents'][number]

/** The problem of a combination of fields. */
function flawIn(agents: z.output<typeof memberSchema>[]): string | undefined {
  const names = agents.map((agent) => agent.name)
  const twice = names.find((one, at) => names.indexOf(one) !== at)
  if (twice !== undefined) return `name "${twice}" twice`
  for (const { name: own, after, tools, call } of agents) {
    const stranger = after.find((one) => !names.includes(one))
    if (stranger !== undefined) return `let "${own}" wait for "${stranger}", who is no member`
    if (call !== undefined && !tools.includes(call.tool))
      return `let "${own}" call "${call.tool}", which it is not given`
    if (tools.length > 1 && tools.some((tool) => tool.startsWith(TEAM_TOOL)))
      return `give "${own}" a team and other tools`
  }
  try {
    stages(planForTeam({ agents }))
  } catch (thrown) {
    return (thrown as Error).message.replace(/\.$/, '')
  }
  return undefined
}

/** @throws TuttiError `InvalidRequest` naming the problem */
export function parseTeam(input: unknown): Team {
  const parsed = teamSchema.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = problemTexts(parsed.error, 'team')
  throw new TuttiError('InvalidRequest', `This is no team: ${issues.join('; ')}.`, { details: { issues } })
}

/** The members' tasks as a plan. */
export function planForTeam({ agents }: Pick<Team, 'agents'>): Plan {
  return {
    tasks: agents.map((agent) => ({ id: agent.name, agent: agent.name, text: agent.task, dependsOn: agent.after })),
  }
}

/** Members that no other member depends on: their results are the team's result. */
export function lastOf({ agents }: Pick<Team, 'agents'>): readonly string[] {
  const awaited = new Set(agents.flatMap(({ after }) => after))
  return agents.map((agent) => agent.name).filter((one) => !awaited.has(one))
}

/** `trial`: approved, and not yet through its checks; `removed`: kept for the runs that began with it, and for its number. */
export type TeamStatus = 'trial' | 'ready' | 'failed' | 'removed'

export interface TeamVersion {
  readonly owner: Owner
  readonly name: string
  readonly version: number
  readonly team: Team
  readonly status: TeamStatus
  /** The result of its checks. */
  readonly remark?: string
  readonly isShared: boolean
  /** The version that its owner uses. */
  readonly isCurrent: boolean
  /** Labels of its input, which every run with it inherits; the user's words when absent. */
  readonly provenance?: Provenance
  readonly createdAt: number
}

/** Input of `save`. */
export interface NewTeam {
  readonly team: Team
  /** Equal for repetitions of one save, which return the same version. */
  readonly key: string
  /** Labels of its input; the user's words when absent. */
  readonly provenance?: Provenance
  readonly at: number
}

/** Teams by owner. All users may use the versions that an owner shares. */
export interface TeamStore {
  /** The current versions of the owner's and the latest that others share; of one name, the owner's own. */
  teams(owner: Owner): Promise<readonly TeamVersion[]>
  /** For each of the owner's teams without a current version, the latest one: it failed its checks, or is in trial. */
  unused(owner: Owner): Promise<readonly TeamVersion[]>
  /** All versions of one of the owner's own, the latest first. */
  versions(owner: Owner, name: string): Promise<readonly TeamVersion[]>
  /** The version that was saved with this key. */
  saved(owner: Owner, key: string): Promise<TeamVersion | undefined>
  /** Saves a new version, which is not used before it is made current. */
  save(owner: Owner, given: NewTeam): Promise<TeamVersion>
  /** Records the result of the checks; a ready version becomes the current one. */
  settle(owner: Owner, name: string, version: number, status: TeamStatus, remark: string): Promise<void>
  /** Makes a ready version the current one. False if there is none. */
  use(owner: Owner, name: string, version: number): Promise<boolean>
  /** Shares the current version with all users, or stops sharing. False if there is none. */
  share(owner: Owner, name: string, isShared: boolean): Promise<boolean>
  /**
   * Takes all versions out of use for all users; a new team with the name continues the numbering. False if there is
   * none.
   */
  remove(owner: Owner, name: string): Promise<boolean>
}
