import { isDeepStrictEqual } from 'node:util'
import type { Team, TeamVersion } from '../../domain/team.ts'
import type { Registry } from './registry.ts'

/** A design after comparison with the existing teams. */
export interface ComparedTeam {
  readonly team: Team
  /** An existing equal team; nothing needs to be saved. */
  readonly standing?: TeamVersion
  /** Why it is a second team, as a sentence for the approval. */
  readonly remark?: string
}

/**
 * Compares a design with the existing teams. An equal team is returned and nothing is saved. If the design differs, it
 * becomes a new version of the user's own team. Teams shared by others cannot be changed, so it becomes a second team.
 */
export function compareTeams(
  made: Team,
  { owner, versions, agents, reserved }: Registry,
  byModel: boolean,
): ComparedTeam {
  // Without a model, a name consists of the first words of the goal, which other goals may share.
  const alike = versions.find(
    ({ team }) => (byModel && team.name === made.name) || isAskedFor(made, team.keywords, 'every'),
  )
  if (alike !== undefined && isDeepStrictEqual({ ...made, name: alike.name }, alike.team)) {
    return { team: alike.team, standing: alike }
  }
  if (alike?.owner === owner) return { team: { ...made, name: alike.name } }
  const near =
    alike ??
    versions.find(({ name }) => name === made.name) ??
    versions.find(({ team }) => isAskedFor(made, team.keywords, 'some'))
  const taken = new Set([...versions, ...agents].map(({ name }) => name).concat(reserved))
  let name = made.name
  for (let n = 2; taken.has(name); n++) name = `${made.name.slice(0, 36)}_${n}`
  const team = { ...made, name }
  if (near === undefined) return { team }
  const why = near === alike ? `which is ${near.owner}'s to change` : 'which is for something else'
  return { team, remark: `This is a second team beside “${near.name}” (${near.team.purpose}), ${why}` }
}

function isAskedFor({ keywords }: Team, phrases: readonly string[], how: 'every' | 'some'): boolean {
  return keywords.length > 0 && keywords[how]((keyword) => phrases.includes(keyword))
}

/** A team keeps its name across versions, so approvals state the version. */
export function versionRemark({ name }: Team, version: number, used: TeamVersion | undefined): string {
  const summary = `This is version ${version} of the team “${name}”`
  if (used === undefined) return summary
  return `${summary}: version ${used.version} (${used.team.purpose}) is used until this one has passed its checks`
}
