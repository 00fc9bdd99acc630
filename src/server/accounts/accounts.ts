import { z } from 'zod'
import { ROLES } from '../../domain/caller.ts'
import { omitUndefined } from '../../shared/json.ts'
import { invitationIdOf } from '../../accounts/account-tokens.ts'
import { AUDITED } from '../../accounts/types.ts'
import { noCursor, toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import type { Resource } from '../context.ts'
import { id, time, nameUpTo, itemsSchema, personSchema } from '../schemas.ts'

const token = z.object({ token: z.string().describe('Returned only here') })
const invitationId = z.string().describe('The token cannot be derived from it')

/** Accounts and the audit log. */
export const people: Resource = async (routes, { app }) => {
  const { accounts, signIn } = app.people
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
      resultExists: (_request, { person }: { readonly person: { readonly userId: string } }) =>
        accounts.byId(person.userId),
      body: z.strictObject({
        username: nameUpTo(200).min(1),
        displayName: nameUpTo(200).optional(),
        email: z.email().optional(),
        role: z.enum(ROLES).default('member'),
      }),
      response: { 201: token.extend({ person: personSchema }) },
    },
    async ({ caller, body: { username, role, displayName, email } }) => {
      const known = { ...(displayName && { displayName }), ...(email && { email }) }
      const person = await accounts.add(caller.userId, { username, role, ...known })
      return { person, token: await accounts.createResetToken(caller.userId, person.userId) }
    },
  )
  routes.get(
    '/people/invitations',
    {
      access: 'admin',
      summary: 'Open invitations, latest first',
      response: itemsSchema(
        z.object({
          invitationId,
          role: z.enum(ROLES),
          madeBy: z.string().optional().describe('ID of the admin, or `command line`'),
          madeAt: time,
          expiresAt: time,
        }),
      ),
    },
    async () => ({ items: await accounts.invitations() }),
  )
  routes.post(
    '/people/invitations',
    {
      access: 'admin',
      summary: 'Invite one person; the invitation is valid for a week',
      resultExists: async (_request, made: { readonly invitationId: string }) =>
        (await accounts.invitations()).some((one) => one.invitationId === made.invitationId),
      body: z.strictObject({ role: z.enum(ROLES).default('member') }),
      response: { 201: token.extend({ invitationId }) },
    },
    async ({ caller, body }) => {
      const made = await accounts.invite(caller.userId, body.role)
      return { token: made, invitationId: invitationIdOf(made) }
    },
  )
  routes.delete(
    '/people/invitations/:invitationId',
    { access: 'admin', summary: 'Withdraw an invitation; its link stops working' },
    async ({ caller, params: { invitationId: withdrawn } }) => accounts.revokeInvitation(caller.userId, withdrawn),
  )
  routes.patch(
    '/people/:userId',
    {
      access: 'admin',
      summary: 'Change the role, disable or enable the account, or remove the second factor',
      body: z.strictObject({
        role: z.enum(ROLES).optional(),
        isDisabled: z.boolean().optional(),
        hasSecondFactor: z.literal(false).optional(),
      }),
      response: personSchema,
    },
    async ({ caller, params: { userId }, body: { role, isDisabled, hasSecondFactor } }) => {
      if (role !== undefined) await accounts.setRole(caller.userId, userId, role)
      if (isDisabled !== undefined) await accounts.setDisabled(caller.userId, userId, isDisabled)
      if (hasSecondFactor === false) await signIn.clearSecondFactor(caller.userId, userId)
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
      const found = await app.people.audit(
        limit + 1,
        omitUndefined({ ...only, before: before === undefined ? undefined : Number(before) }),
      )
      return toPage(found, limit, ({ at, id: entry }) => ({ at, id: String(entry) }))
    },
  )
}
