import { z } from 'zod'
import { LEVELS } from '../../accounts/permissions.ts'
import type { Resource } from '../context.ts'
import { id, nameUpTo, itemsSchema, noContent } from '../schemas.ts'
import { access } from '../access.ts'

const groupSchema = z.object({ groupId: z.string(), name: z.string(), members: z.number() }).meta({ id: 'Group' })
export const grantee = nameUpTo(250)
  .regex(/^(?:everyone|group:.+|user:.+)$/, 'must be everyone, group:ID or user:ID')
  .describe('`everyone`, `group:` or `user:` with an ID or name')
export const source = nameUpTo(300).describe('Such as `database:shop`')
const member = z.object({ groupId: id, userId: id })

/** Groups, and grants to users and groups. */
export const groups: Resource = async (server, { app }) => {
  const { groups: all } = app.people
  server.get(
    '/groups',
    { config: access.admin, schema: { summary: 'All groups', response: { 200: itemsSchema(groupSchema) } } },
    async () => ({ items: await all.list() }),
  )
  server.get(
    '/groups/mine',
    {
      config: access.read,
      schema: { summary: 'The groups of the caller', response: { 200: itemsSchema(groupSchema) } },
    },
    async ({ caller }) => ({ items: (await all.list()).filter(({ groupId }) => caller.groups.includes(groupId)) }),
  )
  server.post(
    '/groups',
    {
      config: { ...access.admin, stands: (_request, { groupId }: { readonly groupId: string }) => all.find(groupId) },
      schema: {
        summary: 'Create a group',
        body: z.strictObject({ name: nameUpTo(200) }),
        response: { 201: groupSchema },
      },
    },
    async ({ caller, body }) => {
      const groupId = await all.create(caller.userId, body.name)
      return all.find(groupId)
    },
  )
  server.delete(
    '/groups/:groupId',
    {
      config: access.admin,
      schema: { summary: 'Delete a group and its grants', params: z.object({ groupId: id }), response: noContent },
    },
    async ({ caller, params: { groupId } }) => all.remove(caller.userId, groupId),
  )
  server.get(
    '/groups/:groupId/members',
    {
      config: access.admin,
      schema: {
        summary: 'IDs of the members',
        params: z.object({ groupId: id }),
        response: { 200: itemsSchema(z.string()) },
      },
    },
    async ({ params }) => ({ items: await all.members(params.groupId) }),
  )
  server.put(
    '/groups/:groupId/members/:userId',
    {
      config: access.admin,
      schema: { summary: 'Add a user to a group; both by ID or name', params: member, response: noContent },
    },
    async ({ caller, params: { groupId, userId } }) => all.addMember(caller.userId, groupId, userId),
  )
  server.delete(
    '/groups/:groupId/members/:userId',
    {
      config: access.admin,
      schema: { summary: 'Remove a user from a group; both by ID or name', params: member, response: noContent },
    },
    async ({ caller, params: { groupId, userId } }) => all.removeMember(caller.userId, groupId, userId),
  )
  server.get(
    '/grants',
    {
      config: access.admin,
      schema: {
        summary: 'Sources and their grants',
        response: {
          200: itemsSchema(
            z.object({
              source: z.string(),
              grants: z.array(z.object({ to: z.string(), level: z.enum(LEVELS) })).readonly(),
            }),
          ),
        },
      },
    },
    async () => {
      const given = await all.grants()
      const sources = [...new Set([...app.sources, ...given.keys()])]
      return { items: sources.map((one) => ({ source: one, grants: given.get(one) ?? [] })) }
    },
  )
  server.put(
    '/grants',
    {
      config: access.admin,
      schema: {
        summary: 'Grant a source to everyone, a group or a user; without a level, remove the grant',
        body: z.strictObject({ source, to: grantee, level: z.enum(LEVELS).optional() }),
        response: noContent,
      },
    },
    async ({ caller, body }) =>
      all.give(caller.userId, body.source, await app.people.grantee(body.to), body.level, app.sources),
  )
}
