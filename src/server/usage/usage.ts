import { z } from 'zod'
import type { Resource } from '../context.ts'
import { iso, itemsSchema } from '../schemas.ts'

const DAY_MS = 86_400_000
const querystring = z.object({
  from: z.iso.date().optional().describe('First day, in UTC; default: 30 days before the last one'),
  until: z.iso.date().optional().describe('Last day; default: today'),
})
/** Usage of ended runs by day and model. Runs that were deleted since count, too. */
export const usage: Resource = async (routes, { app, clock }) => {
  const { usage: records, accounts } = app.people
  const days = ({ from, until = iso(clock.now()).slice(0, 10) }: z.infer<typeof querystring>): [string, string] => [
    from ?? iso(Date.parse(until) - 30 * DAY_MS).slice(0, 10),
    until,
  ]
  routes.get(
    '/usage/all',
    {
      access: 'admin',
      summary: 'Usage of all users, by user, day and model',
      query: querystring,
      response: itemsSchema(
        z.object({
          userId: z.string(),
          username: z.string().optional(),
          day: z.string(),
          model: z.string().describe('provider:model, or "none" for runs without a model'),
          runs: z.number().int().describe('Number of questions'),
          calls: z.number().int(),
          inputTokens: z.number().int(),
          outputTokens: z.number().int(),
          costUsd: z.number(),
        }),
      ),
    },
    async ({ query }) => {
      const names = new Map((await accounts.list()).map(({ userId, username }) => [userId, username]))
      const entries = await records.list(...days(query))
      const items = entries.map(({ owner, ...used }) => {
        return { ...used, userId: owner, username: names.get(owner) }
      })
      return { items }
    },
  )
}
