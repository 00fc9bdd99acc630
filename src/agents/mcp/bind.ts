import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { ownData, outsideData } from '../../domain/provenance.ts'
import { defineTool, type Reach, type ToolInfo } from '../../domain/tool.ts'
import { serverMessage } from '../../mcp/errors.ts'
import type { McpTool } from '../../mcp/tool-list.ts'
import { sortBySchema } from '../../domain/merged-schema.ts'
import { openParts } from '../schema-parts.ts'
import { knownTool, type KnownTool } from '../tool-agent/tools.ts'
import { disabledMessage, type ToolServer } from './server.ts'

/** The output of an MCP server's tool. */
export interface McpOutput {
  readonly text: string
  readonly structured?: unknown
}

const PREFIX = 'mcp:'

interface McpName {
  readonly server: string
  readonly tool: string
}

/** Parses `mcp:<server>/<tool>`; undefined for any other name. */
export function parseMcpName(name: string): McpName | undefined {
  const slash = name.indexOf('/')
  if (!name.startsWith(PREFIX) || slash < 0) return undefined
  return { server: name.slice(PREFIX.length, slash), tool: name.slice(slash + 1) }
}

/** The tools of a server that were accepted, as ours, by the names under which they are bound. */
export function boundTools(server: ToolServer): ReadonlyMap<string, ReturnType<typeof knownTool>> {
  return new Map(server.tools.map((tool) => [`${PREFIX}${server.name}/${tool.name}`, bind(server, tool)]))
}

/** The disabled tools of a server, each with the reason and what to do. */
export function disabledTools(server: ToolServer): KnownTool[] {
  return server.disabled.map((tool) => ({
    ...bind(server, tool),
    disabledReason: disabledMessage(server.settings, tool.name),
  }))
}

/** The description of a tool that is not known yet: it may have any effect. */
export function unknownTool({ server, tool }: McpName): ToolInfo {
  return { name: `${PREFIX}${server}/${tool}`, description: '', effect: 'irreversible' }
}

/** The problem of the operator's `reads` setting; undefined if all tools exist. */
export function unknownReads({ name, tools, settings }: ToolServer): string | undefined {
  const names = tools.map((tool) => tool.name)
  const unknown = settings.reads.filter((read) => !names.includes(read))
  if (unknown.length === 0) return undefined
  return `The configuration says "reads: [${unknown.join(', ')}]" of the MCP server "${name}", which has no such tool. There are: ${names.join(', ') || 'none'}.`
}

/**
 * A server's tool as a Tutti tool. The server is not trusted: a tool that the operator has not declared as reading may
 * do anything, and each call needs approval. The server validates the input.
 */
function bind(server: ToolServer, given: McpTool): ReturnType<typeof knownTool> {
  const { name, description, inputSchema, readOnly } = given
  const { reads, trustHints, trusted, isInternal } = server.settings
  const source = `${PREFIX}${server.name}`
  const effect = reads.includes(name) || (trustHints && readOnly) ? 'read' : 'irreversible'
  const tool = defineTool<unknown, unknown>({
    name: `${source}/${name}`,
    description,
    effect,
    input: z.record(z.string(), z.unknown()),
    provenance: trusted ? ownData(source) : outsideData(source),
    askedSince: approvalReason(readOnly),
    reach: trusted || isInternal ? 'inside' : reachOf(server.name, inputSchema),
    destination: () => source,
    async run(input, { signal }): Promise<McpOutput> {
      const ordered = sortBySchema(inputSchema, input) as Record<string, unknown>
      const result = await server.call(given, ordered, { signal, isRead: effect === 'read' })
      if (result.isError)
        throw new TuttiError('ToolError', serverMessage(result.text) || `The tool "${name}" failed without a reason.`)
      return { text: result.text, ...(result.structured === undefined ? {} : { structured: result.structured }) }
    },
  })
  return knownTool({ tool, inputSchema, source: { kind: 'mcp', name: server.name } })
}

/** Why a call of an MCP tool needs approval: only the operator can declare a tool as reading. */
function approvalReason(isSaidToRead: boolean): string {
  return isSaidToRead
    ? 'The server says that this only reads; Tutti relies on that only if its operator allows it (docs/mcp.md)'
    : 'This call may change something: the server does not say that it only reads'
}

/** The parts of an input that the server's own schema leaves open: unlisted values and undeclared names. */
function reachOf(server: string, schema: McpTool['inputSchema']): Reach<unknown> {
  const source = `${PREFIX}${server}`
  return (input, earlier) => ({
    to: `the MCP server "${server}"`,
    destination: source,
    known: earlier.filter(({ tool }) => tool.startsWith(`${source}/`)).map(({ input, output }) => [input, output]),
    ...openParts(schema, sortBySchema(schema, input)),
  })
}
