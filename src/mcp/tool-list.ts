import { createHash } from 'node:crypto'
import { onOneLine } from '../domain/prompt-text.ts'
import { truncate, isObject } from '../shared/safe-json.ts'

/** A person at hand who signs in. */
export interface Visitor {
  /** Where the browser comes back to. */
  readonly redirectUrl: string
  /** Shows the page of the sign-in. */
  open(url: URL): void | Promise<void>
  /** The code that came back to `redirectUrl` with this state. */
  code(state: string): Promise<string>
}

/** What a server says of a tool, as far as anybody is shown it. */
export interface McpTool {
  readonly name: string
  /** On one line, and cut. */
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The server says that the tool changes nothing. Only as trustworthy as the server. */
  readonly readOnly: boolean
}

/** What a server offers, and what of it cannot be used. */
export interface McpToolList {
  readonly tools: readonly McpTool[]
  /** In words that follow a name and a colon. */
  readonly leftOut: readonly string[]
}

/** What becomes of the tools that a server offers. */
export interface ToolStates {
  readonly accepted: readonly McpTool[]
  /** Put aside: not the same any more as when they were accepted. */
  readonly changed: readonly McpTool[]
  /** What these were when they were accepted, in the same order. */
  readonly before: readonly McpTool[]
  /** Put aside: they were not there when the others were accepted. */
  readonly added: readonly McpTool[]
  /** Accepted, and not there any more. */
  readonly gone: readonly string[]
  /** What cannot be used at all, and why. */
  readonly leftOut: readonly string[]
}

/** An MCP server of the set-up, for whoever shows it to people. */
export interface McpServer {
  readonly name: string
  /** Those that can be called, as far as is known without asking the server. */
  readonly tools: readonly McpTool[]
  /** Why nothing is known of its tools. */
  readonly problem: string | undefined
  /** Learns its tools, from what was accepted or else from the server itself. @throws TuttiError when neither tells */
  know(): Promise<readonly McpTool[]>
  /** Asks the server. @throws TuttiError when it cannot be reached */
  states(): Promise<ToolStates>
  /** Signs in with a person at hand. @throws TuttiError when it has no sign-in, and for one that fails */
  signIn(visitor: Visitor): Promise<void>
  /**
   * Accepts what it offers now; gives the names of what was put aside before.
   * @param check throws where that is not what somebody has seen
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
const MOST_DESCRIPTION = 1_000
const MOST_SCHEMA = 20_000
const MOST_REASONS = 20
/** Nothing in it can be taken for more than a name. Those of resources and prompts hold a colon. */
const PLAIN_NAME = /^[\p{L}\p{N}_./-]{1,128}$/u

/** The tools of a list that can be used: well-formed, under a plain name that none other has, with a schema of some size. */
export function usableTools(given: readonly unknown[], isTool: (value: unknown) => value is RawTool): McpToolList {
  const wellFormed = given.filter(isTool)
  const counts = new Map<string, number>()
  for (const { name } of wellFormed) counts.set(name, (counts.get(name) ?? 0) + 1)
  const malformed = given.filter((one) => !isTool(one))
  const leftOut = new Set(malformed.map((one) => `${shownName(objectName(one))}: its description is not valid MCP`))
  const tools = wellFormed.flatMap(({ name, description = '', inputSchema, annotations }): McpTool[] => {
    const reason = problemOf(name, counts.get(name)!, inputSchema)
    if (reason !== undefined) return (leftOut.add(`${shownName(name)}: ${reason}`), [])
    // Looked at no further than it is shown.
    const said = truncate(onOneLine(description.slice(0, MOST_DESCRIPTION * 4)), MOST_DESCRIPTION)
    return [{ name, description: said, inputSchema, readOnly: annotations?.readOnlyHint === true }]
  })
  const usable = tools.slice(0, MAX_TOOLS)
  if (usable.length < tools.length) leftOut.add(`all after the first ${MAX_TOOLS}: there are too many`)
  return { tools: usable, leftOut: [...leftOut].slice(0, MOST_REASONS) }
}

function objectName(value: unknown): string {
  const name = isObject(value) ? value['name'] : undefined
  return typeof name === 'string' ? name : 'a tool without a name'
}

function shownName(name: string): string {
  return truncate(onOneLine(name.slice(0, 200)), 60)
}

function problemOf(name: string, count: number, inputSchema: object): string | undefined {
  if (!PLAIN_NAME.test(name)) return 'its name is not made of letters, digits, “_”, “-”, “.” and “/” alone'
  if (count > 1) return `${count} tools have this name`
  return sizeOf(inputSchema) > MOST_SCHEMA ? 'its input schema is too large' : undefined
}

/** Endless for what is nested deeper than can be written. */
function sizeOf(schema: object): number {
  try {
    return JSON.stringify(schema).length
  } catch {
    return Infinity
  }
}

/** The same for tools of which all is the same that anybody is shown. */
export function digestOf({ name, description, inputSchema, readOnly }: McpTool): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema, readOnly]))
    .digest('hex')
}
