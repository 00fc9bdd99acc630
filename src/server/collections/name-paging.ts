import { compareByName } from '../../accounts/collections.ts'
import { parseCursor, type Place } from '../paging.ts'

interface Named {
  readonly collectionId: string
  readonly name: string
}

/** A position in the order of names. ID and name are short enough for a cursor. */
export function namePosition({ name: called, collectionId }: Named): Place {
  return { at: 0, id: `${collectionId} ${called}` }
}

/** Items after the previous page. @throws TuttiError `InvalidRequest` if the cursor is not valid */
export function afterCursor<T extends Named>(all: readonly T[], cursor: string | undefined): readonly T[] {
  const after = parseCursor(cursor)
  if (after === undefined) return all
  const [collectionId = '', ...words] = after.id.split(' ')
  return all.filter((one) => compareByName(one, { collectionId, name: words.join(' ') }) > 0)
}
