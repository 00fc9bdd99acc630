import { createHash } from 'node:crypto'
import { onOneLine } from '../domain/prompt-text.ts'
import { truncate, isObject } from '../shared/json.ts'

/** A person who can sign in. */
export interface Visitor {
  /** Redirect URL. */
  readonly redirectUrl: string
  /** Opens the sign-in page. */
  open(url: URL): void | Promise<void>
  /** Waits for the code that arrives at `redirectUrl` with this state. */
  code(state: string): Promise<string>
}

/** A tool as described by its server. */
export interface McpTool {
  readonly name: string
  /** One line, truncated. */
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The server marks the tool as read-only. Only as trustworthy as the server. */
  readonly readOnly: boolean
}

/** Tools of a server, and those that cannot be used. */
export interface McpToolList {
  readonly tools: readonly McpTool[]
  /** Reasons, worded to follow a name and a colon. */
  readonly leftOut: readonly string[]
}

/** State of the tools that a server offers. */
export interface ToolStates {
  readonly accepted: readonly McpTool[]
  /** Disabled, because they changed since they were accepted. */
  readonly changed: readonly McpTool[]
  /** Their accepted versions, in the same order. */
  readonly before: readonly McpTool[]
  /** Disabled, because they were added after the others were accepted. */
  readonly added: readonly McpTool[]
  /** Accepted, but no longer offered. */
  readonly gone: readonly string[]
  /** Tools that cannot be used, with the reason. */
  readonly leftOut: readonly string[]
}

/** A configured MCP server, for user interfaces. */
export interface McpServer {
  readonly name: string
  /** Tools that can be called, as far as known without a request to the server. */
  readonly tools: readonly McpTool[]
  /** Why its tools are unknown. */
  readonly problem: string | undefined
  /** Loads its tools, from the accepted ones or else from the server. @throws TuttiError if neither is available */
  know(): Promise<readonly McpTool[]>
  /** Requests the tools. @throws TuttiError if the server cannot be reached */
  states(): Promise<ToolStates>
  /** Signs in with a person. @throws TuttiError if the server has no sign-in, or the sign-in fails */
  signIn(visitor: Visitor): Promise<void>
  /**
   * Accepts the tools that the server offers now. Returns the names of the tools that were disabled before.
   * @param check throws if they are not the ones that the user has seen
   */
  accept(check?: (states: ToolStates) => void | Promise<void>): Promise<readonly string[]>
}

export interface RawTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined
}

export const MAX_TOOLS = 2_000
const MAX_DESCRIPTION_CHARS = 1_000
const MAX_SCHEMA_CHARS = 20_000
const MAX_REASONS = 20
/** Names cannot contain text for the model. */
const PLAIN_NAME = /^[\p{L}\p{N}_./-]{1,128}$/u

/** Selects usable tools: well-formed, with a valid and unique name and a schema of limited size. */
export function usableTools(given: readonly unknown[], isTool: (value: unknown) => value is RawTool): McpToolList {
  const wellFormed = given.filter(isTool)
  const counts = new Map<string, number>()
  for (const { name } of wellFormed) counts.set(name, (counts.get(name) ?? 0) + 1)
  const malformed = given.filter((one) => !isTool(one))
  const leftOut = new Set(malformed.map((one) => `${printableName(objectName(one))}: its description is not valid MCP`))
  const tools = wellFormed.flatMap(({ name, description = '', inputSchema, annotations }): McpTool[] => {
    const reason = problemOf(name, counts.get(name)!, inputSchema)
    if (reason !== undefined) return (leftOut.add(`${printableName(name)}: ${reason}`), [])
    // Only the shown part is processed.
    const shortDescription = truncate(onOneLine(description.slice(0, MAX_DESCRIPTION_CHARS * 4)), MAX_DESCRIPTION_CHARS)
    return [{ name, description: shortDescription, inputSchema, readOnly: annotations?.readOnlyHint === true }]
  })
  const usable = tools.slice(0, MAX_TOOLS)
  if (usable.length < tools.length) leftOut.add(`all after the first ${MAX_TOOLS}: there are too many`)
  return { tools: usable, leftOut: [...leftOut].slice(0, MAX_REASONS) }
}

function objectName(value: unknown): string {
  const name = isObject(value) ? value['name'] : undefined
  return typeof name === 'string' ? name : 'a tool without a name'
}

function printableName(name: string): string {
  return truncate(onOneLine(name.slice(0, 200)), 60)
}

function problemOf(name: string, count: number, inputSchema: object): string | undefined {
  if (!PLAIN_NAME.test(name)) return 'its name is not made of letters, digits, “_”, “-”, “.” and “/” alone'
  if (count > 1) return `${count} tools have this name`
  return sizeOf(inputSchema) > MAX_SCHEMA_CHARS ? 'its input schema is too large' : undefined
}

/** Infinity if the schema is nested too deeply to be serialised. */
function sizeOf(schema: object): number {
  try {
    return JSON.stringify(schema).length
  } catch {
    return Infinity
  }
}

/** Hash of everything that is shown of a tool. */
export function digestOf({ name, description, inputSchema, readOnly }: McpTool): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema, readOnly]))
    .digest('hex')
}
