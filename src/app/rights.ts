import { TuttiError } from '../core/errors.ts'
import type { Owner } from '../core/owner.ts'
import { givenIn, type SourceName } from '../core/source-name.ts'
import type { People } from '../people/people.ts'

/** What somebody may use when a run of theirs is taken up; what it gives throws once something of that was taken away. */
export function openRights(people: Pick<People, 'sourcesOf'>, all: () => readonly SourceName[]) {
  return async (user: Owner): Promise<() => Promise<void>> => {
    const before = givenIn(await people.sourcesOf(user, all()))
    return async () => {
      const isGiven = givenIn(await people.sourcesOf(user, all()))
      // What is not here any more was taken from nobody.
      const taken = all().find((source) => before(source) && !isGiven(source))
      if (taken === undefined) return
      const why = `The source ${taken} was taken away from you while this was worked on. Ask again, without it.`
      throw new TuttiError('NotAllowed', why)
    }
  }
}
