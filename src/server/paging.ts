import { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import { isStorableText } from '../shared/plain-name.ts'

const MAX_PAGE_SIZE = 200

/** Query parameters of every list. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50).describe('Items per page'),
  cursor: z.string().max(500).optional().describe('`nextCursor` of the previous page'),
})

/** The position after which the next page begins: time and ID of the last item, newest first. */
export interface Place {
  readonly at: number
  readonly id: string
}

/** Response of every list. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item).readonly(), nextCursor: z.string().optional() })
}

/** @throws TuttiError `InvalidRequest` if the cursor is not valid */
export function parseCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^(\d{1,16}) (.{1,200})$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at !== undefined && id !== undefined && isStorableText(id)) return { at: Number(at), id }
  throw noCursor()
}

export function noCursor(): TuttiError {
  return new TuttiError('InvalidRequest', 'This cursor is not valid; leave it out to start from the beginning.')
}

/**
 * Makes a page of a list that was read with one item more than `limit`, which shows whether there is a next page.
 * @param place returns the position of an item
 */
export function toPage<T>(
  found: readonly T[],
  limit: number,
  place: (entry: T) => Place,
): { items: readonly T[]; nextCursor?: string } {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  if (found.length <= limit || last === undefined) return { items }
  return { items, nextCursor: cursorOf(place(last)) }
}

/** Encodes a position. */
export function cursorOf({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}
