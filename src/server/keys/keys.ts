import { z } from 'zod'
import { SCOPES } from '../../domain/caller.ts'
import { omitUndefined } from '../../shared/json.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Resource } from '../context.ts'
import { time, nameUpTo, itemsSchema } from '../schemas.ts'

const scopes = z
  .array(z.enum(SCOPES))
  .readonly()
  .describe(
    '`read`: view; `ask`: ask questions, and follow and change the runs; `decide`: approvals; `documents`: add and delete documents; `admin`: everything',
  )
const keySchema = z
  .object({
    keyId: z.string(),
    name: z.string(),
    beginsWith: z.string(),
    scopes,
    createdAt: time,
    expiresAt: time.optional(),
    lastUsedAt: time.optional(),
  })
  .meta({ id: 'ApiKey' })

/** The caller's API keys. */
export const keys: Resource = async (routes, { app }) => {
  const { keys: all, accounts } = app.people
  routes.get(
    '/keys',
    { access: 'account', summary: 'The latest first', response: itemsSchema(keySchema) },
    async ({ caller }) => ({ items: await all.list(caller.userId) }),
  )
  routes.post(
    '/keys',
    {
      access: 'account',
      summary: 'Create a key; it is returned only here',
      body: z.strictObject({ name: nameUpTo(100).default('key'), scopes, expiresAt: time.optional() }),
      response: { 201: z.object({ key: z.string(), record: keySchema }) },
    },
    async ({ caller, body: { expiresAt, ...wanted } }) => {
      if (caller.kind === 'demo')
        throw new TuttiError(
          'NotAllowed',
          'A key belongs to an account, and no accounts exist. Create one first: people add NAME.',
        )
      const { userId } = await accounts.find(caller.userId)
      return all.create(userId, { ...wanted, ...omitUndefined({ expiresAt }) })
    },
  )
  routes.delete('/keys/:keyId', { access: 'account', summary: 'Revoke a key' }, async ({ caller, params }) =>
    all.revoke(caller.userId, params.keyId),
  )
}
