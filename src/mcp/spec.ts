import type { McpToolList } from './tool-list.ts'
import type { ServerProgram } from './program-transport.ts'
import type { SignIn } from './sign-in.ts'

/** A server of the MCP SDK, told without its types, which users of the library have not installed. */
interface InMemoryServer {
  connect(transport: object): Promise<void>
}

/** Where an MCP server is: in this process, a program to start, or an address (streamable HTTP). */
export type McpSpec = {
  /** Values that were given to the server and nobody is to see: `***` in whatever it says. */
  readonly secrets?: readonly string[]
} & (
  | { readonly transport: 'in-memory'; readonly name: string; readonly server: InMemoryServer }
  | ({ readonly transport: 'stdio'; readonly name: string } & ServerProgram)
  | {
      readonly transport: 'http'
      readonly name: string
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
      /** What sends the requests, sign-in included; that of Node when absent. */
      readonly fetch?: typeof fetch
      /** How to sign in where the server asks for it (OAuth 2.1). */
      readonly signIn?: SignIn
    }
)

/** A question of the server in the middle of a call. */
export interface Elicitation {
  readonly message: string
  /** JSON Schema of what it wants to know. */
  readonly schema?: unknown
}

export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Record<string, string | number | boolean | string[]>
}

export interface McpCallOptions {
  /** The call changes nothing, so it may be sent again. */
  readonly isRead?: boolean
  readonly signal?: AbortSignal
  /** What `ready` gave when the call was chosen: `OfferChanged` is thrown, and nothing sent, where the server may offer something else by now. */
  readonly version?: number
  /** Milliseconds; 60,000 when absent. Whatever the server says of its progress lengthens it, up to ten times. */
  readonly timeoutMs?: number
  /** Told how far the call is, and what the server says meanwhile; a line each. */
  readonly onNote?: (line: string) => void
  /** Asked what the server asks. Declined when absent, and when calls of several jobs are under way. */
  readonly onQuestion?: (question: Elicitation) => Promise<ElicitationAnswer>
}

export interface McpToolResult {
  /** `structuredContent`, where the tool gives it. */
  readonly structured?: unknown
  /** All content as text; images and the like as a note of what they are. */
  readonly text: string
  /** The tool itself reports failure; `text` says why. */
  readonly isError: boolean
}

/**
 * Errors are `ToolError` (retryable when the transport broke or time ran out), `ConfigurationError` and `Cancelled`; and
 * `EffectUnknown` where it broke or time ran out after a call was sent that is not said to read.
 */
export interface McpConnection {
  readonly name: string
  /** Connects if need be. Gives another number after the server was started again or said that its tools have changed. */
  ready(options?: McpCallOptions): Promise<number>
  listTools(options?: McpCallOptions): Promise<McpToolList>
  callTool(name: string, args: Readonly<Record<string, unknown>>, options?: McpCallOptions): Promise<McpToolResult>
  /** Ends the connection; a server program that was started is ended too. */
  close(): Promise<void>
}
