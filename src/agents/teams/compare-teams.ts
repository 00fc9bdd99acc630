import { isDeepStrictEqual } from 'node:util'
import type { Team, TeamVersion } from '../../domain/team.ts'
import type { Registry } from './registry.ts'

/** A design after comparison with the existing teams. */
export interface ComparedTeam {
  readonly team: Team
  /** An existing equal team; nothing needs to be saved. */
  readonly standing?: TeamVersion
}

/**
 * Compares a design with the existing teams. An equal team is returned and nothing is saved. A design under the name of
 * the user's own team becomes its new version; under the name of anything else it gets a name of its own.
 */
export function compareTeams(made: Team, { owner, versions, agents, reserved }: Registry): ComparedTeam {
  const existing = versions.find(({ name }) => name === made.name)
  if (existing !== undefined && isDeepStrictEqual(made, existing.team)) return { team: made, standing: existing }
  if (existing?.owner === owner) return { team: made }
  const taken = new Set([...versions, ...agents].map(({ name }) => name).concat(reserved))
  let name = made.name
  for (let n = 2; taken.has(name); n++) name = `${made.name.slice(0, 36)}_${n}`
  return { team: { ...made, name } }
}

/** A team keeps its name across versions, so approvals state the version. */
export function versionRemark({ name }: Team, version: number, used: TeamVersion | undefined): string {
  const summary = `This is version ${version} of the team “${name}”`
  if (used === undefined) return summary
  return `${summary}: version ${used.version} (${used.team.purpose}) is used until this one has passed its checks`
}
