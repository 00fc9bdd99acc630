import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { ACTIONS, isPermitted } from '../../accounts/permissions.ts'
import { AdminAccessAudit } from '../admin-access-audit.ts'
import type { Resource } from '../context.ts'

const permittedActions = z.array(z.enum(ACTIONS)).readonly().describe('Empty if nothing is permitted')
const accessSchema = z
  .object({
    userId: z.string(),
    name: z.string(),
    role: z.string(),
    isDisabled: z.boolean().describe('Disabled: none of these permissions applies until the account is enabled'),
    groups: z.array(z.object({ groupId: z.string(), name: z.string() })),
    sources: z
      .array(z.object({ source: z.string(), may: permittedActions }))
      .describe('All sources, including those without permission'),
    hasOwnMailbox: z.boolean().describe('Used instead of the installation’s mailbox'),
    collections: z.array(
      z.object({
        collectionId: z.string(),
        name: z.string(),
        owner: z.string().optional(),
        may: permittedActions,
      }),
    ),
    ownCollections: z.number().int().describe('Number of their own collections; their contents are private'),
    agents: z.array(z.object({ name: z.string(), unavailable: z.string().optional() })),
    teams: z.array(z.object({ name: z.string() })).describe('Teams shared by others'),
    ownTeams: z.number().int(),
  })
  .meta({ id: 'PersonAccess' })

/**
 * The permissions of a user, for admins. Computed by the functions that decide; private sources are
 * only counted.
 */
export const personAccess: Resource = async (routes, { app, clock }) => {
  const { people } = app
  const accessAudit = new AdminAccessAudit(people, clock, 'read access')
  routes.get(
    '/people/:userId/access',
    {
      access: 'admin',
      summary: 'Permissions of a user; the audit log records who looked',
      response: accessSchema,
    },
    async ({ caller: admin, params: { userId } }) => {
      const person = await people.accounts.byId(userId)
      if (person === undefined) throw new TuttiError('NotFound', 'There is no such person.')
      const { displayName, role, isDisabled } = person
      await accessAudit.note(admin.userId, userId)
      const caller = await people.callerOf(userId)
      const [grants, groups, belongs, collections, teams, unused, mailbox] = await Promise.all([
        people.groups.grants(),
        people.groups.list(),
        people.groups.groupIdsOf(userId),
        caller === undefined ? [] : people.collections.listFor(caller),
        caller === undefined ? [] : app.teams.teams(userId),
        app.teams.unused(userId),
        app.mailboxes.of(userId),
      ])
      const agents = caller === undefined ? [] : await app.as(userId).team()
      const teamNames = new Set([...teams, ...unused].map(({ name }) => name))
      const sources = [...new Set([...app.sources, ...grants.keys()])].map((source) => {
        const shared = { grants: grants.get(source) ?? [] }
        return { source, may: ACTIONS.filter((action) => isPermitted(caller, action, shared)) }
      })
      const others = collections.filter(({ owner }) => owner !== userId)
      return {
        userId,
        name: displayName,
        role,
        isDisabled,
        groups: groups.filter(({ groupId }) => belongs.includes(groupId)),
        sources,
        hasOwnMailbox: mailbox !== undefined,
        collections: others.map(({ collectionId, name, ownerName, may }) => ({
          collectionId,
          name,
          owner: ownerName,
          may,
        })),
        ownCollections: collections.length - others.length,
        agents: agents
          .filter(({ name }) => !teamNames.has(name))
          .map(({ name, unavailable }) => ({ name, unavailable })),
        teams: teams.filter(({ owner }) => owner !== userId).map(({ name }) => ({ name })),
        ownTeams: teams.filter(({ owner }) => owner === userId).length,
      }
    },
  )
}
