import { z } from 'zod'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { compareByName, type Collection } from '../../accounts/collections.ts'
import { LEVELS, canGrant, type Grantee } from '../../accounts/permissions.ts'
import { grantee, grantSchema, namedGrants } from '../groups/groups.ts'
import { toPage, pageSchema, pageQuery, parseCursor, type Place } from '../paging.ts'
import type { Resource } from '../context.ts'
import { itemsSchema } from '../schemas.ts'

/** A user's own collection that is shared with others, for admins. */
const givenSchema = z.object({
  collectionId: z.string(),
  name: z.string(),
  owner: z.string().describe('Name of the owner, or ID if the account was removed'),
  ownerId: z.string(),
  grants: z.array(grantSchema).readonly(),
})

/** Grants of collections, for their owners and for admins. */
export const collectionGrants: Resource = async (routes, { app }) => {
  const { collections: all } = app.people
  /** Resolves a grantee without revealing which groups exist to users who are not in them. */
  const granteeOf = async (caller: Caller, collection: Collection, whom: string): Promise<Grantee> => {
    const to = await app.people.resolveGrantee(whom).catch((thrown: unknown): Grantee => {
      const isSecret = whom.startsWith('group:') && !canGrant(caller, collection, 'group:')
      if (isSecret && TuttiError.is(thrown, 'NotFound')) return 'group:'
      throw thrown
    })
    const isTheirs = (await all.grants(collection)).some((grant) => grant.to === to)
    if (to.startsWith('group:') && !isTheirs) all.assertCanGrant(caller, collection, to)
    return to
  }

  routes.get(
    '/collections/:collectionId/grants',
    { access: 'manage', summary: 'Grants of a collection', response: itemsSchema(grantSchema) },
    async ({ caller, params: { collectionId } }) => ({
      items: await namedGrants(app.people, await all.grants(await all.find(caller, collectionId, 'share'))),
    }),
  )
  routes.put(
    '/collections/:collectionId/grants',
    {
      access: 'manage',
      summary: 'Grant it to everyone, a group or a user; without a level, remove the grant',
      body: z.strictObject({
        to: grantee,
        level: z.enum(LEVELS).optional().describe('`reader`: ask it; `editor`: also add and remove documents'),
      }),
    },
    async ({ caller, params: { collectionId }, body }) => {
      const collection = await all.find(caller, collectionId, 'share')
      const to = await granteeOf(caller, collection, body.to)
      if (body.level !== undefined) all.assertCanGrant(caller, collection, to)
      await all.setGrant(caller.userId, collection, to, body.level)
    },
  )
  routes.get(
    '/collections/given',
    {
      access: 'admin',
      summary: 'Users’ own collections that are shared with others, by name, with their grants; without documents',
      query: pageQuery,
      response: pageSchema(givenSchema),
    },
    async ({ query: { limit, cursor } }) => {
      const { items, ...next } = toPage(afterCursor(await all.listShared(), cursor), limit, namePosition)
      const shownItems = items.map(async ({ collectionId, name: called, owner, ownerName, grants }) => {
        const ownerId = owner ?? ''
        return {
          collectionId,
          name: called,
          owner: ownerName ?? ownerId,
          ownerId,
          grants: await namedGrants(app.people, grants),
        }
      })
      return { items: await Promise.all(shownItems), ...next }
    },
  )
  routes.delete(
    '/collections/given/:collectionId',
    {
      access: 'admin',
      summary: 'Remove grants of a user’s own collection: all, or the one of `to`',
      query: z.object({ to: grantee.optional() }),
    },
    async ({ caller, params: { collectionId }, query: { to } }) =>
      all.revokeGrants(caller.userId, collectionId, to === undefined ? undefined : await app.people.resolveGrantee(to)),
  )
}

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
