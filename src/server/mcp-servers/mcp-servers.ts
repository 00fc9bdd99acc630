import { z } from 'zod'
import { mcpAgentName } from '../../agents/mcp/server.ts'
import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { digestOf, type McpServer, type McpTool } from '../../mcp/tool-list.ts'
import type { Resource } from '../context.ts'
import { itemsSchema } from '../schemas.ts'

const seenSchema = z.object({ name: z.string(), digest: z.string() })
const toolSchema = seenSchema.extend({
  description: z.string(),
  inputSchema: z
    .record(z.string(), z.unknown())
    .describe('JSON Schema of the arguments; models read its descriptions, too'),
  readOnly: z.boolean(),
  digest: z.string().describe('Hash of the other fields'),
})
const serverSchema = z
  .object({
    name: z.string(),
    problem: z.string().optional().describe('Why it is not available'),
    effects: z
      .record(z.string(), z.enum(['read', 'write', 'irreversible']))
      .describe('Effect of each tool in use, as Tutti classifies it'),
    accepted: z.array(toolSchema).readonly(),
    changed: z.array(toolSchema).readonly().describe('Changed since they were accepted: not used'),
    before: z.array(toolSchema).readonly().describe('The accepted versions of the changed tools, in the same order'),
    added: z.array(toolSchema).readonly().describe('Added since the others were accepted: not used'),
    gone: z.array(z.string()).readonly(),
    leftOut: z.array(z.string()).readonly().describe('Tools that cannot be used, with the reason'),
  })
  .meta({ id: 'ToolServer' })

/** The MCP servers whose tools agents use. Tools that a server has changed must be accepted again. */
export const servers: Resource = async (routes, { app }) => {
  routes.get(
    '/servers',
    { access: 'admin', summary: 'The MCP servers with the tools they offer now', response: itemsSchema(serverSchema) },
    async ({ caller: { userId } }) => {
      const agents = await app.as(userId).team()
      return { items: await Promise.all(app.mcp.map((one) => serverView(one, agents))) }
    },
  )
  routes.post(
    '/servers/:name/accept',
    {
      access: 'admin',
      summary: 'Accept the changed and added tools; 409 if they are not the ones that were seen',
      body: z.strictObject({
        seen: z.array(seenSchema).describe('The changed and added tools with the digests that were shown'),
        reason: z.string().trim().min(1).max(500).describe('Reason; kept in the audit log'),
      }),
      response: serverSchema,
    },
    async ({ caller: { userId }, params: { name }, body: { seen, reason } }) => {
      const server = app.mcp.find((one) => one.name === name)
      if (server === undefined) throw new TuttiError('NotFound', `There is no MCP server ${name}.`)
      await server.accept(({ changed, added }) => {
        const now = [...changed, ...added].map((tool) => `${tool.name} ${digestOf(tool)}`)
        const isSeen = now.join('\n') === seen.map((tool) => `${tool.name} ${tool.digest}`).join('\n')
        if (!isSeen) throw new TuttiError('RunConflict', `The tools of ${name} have changed. Review them again.`)
      })
      await app.people.recordAudit({
        by: userId,
        action: 'accept tools',
        target: name,
        detail: { reason, tools: seen.map((tool) => tool.name) },
      })
      return serverView(server, await app.as(userId).team())
    },
  )
}

async function serverView(server: McpServer, agents: readonly Agent[]): Promise<z.infer<typeof serverSchema>> {
  const { name, tools } = server
  const nothing = { accepted: tools, changed: [], before: [], added: [], gone: [], leftOut: [] }
  const states = await server.states().catch((thrown: Error) => ({ ...nothing, problem: thrown.message }))
  const lists = [states.accepted, states.changed, states.before, states.added]
  const [accepted, changed, before, added] = lists.map((each) => each.map(withDigest))
  const serverTools = agents.find((agent) => agent.name === mcpAgentName(name))?.tools ?? []
  const effects = Object.fromEntries(
    serverTools.map((tool) => [tool.name.slice(tool.name.indexOf('/') + 1), tool.effect]),
  )
  return { name, effects, ...states, accepted: accepted!, changed: changed!, before: before!, added: added! }
}

function withDigest(tool: McpTool): z.infer<typeof toolSchema> {
  return { ...tool, digest: digestOf(tool) }
}
