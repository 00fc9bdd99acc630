import { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import { isStorableText } from '../shared/plain-name.ts'

const MOST = 200

/** What every list takes in its query. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MOST).default(50).describe('Entries of a page'),
  cursor: z.string().max(500).optional().describe('`nextCursor` of the page before'),
})

/** The place in a list after which the next page begins: its last entry's time and id, newest first. */
export interface Place {
  readonly at: number
  readonly id: string
}

/** What every list gives. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item).readonly(), nextCursor: z.string().optional() })
}

/** @throws TuttiError `InvalidRequest` for what no list gave out */
export function parseCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^(\d{1,16}) (.{1,200})$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at !== undefined && id !== undefined && isStorableText(id)) return { at: Number(at), id }
  throw noCursor()
}

export function noCursor(): TuttiError {
  return new TuttiError('InvalidRequest', 'This cursor is none that a list gave; leave it out to begin anew.')
}

/**
 * One page of a list that was asked for one entry more than `limit`, which tells whether there is a next page.
 * @param place of an entry in the order of the list
 */
export function toPage<From, To>(
  found: readonly From[],
  limit: number,
  place: (entry: From) => Place,
  shown: (entry: From) => To,
): { items: readonly To[]; nextCursor?: string } {
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  const items = entries.map(shown)
  if (found.length <= limit || last === undefined) return { items }
  return { items, nextCursor: cursorOf(place(last)) }
}

/** A place as lists give it out. */
export function cursorOf({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}
