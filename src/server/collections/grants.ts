import { z } from 'zod'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Collection } from '../../accounts/collections.ts'
import { LEVELS, canGrant, type Grantee } from '../../accounts/permissions.ts'
import { grantee } from '../groups/groups.ts'
import type { Resource } from '../context.ts'

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
}
