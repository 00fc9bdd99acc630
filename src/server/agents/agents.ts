import { z } from 'zod'
import type { App } from '../../app/user-app.ts'
import { localeOf } from '../../app/config/schema.ts'
import { isBroken } from '../../app/redact-hosts.ts'
import type { Resource } from '../context.ts'
import { outcomeStatus } from '../runs/outcomes.ts'
import { moment, itemsSchema } from '../schemas.ts'
import { usableSources } from '../sources.ts'

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

const sourcesSchema = z.object({
  databases: z.array(z.object({ name: z.string() })),
  apis: z.array(z.object({ name: z.string() })),
  mcp: z.array(z.object({ name: z.string(), tools: z.number().int(), problem: z.string().optional() })),
  documents: z.number().int().describe('Number of documents of the caller'),
  hasMail: z.boolean(),
})

const settingsSchema = z.object({
  storage: z.string().describe('Where runs are stored'),
  model: z.string().optional().describe('Absent if no model is configured and answers are made by rules'),
  actors: z.record(z.string(), z.string()).describe('Actors with their own model'),
  providers: z.array(z.looseObject({ name: z.string(), kind: z.string() })),
  defaults: z.looseObject({}).describe('Defaults of requests'),
})

/** Agents, their tools, and the strategies. */
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
  routes.get(
    '/strategies',
    {
      access: 'read',
      summary: 'The strategies; `auto` selects the one that fits the question',
      response: itemsSchema(z.object({ name: z.string() })),
    },
    () => ({ items: app.strategies.map((name) => ({ name })) }),
  )
  routes.get(
    '/sources',
    { access: 'read', summary: 'The sources of the caller', response: sourcesSchema },
    async ({ caller }) => {
      const { databases, apis, mcp, mail } = await usableSources(app, caller.userId)
      return {
        databases: databases.map(({ name }) => ({ name })),
        apis: apis.map(({ catalogue: { name } }) => ({ name })),
        mcp: mcp.map(({ name, tools, problem }) => ({
          name,
          tools: tools.length,
          problem: problem && (caller.role === 'admin' ? problem : isBroken(`The MCP server “${name}”`)),
        })),
        documents: (await app.knowledge.store.documents(await app.knowledge.shared.shelvesOf(caller))).length,
        hasMail: mail !== undefined,
      }
    },
  )
  routes.get(
    '/settings',
    { access: 'admin', summary: 'The configuration of this installation, without secrets', response: settingsSchema },
    () => {
      const { default: model, actors, providers } = app.models.describe()
      return {
        storage: app.storage,
        model,
        actors: { ...actors },
        providers: providers.map((provider) => ({ ...provider })),
        defaults: { ...app.config.defaults, locale: localeOf(app.config).tag },
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
