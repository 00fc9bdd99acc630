import { z } from 'zod'
import { LEVELS } from '../../accounts/permissions.ts'
import type { Resource } from '../context.ts'
import { id, nameUpTo } from '../schemas.ts'

const groupSchema = z.object({ groupId: z.string(), name: z.string(), members: z.number() }).meta({ id: 'Group' })
export const grantee = nameUpTo(250)
  .regex(/^(?:everyone|group:.+|user:.+)$/, 'must be everyone, group:ID or user:ID')
  .describe('`everyone`, `group:` or `user:` with an ID or name')
export const source = nameUpTo(300).describe('Such as `database:shop`')
const admin = { access: { role: 'admin', scope: 'admin' } } as const
const tags = ['groups']
const member = z.object({ groupId: id, userId: id })
const done = { 204: z.null() }

/** Groups, and grants to users and groups. */
export const groups: Resource = async (server, { app }) => {
  const { groups: all } = app.people
  server.get(
    '/groups',
    {
      config: admin,
      schema: { tags, summary: 'All groups', response: { 200: z.object({ items: z.array(groupSchema).readonly() }) } },
    },
    async () => ({ items: await all.list() }),
  )
  server.get(
    '/groups/mine',
    {
      config: { access: { role: 'viewer', scope: 'read' } },
      schema: {
        tags,
        summary: 'The groups of the caller',
        response: { 200: z.object({ items: z.array(groupSchema).readonly() }) },
      },
    },
    async ({ caller }) => ({ items: (await all.list()).filter(({ groupId }) => caller.groups.includes(groupId)) }),
  )
  server.post(
    '/groups',
    {
      config: { ...admin, stands: (_request, { groupId }: { readonly groupId: string }) => all.find(groupId) },
      schema: {
        tags,
        summary: 'Create a group',
        body: z.strictObject({ name: nameUpTo(200) }),
        response: { 201: groupSchema },
      },
    },
    async ({ caller, body }, reply) => {
      const groupId = await all.create(caller.userId, body.name)
      reply.code(201)
      return all.find(groupId)
    },
  )
  server.delete(
    '/groups/:groupId',
    {
      config: admin,
      schema: { tags, summary: 'Delete a group and its grants', params: z.object({ groupId: id }), response: done },
    },
    async ({ caller, params: { groupId } }, reply) => {
      await all.remove(caller.userId, groupId)
      return reply.code(204).send(null)
    },
  )
  server.get(
    '/groups/:groupId/members',
    {
      config: admin,
      schema: {
        tags,
        summary: 'IDs of the members',
        params: z.object({ groupId: id }),
        response: { 200: z.object({ items: z.array(z.string()).readonly() }) },
      },
    },
    async ({ params }) => ({ items: await all.members(params.groupId) }),
  )
  server.put(
    '/groups/:groupId/members/:userId',
    {
      config: admin,
      schema: { tags, summary: 'Add a user to a group; both by ID or name', params: member, response: done },
    },
    async ({ caller, params: { groupId, userId } }, reply) => {
      await all.addMember(caller.userId, groupId, userId)
      return reply.code(204).send(null)
    },
  )
  server.delete(
    '/groups/:groupId/members/:userId',
    {
      config: admin,
      schema: { tags, summary: 'Remove a user from a group; both by ID or name', params: member, response: done },
    },
    async ({ caller, params: { groupId, userId } }, reply) => {
      await all.removeMember(caller.userId, groupId, userId)
      return reply.code(204).send(null)
    },
  )
  server.get(
    '/grants',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Sources and their grants',
        response: {
          200: z.object({
            items: z.array(
              z.object({
                source: z.string(),
                grants: z.array(z.object({ to: z.string(), level: z.enum(LEVELS) })).readonly(),
              }),
            ),
          }),
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
      config: admin,
      schema: {
        tags,
        summary: 'Grant a source to everyone, a group or a user; without a level, remove the grant',
        body: z.strictObject({ source, to: grantee, level: z.enum(LEVELS).optional() }),
        response: done,
      },
    },
    async ({ caller, body }, reply) => {
      await all.give(caller.userId, body.source, await app.people.grantee(body.to), body.level, app.sources)
      return reply.code(204).send(null)
    },
  )
}
