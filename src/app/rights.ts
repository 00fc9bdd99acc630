import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { allowedSources } from '../shared/source-name.ts'
import type { People } from '../accounts/people.ts'
import type { Agents } from './agents.ts'

/** Reads the user's permissions when a run is resumed; the returned function throws once one of them was revoked. */
export function openRights(people: Pick<People, 'sourcesOf'>, agents: Pick<Agents, 'sources'>) {
  return async (user: Owner): Promise<() => Promise<void>> => {
    const before = allowedSources(await people.sourcesOf(user, agents.sources))
    return async () => {
      const isGiven = allowedSources(await people.sourcesOf(user, agents.sources))
      // A source that no longer exists was not revoked.
      const taken = agents.sources.find((source) => before(source) && !isGiven(source))
      if (taken === undefined) return
      const why = `The source ${taken} was taken away from you while this was worked on. Ask again, without it.`
      throw new TuttiError('NotAllowed', why)
    }
  }
}
