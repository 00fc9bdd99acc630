import { z } from 'zod'
import { SCOPES } from '../../domain/caller.ts'
import { omitUndefined } from '../../shared/json.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Resource } from '../context.ts'
import { id, time, nameUpTo, noContent, itemsSchema } from '../schemas.ts'
import { access } from '../access.ts'

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
export const keys: Resource = async (server, { app }) => {
  const { keys: all, accounts } = app.people
  server.get(
    '/keys',
    { config: access.account, schema: { summary: 'The latest first', response: { 200: itemsSchema(keySchema) } } },
    async ({ caller }) => ({ items: await all.list(caller.userId) }),
  )
  server.post(
    '/keys',
    {
      config: {
        ...access.account,
        stands: async ({ caller }, { record }: { readonly record: { readonly keyId: string } }) =>
          (await all.list(caller.userId)).some(({ keyId }) => keyId === record.keyId),
      },
      schema: {
        summary: 'Create a key; it is returned only here',
        body: z.strictObject({ name: nameUpTo(100).default('key'), scopes, expiresAt: time.optional() }),
        response: { 201: z.object({ key: z.string(), record: keySchema }) },
      },
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
  server.delete(
    '/keys/:keyId',
    {
      config: access.account,
      schema: { summary: 'Revoke a key', params: z.object({ keyId: id }), response: noContent },
    },
    async ({ caller, params }) => all.revoke(caller.userId, params.keyId),
  )
}
