import type { Caller } from '../domain/caller.ts'
import type { Owner } from '../domain/events.ts'
import { sharedOwner } from '../documents/collections.ts'
import type { KnowledgeStore, OwnerScope } from '../documents/types.ts'
import type { Collection } from '../accounts/collections.ts'
import type { People } from '../accounts/people.ts'

/** Which documents a user may read: their own, and those of collections that they may use. */
export function openSharedDocuments(people: Pick<People, 'collections' | 'callerOf'>, store: KnowledgeStore) {
  const idsFor = async (caller: Caller | undefined): Promise<readonly string[]> =>
    (caller === undefined ? [] : await people.collections.listFor(caller)).flatMap(({ collectionId, may }) =>
      may.includes('use') ? [collectionId] : [],
    )
  const callerOf = (user: Owner | Caller) => (typeof user === 'string' ? people.callerOf(user) : user)
  const removeDocuments = async (collectionId: string): Promise<void> => {
    const scope = sharedOwner(collectionId)
    for (const { documentId } of await store.documents(scope)) await store.remove(scope, documentId)
  }
  const removeWhole = async (by: string, collection: Collection): Promise<void> => {
    // Documents first: an interrupted removal is completed by a repeated request.
    await removeDocuments(collection.collectionId)
    await people.collections.remove(by, collection)
    // Again, for documents of requests that were accepted before.
    await removeDocuments(collection.collectionId)
  }
  return {
    /**
     * All documents that a user may read at the moment.
     * @param chosen ids of collections to restrict it to
     */
    async readableScope(user: Owner | Caller, chosen?: readonly string[]): Promise<OwnerScope> {
      const reader = typeof user === 'string' ? user : user.userId
      const ids = await idsFor(await callerOf(user))
      const shared = ids.filter((id) => chosen?.includes(id) ?? true).map(sharedOwner)
      return { reader, owners: [...(chosen === undefined ? [reader] : []), ...shared] }
    },
    /** Ids of collections by their ids or names. @throws TuttiError `NotFound` for collections this user cannot see */
    async chosenBy(user: Owner, names: readonly string[]): Promise<readonly string[]> {
      const caller = await people.callerOf(user)
      const nobody: Caller = { userId: user, role: 'viewer', groups: [], scopes: [], kind: 'person' }
      const collections = names.map((name) => people.collections.find(caller ?? nobody, name))
      return [...new Set((await Promise.all(collections)).map(({ collectionId }) => collectionId))]
    },
    /** The owners under which the documents of a user's own collections are stored. */
    ownedBy: async (user: Owner): Promise<readonly Owner[]> =>
      (await people.collections.ownedBy(user)).map(sharedOwner),
    /** The same for all collections. */
    all: async (): Promise<readonly Owner[]> => (await store.collections('')).map(sharedOwner),
    /** Removes a collection with its documents. @throws TuttiError `NotFound`, `NotAllowed` */
    async remove(caller: Caller, idOrName: string, by: string = caller.userId): Promise<void> {
      await removeWhole(by, await people.collections.find(caller, idOrName, 'share'))
    },
    /** Removes all collections of a user. */
    async removeAllOf(owner: Owner): Promise<void> {
      for (const collectionId of await people.collections.ownedBy(owner))
        await removeWhole('erasure', { collectionId, name: '', owner, createdAt: 0 })
    },
  }
}
