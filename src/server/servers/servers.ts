import { z } from 'zod'
import { mcpAgentName } from '../../agents/mcp/server.ts'
import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { digestOf, type McpServer, type McpTool } from '../../mcp/tool-list.ts'
import type { People } from '../../accounts/people.ts'
import type { AuditEntry } from '../../accounts/types.ts'
import type { Resource } from '../context.ts'
import { time, itemsSchema } from '../schemas.ts'

const seenSchema = z.object({ name: z.string(), digest: z.string() })
const toolSchema = seenSchema.extend({
  description: z.string(),
  inputSchema: z
    .record(z.string(), z.unknown())
    .describe('JSON Schema of the arguments; models read its descriptions, too'),
  readOnly: z.boolean(),
  digest: z.string().describe('Hash of the other fields'),
})
const acceptedSchema = toolSchema.extend({
  because: z
    .object({ reason: z.string(), by: z.string().describe('ID of the user who accepted it'), at: time })
    .optional()
    .describe('Reason that was given when it was accepted'),
})
const serverSchema = z
  .object({
    name: z.string(),
    problem: z.string().optional().describe('Why it is not available'),
    effects: z
      .record(z.string(), z.enum(['read', 'write', 'irreversible']))
      .describe('Effect of each tool in use, as Tutti classifies it'),
    accepted: z.array(acceptedSchema).readonly(),
    changed: z.array(toolSchema).readonly().describe('Changed since they were accepted: not used'),
    before: z.array(toolSchema).readonly().describe('The accepted versions of the changed tools, in the same order'),
    added: z.array(toolSchema).readonly().describe('Added since the others were accepted: not used'),
    gone: z.array(z.string()).readonly(),
    leftOut: z.array(z.string()).readonly().describe('Tools that cannot be used, with the reason'),
  })
  .meta({ id: 'ToolServer' })

/** Length of the digest in the API; enough to distinguish tools. */
const DIGEST = 16
/** Maximum of audit entries read per server. */
const MAX_ENTRIES = 200

/** The MCP servers whose tools agents use. Tools that a server has changed must be accepted again. */
export const servers: Resource = async (routes, { app }) => {
  routes.get(
    '/servers',
    { access: 'admin', summary: 'The MCP servers with the tools they offer now', response: itemsSchema(serverSchema) },
    async ({ caller: { userId } }) => {
      const agents = await app.as(userId).team()
      return { items: await Promise.all(app.mcp.map((one) => serverView(one, agents, app.people))) }
    },
  )
  routes.post(
    '/servers/:name/accept',
    {
      access: 'admin',
      summary: 'Accept the changed and added tools; 409 if they are not the ones that were seen',
      body: z.strictObject({
        seen: z.array(seenSchema).describe('The changed and added tools with the digests that were shown'),
        reason: z.string().trim().min(1).max(500).describe('Reason; kept in the audit log and shown with the tools'),
      }),
      response: serverSchema,
    },
    async ({ caller: { userId }, params: { name }, body: { seen, reason } }) => {
      const found = app.mcp.find((one) => one.name === name)
      if (found === undefined) throw new TuttiError('NotFound', `There is no MCP server ${name}.`)
      await found.accept(({ changed, added }) => {
        const now = [...changed, ...added].map((tool) => `${tool.name} ${digestOf(tool)}`)
        const isSeen = now.join('\n') === seen.map((tool) => `${tool.name} ${tool.digest}`).join('\n')
        if (!isSeen) throw new TuttiError('RunConflict', `The tools of ${name} have changed. Review them again.`)
      })
      await app.people.recordAudit({
        by: userId,
        action: 'accept tools',
        target: name,
        detail: {
          reason,
          tools: seen.map((tool) => tool.name),
          digests: seen.map(({ digest }) => digest.slice(0, DIGEST)),
        },
      })
      return serverView(found, await app.as(userId).team(), app.people)
    },
  )
}

async function serverView(
  server: McpServer,
  agents: readonly Agent[],
  people: Pick<People, 'audit'>,
): Promise<z.infer<typeof serverSchema>> {
  const { name, tools } = server
  const nothing = { accepted: tools, changed: [], before: [], added: [], gone: [], leftOut: [] }
  const states = await server.states().catch((thrown: Error) => ({ ...nothing, problem: thrown.message }))
  const lists = [states.accepted, states.changed, states.before, states.added]
  const [accepted, changed, before, added] = lists.map((each) => each.map(withDigest))
  const own = agents.find((agent) => agent.name === mcpAgentName(name))?.tools ?? []
  const effects = Object.fromEntries(own.map((tool) => [tool.name.slice(tool.name.indexOf('/') + 1), tool.effect]))
  const why = await people.audit(MAX_ENTRIES, { action: 'accept tools', target: name })
  const withReason = accepted!.map((tool) => ({ ...tool, because: reasonOf(tool, why) }))
  return { name, effects, ...states, accepted: withReason, changed: changed!, before: before!, added: added! }
}

function withDigest(tool: McpTool): z.infer<typeof toolSchema> {
  return { ...tool, digest: digestOf(tool) }
}

/** The latest reason for a tool, if it was given for the present version. */
function reasonOf({ digest }: z.infer<typeof seenSchema>, why: readonly AuditEntry[]) {
  for (const { at, changedBy: by, detail } of why) {
    const { reason, digests } = detail as { readonly reason?: string; readonly digests?: readonly string[] }
    if (reason !== undefined && digests?.includes(digest.slice(0, DIGEST)) === true) return { reason, by, at }
  }
  return undefined
}
