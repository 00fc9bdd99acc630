import { z } from 'zod'
import { omitUndefined } from '../../shared/json.ts'
import { AdminAccessAudit } from '../admin-access-audit.ts'
import type { Resource } from '../context.ts'
import { id, moment, itemsSchema } from '../schemas.ts'

const executionSchema = z
  .object({
    runId: z.string(),
    key: z.string(),
    actor: z.string(),
    status: z.string(),
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    error: z.string().optional(),
    startedAt: moment,
    endedAt: moment.optional(),
  })
  .meta({ id: 'Execution' })

const querystring = z.object({
  runId: id.optional(),
  actor: z.string().max(100).optional(),
  status: z.enum(['running', 'succeeded', 'failed', 'skipped']).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})

/** Which agent did what with which sources, for audits by an admin. */
export const executions: Resource = async (routes, { app, clock }) => {
  const accessAudit = new AdminAccessAudit(app.people, clock, 'read executions')
  routes.get(
    '/executions/all',
    {
      access: 'admin',
      summary: 'All jobs of all users, latest start first; the audit log records who looked',
      query: querystring.extend({ userId: id.optional() }),
      response: itemsSchema(executionSchema.extend({ userId: z.string(), username: z.string().optional() })),
    },
    async ({ caller, query: { userId, ...filter } }) => {
      await accessAudit.note(caller.userId, userId ?? 'everyone')
      const names = new Map((await app.people.accounts.list()).map((person) => [person.userId, person.username]))
      const entries = await app.executions.allExecutions(omitUndefined({ ...filter, owner: userId }))
      const items = entries.map(({ owner, ...execution }) => ({
        ...execution,
        userId: owner,
        username: names.get(owner),
      }))
      return { items }
    },
  )
}
