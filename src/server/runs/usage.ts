import { z } from 'zod'
import { isModelCall, type RunEvent } from '../../domain/events.ts'
import { usesModel, runParts, type RunRecord } from '../../domain/store.ts'
import { fold } from '../../domain/state.ts'
import { addUsage, NO_USAGE, type UsageTotals } from '../../domain/usage.ts'
import type { Resource } from '../context.ts'
import { iso, moment } from '../schemas.ts'
import { outcomeIn, outcomeStatus } from './outcomes.ts'
import { runSchema } from './schema.ts'

const used = z.object({ calls: z.number().int(), tokens: z.number().int(), costUsd: z.number() })
const usageSchema = runSchema
  .pick({ runId: true, question: true, strategy: true, status: true, createdAt: true, outcome: true })
  .extend({
    isAnswered: z.boolean().describe('Whether all parts of the question were answered'),
    latencyMs: z.number().describe('Duration of the whole run, including the time spent waiting for approval'),
    used,
    jobs: z
      .array(
        used.extend({
          actor: z.string(),
          status: z.enum(['succeeded', 'failed', 'declined', 'skipped']),
          latencyMs: z.number(),
        }),
      )
      .readonly(),
    agents: z
      .array(z.string())
      .readonly()
      .describe('Agents that started a job, whatever its result; values for filters'),
    models: z.array(used.extend({ model: z.string() })).readonly(),
  })
  .meta({ id: 'RunUsage' })

/** Maximum of runs, and of runs read in parallel. */
const MAX_RUNS = 500
const AT_ONCE = 20

/** Outcome and usage of runs, for totals and charts. */
export const runUsage: Resource = async (routes, { app }) => {
  routes.get(
    '/runs/usage',
    {
      access: 'read',
      summary: `What the caller's runs since a time came to and used, by agent and model; the latest ${MAX_RUNS}`,
      query: z.object({
        from: moment,
        limit: z.coerce.number().int().min(1).max(MAX_RUNS).default(MAX_RUNS).describe('Maximum of runs, latest first'),
      }),
      response: z.object({ items: z.array(usageSchema), isCut: z.boolean() }),
    },
    async ({ caller, query }) => {
      const { runs } = app.as(caller.userId)
      const records = await runs.runs({ from: Date.parse(query.from), limit: query.limit + 1, isFirst: true })
      const items: z.infer<typeof usageSchema>[] = []
      for (let at = 0; at < Math.min(records.length, query.limit); at += AT_ONCE) {
        const some = records.slice(at, Math.min(at + AT_ONCE, query.limit))
        items.push(...(await Promise.all(some.map(async (run) => usageOf(run, await runs.events(run.runId))))))
      }
      return { items, isCut: records.length > query.limit }
    },
  )
}

function usageOf(run: RunRecord, events: readonly RunEvent[]): z.infer<typeof usageSchema> {
  const { runId, question, strategy, status, createdAt, updatedAt } = run
  const state = fold(events)
  const outcome = status === 'finished' ? outcomeIn(events) : undefined
  const models = new Map<string, UsageTotals>()
  for (const event of events) {
    const model = usesModel(event)
    if (!isModelCall(event) || model === undefined) continue
    models.set(model, addUsage(models.get(model) ?? NO_USAGE, event.usage, event.requests ?? 1))
  }
  return {
    runId,
    question,
    strategy,
    status,
    createdAt: iso(createdAt),
    isAnswered: outcome === 'answered',
    outcome,
    latencyMs: updatedAt - createdAt,
    used: usageView(state.usage),
    jobs: [...state.jobs.values()].flatMap(({ actor, result }) =>
      result === undefined
        ? []
        : [
            {
              actor,
              status: outcomeStatus(result),
              latencyMs: result.latencyMs,
              ...usageView(result.usage ?? NO_USAGE),
            },
          ],
    ),
    agents: runParts(events).flatMap(({ kind, name }) => (kind === 'agent' ? [name] : [])),
    models: [...models].map(([model, totals]) => ({ model, ...usageView(totals) })),
  }
}

function usageView({ calls, inputTokens, outputTokens, costUsd }: UsageTotals): z.infer<typeof used> {
  return { calls, tokens: inputTokens + outputTokens, costUsd }
}
