import { z } from 'zod'
import { isBroken } from '../../app/without-addresses.ts'
import { given } from '../../core/given.ts'
import type { Resource } from '../parts.ts'
import { sourcesOf } from '../sources.ts'

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
    unavailable: z.string().optional().describe('Why it cannot work as things are set up'),
  })
  .meta({ id: 'Agent' })

const sourcesSchema = z.object({
  databases: z.array(z.object({ name: z.string() })),
  apis: z.array(z.object({ name: z.string() })),
  mcp: z.array(z.object({ name: z.string(), tools: z.number().int(), problem: z.string().optional() })),
  documents: z.number().int().describe('Of the caller'),
  hasMail: z.boolean(),
})

const settingsSchema = z.object({
  storage: z.string().describe('Where runs are kept, in words'),
  model: z.string().optional().describe('Absent: answers are made by rules'),
  actors: z.record(z.string(), z.string()).describe('Actors with a model of their own'),
  providers: z.array(z.looseObject({ name: z.string(), kind: z.string() })),
  defaults: z.looseObject({}).describe('What a request leaves open'),
})

const read = { access: { role: 'viewer', scope: 'read' } } as const

/** Who can work here, with what, and how the work can be organised. */
export const agents: Resource = async (server, { app }) => {
  server.get(
    '/agents',
    {
      config: read,
      schema: { tags: ['agents'], summary: 'The agents', response: { 200: z.object({ items: z.array(agentSchema) }) } },
    },
    async ({ caller }) => ({
      items: (await app.as(caller.userId).team()).map(
        ({ name, description, capabilities, useCases, requiredContext = [], tools = [], unavailable }) => ({
          name,
          description,
          capabilities,
          useCases,
          requiredContext,
          tools: tools.map((tool) => ({ name: tool.name, description: tool.description, effect: tool.effect })),
          ...given({ unavailable }),
        }),
      ),
    }),
  )
  server.get(
    '/strategies',
    {
      config: read,
      schema: {
        tags: ['agents'],
        summary: 'How the work can be organised; `auto` takes the one that the question needs',
        response: { 200: z.object({ items: z.array(z.object({ name: z.string() })) }) },
      },
    },
    () => ({ items: app.strategies.map((name) => ({ name })) }),
  )
  server.get(
    '/sources',
    { config: read, schema: { tags: ['agents'], summary: 'What can be asked', response: { 200: sourcesSchema } } },
    async ({ caller }) => {
      const { databases, apis, mcp, mail } = await sourcesOf(app, caller.userId)
      return {
        databases: databases.map(({ name }) => ({ name })),
        apis: apis.map(({ catalogue: { name } }) => ({ name })),
        mcp: mcp.map(({ name, tools, problem }) => ({
          name,
          tools: tools.length,
          ...given({ problem: problem && (caller.role === 'admin' ? problem : isBroken(`The MCP server “${name}”`)) }),
        })),
        documents: (await app.knowledge.store.documents(await app.knowledge.shared.shelvesOf(caller))).length,
        hasMail: mail !== undefined,
      }
    },
  )
  server.get(
    '/settings',
    {
      config: { access: { role: 'admin', scope: 'admin' } },
      schema: {
        tags: ['agents'],
        summary: 'How this installation is set up, without its secrets',
        response: { 200: settingsSchema },
      },
    },
    () => {
      const { default: model, actors, providers } = app.models.describe()
      return {
        storage: app.storage,
        ...given({ model }),
        actors: { ...actors },
        providers: providers.map((provider) => ({ ...provider })),
        defaults: { ...app.config.defaults, ...given({ locale: app.config.locale }) },
      }
    },
  )
}
