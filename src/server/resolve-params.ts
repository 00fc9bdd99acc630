import type { FastifyRequest } from 'fastify'
import { LOCAL_OWNER } from '../domain/events.ts'
import type { People } from '../accounts/people.ts'

interface Named {
  groupId?: string
  userId?: string
}

/**
 * The only place that resolves groups and users in URLs, by ID or name. Routes get `groupId` and `userId` as IDs of
 * existing ones, and never use names.
 * @throws TuttiError `NotFound`
 */
export function resolveNames({ groups, accounts }: Pick<People, 'groups' | 'accounts'>) {
  return async ({ params, query }: Pick<FastifyRequest, 'params' | 'query'>): Promise<void> => {
    for (const named of [params, query] as (Named | undefined)[]) {
      if (named?.groupId !== undefined) named.groupId = (await groups.find(named.groupId)).groupId
      // The user of the command line has runs, but no account.
      if (named?.userId === undefined || named.userId === LOCAL_OWNER) continue
      named.userId = (await accounts.find(named.userId)).userId
    }
  }
}
