import { z } from 'zod'
import { MEASURES, PERIODS } from '../../accounts/quotas.ts'
import { grantee } from '../groups/groups.ts'
import type { Resource } from '../context.ts'
import { time, itemsSchema } from '../schemas.ts'

const most = z.number().int().min(0).describe('Cost in millionths of a US dollar')
const quota = z.object({ to: z.string(), measure: z.enum(MEASURES), period: z.enum(PERIODS), most })

/** Quotas of users and groups, and their use. */
export const limits: Resource = async (routes, { app }) => {
  const { quotas } = app.people
  routes.get(
    '/limits',
    {
      access: 'read',
      summary: 'The limits of the caller, and how much is used or reserved',
      response: itemsSchema(quota.extend({ used: z.number(), endsAt: time })),
    },
    async ({ caller }) => ({ items: [...(await quotas.listFor(caller))] }),
  )
  routes.get(
    '/limits/all',
    { access: 'admin', summary: 'All limits that were set', response: itemsSchema(quota) },
    async () => ({ items: (await quotas.list()).map((one) => ({ ...one, most: Number(one.most) })) }),
  )
  routes.put(
    '/limits',
    {
      access: 'admin',
      summary: 'Set a limit; without a number, remove it',
      body: z.strictObject({
        to: grantee,
        measure: z.enum(MEASURES),
        period: z.enum(PERIODS),
        most: most.optional(),
      }),
    },
    async ({ caller, body: { to, most: limit, ...what } }) =>
      quotas.set(caller.userId, { ...what, to: await app.people.resolveGrantee(to), most: limit }),
  )
}
