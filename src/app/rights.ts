import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/owner.ts'
import { allowedSources } from '../shared/source-name.ts'
import type { People } from '../accounts/people.ts'
import type { Agents } from './agents.ts'

/** What somebody may use when a run of theirs is taken up; what it gives throws once something of that was taken away. */
export function openRights(people: Pick<People, 'sourcesOf'>, agents: Pick<Agents, 'sources'>) {
  return async (user: Owner): Promise<() => Promise<void>> => {
    const before = allowedSources(await people.sourcesOf(user, agents.sources))
    return async () => {
      const isGiven = allowedSources(await people.sourcesOf(user, agents.sources))
      // What is no longer here was taken from nobody.
      const taken = agents.sources.find((source) => before(source) && !isGiven(source))
      if (taken === undefined) return
      const why = `The source ${taken} was taken away from you while this was worked on. Ask again, without it.`
      throw new TuttiError('NotAllowed', why)
    }
  }
}
