import { TuttiError } from '../../domain/errors.ts'
import { TEAM_TOOL, teamName, type TeamStore } from '../../domain/team.ts'
import { nameConflict, type Registry } from './registry.ts'

/**
 * Renames a user's own team in all of its versions. The old name is free afterwards. Runs that started with it end with
 * it, as for a removed team.
 * @throws TuttiError `NotFound`; `InvalidRequest` for an invalid or taken name, or while others rely on the old name
 */
export async function renameTeam(store: TeamStore, registry: Registry, name: string, wanted: string): Promise<void> {
  const { owner, versions, agents, reserved } = registry
  const own = (await store.versions(owner, name)).filter(({ status }) => status !== 'removed')
  if (own.length === 0) throw new TuttiError('NotFound', `You have no team ${name}.`)
  const { data: to, error } = teamName.safeParse(wanted)
  if (error !== undefined) throw refused(`A team cannot be called "${wanted}": ${error.issues[0]!.message}.`)
  if (to === name) return
  const usedNames = [...versions, ...(await store.unused(owner)), ...agents].map((one) => one.name).concat(reserved)
  if (usedNames.includes(to)) throw refused(nameConflict(to))
  if (own.some(({ isShared }) => isShared)) {
    throw refused(`Others ask for “${name}” by its name. Stop sharing it first: "teams share ${name} --off".`)
  }
  if (own.some(({ status }) => status === 'trial')) {
    throw refused(`A version of “${name}” is in trial. Rename the team when that is over.`)
  }
  const within = versions.find(({ team }) => team.agents.some(({ tools }) => tools.includes(TEAM_TOOL + name)))
  if (within !== undefined) {
    throw refused(`The team “${within.name}” works with “${name}” by its name. Take it out there first.`)
  }
  if (!(await store.rename(owner, name, to))) {
    throw refused(`“${name}” was changed meanwhile, or another team is called “${to}” by now. Try again.`)
  }
}

function refused(message: string): TuttiError {
  return new TuttiError('InvalidRequest', message)
}
