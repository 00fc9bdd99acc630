import { z } from 'zod'
import { given } from '../../core/given.ts'
import type { Resource } from '../parts.ts'
import { id, moment } from '../schemas.ts'

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

/** Which agent did what with what, for an audit of the caller's own runs (SPEC R12). */
export const executions: Resource = async (server, { app }) => {
  server.get(
    '/executions',
    {
      config: { access: { role: 'viewer', scope: 'read' } },
      schema: {
        tags: ['executions'],
        summary: 'Every job of every run of the caller, the latest start first',
        querystring: z.object({
          runId: id.optional(),
          actor: z.string().max(100).optional(),
          limit: z.coerce.number().int().min(1).max(500).default(100),
        }),
        response: { 200: z.object({ items: z.array(executionSchema).readonly() }) },
      },
    },
    async ({ caller, query }) => ({ items: await app.executions.executions(caller.userId, given(query)) }),
  )
}
