import type { FastifyRequest } from 'fastify'
import { LOCAL_OWNER } from '../domain/owner.ts'
import type { People } from '../accounts/people.ts'

interface Named {
  groupId?: string
  userId?: string
}

/**
 * The one place where a group or person of an address is looked up, by id or name: a route is given `groupId` and `userId` as the
 * ids of who is there. Nothing is kept, given, taken or looked for under a name.
 * @throws TuttiError `NotFound`
 */
export function resolveNames({ groups, accounts }: Pick<People, 'groups' | 'accounts'>) {
  return async ({ params, query }: Pick<FastifyRequest, 'params' | 'query'>): Promise<void> => {
    for (const named of [params, query] as (Named | undefined)[]) {
      if (named?.groupId !== undefined) named.groupId = (await groups.find(named.groupId)).groupId
      // The user of the command line has runs, and no account.
      if (named?.userId === undefined || named.userId === LOCAL_OWNER) continue
      named.userId = (await accounts.find(named.userId)).userId
    }
  }
}
