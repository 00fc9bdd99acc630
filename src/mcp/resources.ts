import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { McpTool } from './tool-list.ts'

/** Resources and prompts of a server as tools to list and read them. No tool of a server has a colon in its name. */
const TOOLS = {
  'resource:list': tool('resource:list', 'Lists the resources of this server, and the templates of their addresses.'),
  'resource:read': tool('resource:read', 'Reads one resource of this server.', {
    properties: { uri: { type: 'string', description: 'address of the resource' } },
    required: ['uri'],
  }),
  'prompt:list': tool('prompt:list', 'Lists the prompts that this server has ready, and their arguments.'),
  'prompt:get': tool('prompt:get', 'Gets the text of one prompt of this server.', {
    properties: {
      name: { type: 'string', description: 'name of the prompt' },
      arguments: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['name'],
  }),
} satisfies Readonly<Record<string, McpTool>>

type Name = keyof typeof TOOLS

function tool(name: string, description: string, schema: object = {}): McpTool {
  return { name, description, inputSchema: { type: 'object', properties: {}, ...schema }, readOnly: true }
}

/** The tools for a server that has resources, prompts or both. */
export function resourceTools(client: Client): readonly McpTool[] {
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  return [
    ...(resources === undefined ? [] : [TOOLS['resource:list'], TOOLS['resource:read']]),
    ...(prompts === undefined ? [] : [TOOLS['prompt:list'], TOOLS['prompt:get']]),
  ]
}

export function isResourceTool(name: string): name is Name {
  return Object.hasOwn(TOOLS, name)
}

/**
 * Calls such a tool; the result has the form of any tool result. Lists are limited to one page; the total is unknown.
 */
export async function callResourceTool(
  client: Client,
  name: Name,
  args: Readonly<Record<string, unknown>>,
  options: RequestOptions,
): Promise<{ readonly content: readonly unknown[] }> {
  const asText = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value, null, 1) }] })
  switch (name) {
    case 'resource:list': {
      const { resources, nextCursor } = await client.listResources(undefined, options)
      // Many servers do not support templates and return an error.
      const templates = await client.listResourceTemplates(undefined, options).catch(() => undefined)
      return asText({
        resources: resources.map(({ uri, name: title, description }) => ({ uri, name: title, description })),
        templates: (templates?.resourceTemplates ?? []).map(({ uriTemplate, description }) => ({
          uriTemplate,
          description,
        })),
        ...(nextCursor === undefined ? {} : { more: 'there are more than are listed here' }),
      })
    }
    case 'resource:read': {
      const { contents } = await client.readResource({ uri: String(args['uri']) }, options)
      return { content: contents.map((resource) => ({ type: 'resource', resource })) }
    }
    case 'prompt:list': {
      const { prompts, nextCursor } = await client.listPrompts(undefined, options)
      return asText({
        prompts: prompts.map(({ name: title, description, arguments: wanted }) => ({
          name: title,
          description,
          arguments: wanted,
        })),
        ...(nextCursor === undefined ? {} : { more: 'there are more than are listed here' }),
      })
    }
    case 'prompt:get': {
      const values = Object.entries(Object(args['arguments']) as object).map(([key, value]) => [key, String(value)])
      const { messages } = await client.getPrompt(
        { name: String(args['name']), arguments: Object.fromEntries(values) as Record<string, string> },
        options,
      )
      return { content: messages.map(({ content }) => content) }
    }
  }
}
