import { z } from 'zod'
import { SCOPES } from '../../domain/caller.ts'
import type { ApiKey } from '../../accounts/types.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Resource } from '../context.ts'
import { id, iso, moment, nameUpTo, noContent, listOf } from '../schemas.ts'
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
    createdAt: moment,
    expiresAt: moment.optional(),
    lastUsedAt: moment.optional(),
  })
  .meta({ id: 'ApiKey' })

/** The caller's API keys. */
export const keys: Resource = async (server, { app }) => {
  const { keys: all, accounts } = app.people
  server.get(
    '/keys',
    { config: access.account, schema: { summary: 'The latest first', response: { 200: listOf(keySchema) } } },
    async ({ caller }) => ({ items: (await all.list(caller.userId)).map(keyView) }),
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
        body: z.strictObject({ name: nameUpTo(100).default('key'), scopes, expiresAt: moment.optional() }),
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
      const expiry = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }
      const { key, record } = await all.create(userId, { ...wanted, ...expiry })
      return { key, record: keyView(record) }
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

function keyView({ createdAt, expiresAt, lastUsedAt, ...rest }: ApiKey): z.infer<typeof keySchema> {
  return {
    ...rest,
    createdAt: iso(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: iso(lastUsedAt) }),
  }
}
