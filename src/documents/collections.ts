import type { Whose } from './types.ts'

/**
 * Under whom a collection's documents lie: they belong to the owner, apart from those of the library. No owner's name has
 * such a character in it.
 */
export function collectionOwner(owner: string, collection: string): string {
  return `${owner}\u001F${collection}`
}

/** The reverse of `collectionOwner`; without a collection, of an owner's library. */
export function parseCollectionOwner(whose: string): { readonly owner: string; readonly collection: string } {
  const [owner = '', collection = ''] = whose.split('\u001F', 2)
  return { owner, collection }
}

/** Under whom the documents of a shared collection lie: they belong to nobody on their own, others may read them. */
export function sharedOwner(collectionId: string): string {
  return collectionOwner('', collectionId)
}

export function ownersOf(whose: Whose): readonly string[] {
  return typeof whose === 'string' ? [whose] : whose.owners
}

/** Who reads; empty for what belongs to nobody on its own. */
export function readerOf(whose: Whose): string {
  return typeof whose === 'string' ? whose.split('\u001F', 1)[0]! : whose.reader
}
