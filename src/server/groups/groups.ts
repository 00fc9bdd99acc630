import { z } from 'zod'
import { LEVELS, type Grant, type Grantee } from '../../accounts/permissions.ts'
import type { Resource } from '../context.ts'
import { id, nameUpTo, itemsSchema } from '../schemas.ts'

export const grantSchema = z.object({
  to: z.string(),
  name: z.string().optional().describe('Name of the group or user'),
  level: z.enum(LEVELS),
})

/** A grant with the name of its grantee. */
export function namedGrant({ to, level }: Grant, names: ReadonlyMap<Grantee, string>): z.infer<typeof grantSchema> {
  return { to, level, name: names.get(to) }
}

const groupSchema = z.object({ groupId: z.string(), name: z.string(), members: z.number() }).meta({ id: 'Group' })
export const grantee = nameUpTo(250)
  .regex(/^(?:everyone|group:.+|user:.+)$/, 'must be everyone, group:ID or user:ID')
  .describe('`everyone`, `group:` or `user:` with an ID or name')
export const source = nameUpTo(300).describe('Such as `database:shop`')
const member = z.object({ groupId: id, userId: id })

/** Groups, and grants to users and groups. */
export const groups: Resource = async (routes, { app }) => {
  const { groups: all } = app.people
  routes.get('/groups', { access: 'admin', summary: 'All groups', response: itemsSchema(groupSchema) }, async () => ({
    items: await all.list(),
  }))
  routes.get(
    '/groups/mine',
    { access: 'read', summary: 'The groups of the caller', response: itemsSchema(groupSchema) },
    async ({ caller }) => ({ items: (await all.list()).filter(({ groupId }) => caller.groups.includes(groupId)) }),
  )
  routes.post(
    '/groups',
    {
      access: 'admin',
      summary: 'Create a group',
      body: z.strictObject({ name: nameUpTo(200) }),
      response: { 201: groupSchema },
    },
    async ({ caller, body }) => {
      const groupId = await all.create(caller.userId, body.name)
      return all.find(groupId)
    },
  )
  routes.delete(
    '/groups/:groupId',
    { access: 'admin', summary: 'Delete a group and its grants' },
    async ({ caller, params: { groupId } }) => all.remove(caller.userId, groupId),
  )
  routes.get(
    '/groups/:groupId/members',
    { access: 'admin', summary: 'IDs of the members', response: itemsSchema(z.string()) },
    async ({ params }) => ({ items: await all.members(params.groupId) }),
  )
  routes.put(
    '/groups/:groupId/members/:userId',
    { access: 'admin', summary: 'Add a user to a group; both by ID or name', params: member },
    async ({ caller, params: { groupId, userId } }) => all.addMember(caller.userId, groupId, userId),
  )
  routes.delete(
    '/groups/:groupId/members/:userId',
    { access: 'admin', summary: 'Remove a user from a group; both by ID or name', params: member },
    async ({ caller, params: { groupId, userId } }) => all.removeMember(caller.userId, groupId, userId),
  )
  routes.get(
    '/grants',
    {
      access: 'admin',
      summary: 'Sources and their grants',
      response: itemsSchema(
        z.object({
          source: z.string(),
          grants: z.array(z.object({ to: z.string(), level: z.enum(LEVELS) })).readonly(),
        }),
      ),
    },
    async () => {
      const grants = await all.grants()
      const sources = [...new Set([...app.sources, ...grants.keys()])]
      return { items: sources.map((one) => ({ source: one, grants: grants.get(one) ?? [] })) }
    },
  )
  routes.put(
    '/grants',
    {
      access: 'admin',
      summary: 'Grant a source to everyone, a group or a user; without a level, remove the grant',
      body: z.strictObject({ source, to: grantee, level: z.enum(LEVELS).optional() }),
    },
    async ({ caller, body }) =>
      all.setGrant(caller.userId, body.source, await app.people.resolveGrantee(body.to), body.level, app.sources),
  )
}
