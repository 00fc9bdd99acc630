import { compareByName } from '../../accounts/collections.ts'
import { parseCursor, type Place } from '../paging.ts'

interface Named {
  readonly collectionId: string
  readonly name: string
}

/** A place in the order of names, which are no longer than a cursor can say. */
export function placed({ name: called, collectionId }: Named): Place {
  return { at: 0, id: `${collectionId} ${called}` }
}

/** What comes after the page before. @throws TuttiError `InvalidRequest` for a cursor that no list gave */
export function rest<T extends Named>(all: readonly T[], cursor: string | undefined): readonly T[] {
  const after = parseCursor(cursor)
  if (after === undefined) return all
  const [collectionId = '', ...words] = after.id.split(' ')
  return all.filter((one) => compareByName(one, { collectionId, name: words.join(' ') }) > 0)
}
