import { z } from 'zod'
import { ROLES } from '../../domain/caller.ts'
import { omitUndefined } from '../../shared/json.ts'
import { AUDITED } from '../../accounts/types.ts'
import { noCursor, toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import type { Resource } from '../context.ts'
import { id, time, nameUpTo, itemsSchema, personSchema } from '../schemas.ts'

const token = z.object({ token: z.string().describe('Returned only here') })

/** Accounts and the audit log. */
export const people: Resource = async (routes, { app }) => {
  const { accounts } = app.people
  routes.get(
    '/people',
    { access: 'admin', summary: 'All accounts', response: itemsSchema(personSchema) },
    async () => ({ items: await accounts.list() }),
  )
  routes.post(
    '/people',
    {
      access: 'admin',
      summary: 'Create an account; its owner sets a password with the token within a day',
      body: z.strictObject({
        username: nameUpTo(200).min(1),
        displayName: nameUpTo(200).optional(),
        role: z.enum(ROLES).default('member'),
      }),
      response: { 201: token.extend({ person: personSchema }) },
    },
    async ({ caller, body: { username, role, displayName } }) => {
      const person = await accounts.add(caller.userId, { username, role, ...(displayName && { displayName }) })
      return { person, token: await accounts.createResetToken(caller.userId, person.userId) }
    },
  )
  routes.patch(
    '/people/:userId',
    {
      access: 'admin',
      summary: 'Change the role, disable or enable the account',
      body: z.strictObject({
        role: z.enum(ROLES).optional(),
        isDisabled: z.boolean().optional(),
      }),
      response: personSchema,
    },
    async ({ caller, params: { userId }, body: { role, isDisabled } }) => {
      if (role !== undefined) await accounts.setRole(caller.userId, userId, role)
      if (isDisabled !== undefined) await accounts.setDisabled(caller.userId, userId, isDisabled)
      return accounts.find(userId)
    },
  )
  routes.post(
    '/people/:userId/reset',
    { access: 'admin', summary: 'Create a token to set a new password, once, within a day', response: { 201: token } },
    async ({ caller, params: { userId } }) => {
      return { token: await accounts.createResetToken(caller.userId, userId) }
    },
  )
  routes.get(
    '/audit',
    {
      access: 'admin',
      summary: 'Changes made by admins, latest first',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
        cursor: pageQuery.shape.cursor,
        changedBy: id.optional().describe('ID of the user who changed it'),
        action: z.enum(AUDITED).optional(),
        target: z.string().max(300).optional().describe('ID of the changed object'),
      }),
      response: pageSchema(
        z.object({
          id: z.number(),
          at: time,
          changedBy: z.string(),
          action: z.string(),
          target: z.string(),
          detail: z.record(z.string(), z.unknown()),
        }),
      ),
    },
    async ({ query: { limit, cursor, ...only } }) => {
      const before = parseCursor(cursor)?.id
      if (before !== undefined && !/^\d{1,15}$/.test(before)) throw noCursor()
      const entries = await app.people.audit(
        limit + 1,
        omitUndefined({ ...only, before: before === undefined ? undefined : Number(before) }),
      )
      return toPage(entries, limit, ({ at, id: entry }) => ({ at, id: String(entry) }))
    },
  )
}
