import type { OwnerScope } from './types.ts'

/**
 * The owner of a collection's documents: they belong to the user but are separate from the library. No user ID contains
 * this character.
 */
export function collectionOwner(owner: string, collection: string): string {
  return `${owner}\u001F${collection}`
}

/** The reverse of `collectionOwner`; without a collection, of an owner's library. */
export function parseCollectionOwner(scope: string): { readonly owner: string; readonly collection: string } {
  const [owner = '', collection = ''] = scope.split('\u001F', 2)
  return { owner, collection }
}

/** The owner of a shared collection's documents: they belong to no user and can be read by others. */
export function sharedOwner(collectionId: string): string {
  return collectionOwner('', collectionId)
}

export function ownersOf(scope: OwnerScope): readonly string[] {
  return typeof scope === 'string' ? [scope] : scope.owners
}

/** The reader; empty for documents that belong to no user. */
export function readerOf(scope: OwnerScope): string {
  return typeof scope === 'string' ? scope.split('\u001F', 1)[0]! : scope.reader
}
