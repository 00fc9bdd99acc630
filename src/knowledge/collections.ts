/**
 * Under whom a collection's documents lie: they belong to the owner, apart from those of the library. No owner's name has
 * such a character in it.
 */
export function collectionOwner(owner: string, collection: string): string {
  return `${owner}\u001F${collection}`
}
