import type { Owner } from '../../domain/events.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import { TEAM_TOOL, type Team, type TeamVersion } from '../../domain/team.ts'
import { memberProblem, type AvailableParts } from './members.ts'

/** A team may contain teams, but those may not: with the outer run, this is the maximum depth of runs. */
const MAX_LEVELS = 2

/** The agents, tools and names that teams are validated against, as one owner sees them. */
export interface Registry extends AvailableParts {
  readonly owner: Owner
  readonly versions: readonly TeamVersion[]
}

/** Why a team that is well formed cannot be used here, in sentences; none when it can. */
export function teamProblems(team: Team, registry: Registry): readonly string[] {
  const { tools, versions } = registry
  const calls = team.agents.flatMap(({ name, call }) => {
    const known = call === undefined ? undefined : tools.get(call.tool)
    if (call === undefined || known === undefined || !('bound' in known)) return []
    const { input } = known.bound.tool
    const { error } = input.safeParse(call.input)
    if (error === undefined) return []
    const wrong = problemsIn(error).map(({ path, message }) => `${path.join('.')} ${message}`.trim())
    return [`The call of “${name}” does not fit the input of "${call.tool}": ${wrong.join('; ')}.`]
  })
  const unpinned = team.agents.filter(
    ({ call }) => call !== undefined && tools.has(call.tool) && !('bound' in tools.get(call.tool)!),
  )
  return [
    ...conflictingNames(team, registry).map(nameConflict),
    ...team.agents.flatMap((member) => memberProblem(member, registry) ?? []),
    ...calls,
    ...unpinned.map(({ name, call }) => `“${name}” cannot have "${call!.tool}" as its fixed call; leave "call" out.`),
    ...(levelsOf(team, versions, []) > MAX_LEVELS
      ? [`Teams are nested at most ${MAX_LEVELS} deep, and none holds itself.`]
      : []),
  ]
}

/**
 * Names in a team that are taken by roles or, for the team itself, by agents. A second actor with such a name would
 * replace the first.
 */
export function conflictingNames(
  team: Team,
  { agents, reserved }: Pick<AvailableParts, 'agents' | 'reserved'>,
): readonly string[] {
  return [team.name, ...team.agents.map(({ name }) => name)].filter(
    (name) => reserved.includes(name) || (name === team.name && agents.some((agent) => agent.name === name)),
  )
}

export function nameConflict(name: string): string {
  return `The name "${name}" is already in use. Choose another name.`
}

function levelsOf({ name, agents }: Team, versions: readonly TeamVersion[], above: readonly string[]): number {
  if (above.includes(name)) return Infinity
  const inner = agents.flatMap(({ tools }) =>
    tools.flatMap((tool) => versions.find((one) => `${TEAM_TOOL}${one.name}` === tool)?.team ?? []),
  )
  return 1 + Math.max(0, ...inner.map((team) => levelsOf(team, versions, [...above, name])))
}

/**
 * A design under the name of the user's own team becomes its new version; under the name of anything else it gets a name
 * of its own.
 */
export function withFreeName(made: Team, { owner, versions, agents, reserved }: Registry): Team {
  if (versions.find(({ name }) => name === made.name)?.owner === owner) return made
  const usedNames = new Set([...versions, ...agents].map(({ name }) => name).concat(reserved))
  let name = made.name
  for (let n = 2; usedNames.has(name); n++) name = `${made.name.slice(0, 36)}_${n}`
  return { ...made, name }
}

/** A team keeps its name across versions, so approvals state the version. */
export function versionRemark({ name }: Team, version: number, used: TeamVersion | undefined): string {
  const summary = `This is version ${version} of the team “${name}”`
  if (used === undefined) return summary
  return `${summary}: version ${used.version} (${used.team.purpose}) is used until this one has passed its checks`
}
