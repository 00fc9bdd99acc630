import { z } from 'zod'
import type { App } from '../../app/user-app.ts'
import type { Resource } from '../context.ts'
import { outcomeStatus } from '../runs/outcomes.ts'
import { moment, itemsSchema } from '../schemas.ts'

const agentSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    capabilities: z.array(z.string()).readonly(),
    useCases: z.array(z.string()).readonly(),
    requiredContext: z.array(z.string()).readonly(),
    tools: z.array(
      z.object({ name: z.string(), description: z.string(), effect: z.enum(['read', 'write', 'irreversible']) }),
    ),
    unavailable: z.string().optional().describe('Why it cannot be used with the present configuration'),
  })
  .meta({ id: 'Agent' })

/** Number of latest tasks in the statistics, and maximum of errors shown. */
const MAX_LATEST_TASKS = 20
const MAX_ERRORS = 3

const recentRunsSchema = z
  .object({
    name: z.string(),
    model: z.string().optional().describe('Its model; absent if answers are made by rules'),
    done: z.number().int().describe(`Of its latest ${MAX_LATEST_TASKS} tasks in runs of the caller`),
    failed: z.number().int(),
    declined: z.number().int().describe('Tasks that it declined, or that the user denied or stopped'),
    at: moment.optional().describe('Start of its latest task; absent if the caller never used it'),
    errors: z.array(z.object({ runId: z.string(), at: moment, message: z.string() })),
  })
  .meta({ id: 'AgentLately' })

/** Agents and their tools. */
export const agents: Resource = async (routes, { app }) => {
  routes.get(
    '/agents',
    { access: 'read', summary: 'The agents', response: itemsSchema(agentSchema) },
    async ({ caller }) => ({
      items: (await app.as(caller.userId).team()).map(
        ({ name, description, capabilities, useCases, requiredContext = [], tools = [], unavailable }) => ({
          name,
          description,
          capabilities,
          useCases,
          requiredContext,
          tools: tools.map((tool) => ({ name: tool.name, description: tool.description, effect: tool.effect })),
          unavailable,
        }),
      ),
    }),
  )
  routes.get(
    '/agents/lately',
    {
      access: 'read',
      summary: 'Recent results of each agent in runs of the caller, with its errors and its model',
      response: itemsSchema(recentRunsSchema),
    },
    async ({ caller: { userId } }) => {
      const { default: model, actors } = app.models.describe()
      const team = await app.as(userId).team()
      return {
        items: await Promise.all(
          team.map(async ({ name }) => ({
            name,
            model: actors[name] ?? model,
            ...(await recentRuns(app, userId, name)),
          })),
        ),
      }
    },
  )
}

async function recentRuns({ executions }: Pick<App, 'executions'>, owner: string, actor: string) {
  const all = await executions.executions(owner, { actor, limit: MAX_LATEST_TASKS })
  const countOf = (to: string) => all.filter(({ status, output }) => (output ? outcomeStatus(output) : status) === to)
  const failed = countOf('failed')
  return {
    done: countOf('succeeded').length,
    failed: failed.length,
    declined: countOf('declined').length,
    at: all[0]?.startedAt,
    errors: failed
      .slice(0, MAX_ERRORS)
      .map(({ runId, startedAt, error = '' }) => ({ runId, at: startedAt, message: error })),
  }
}
