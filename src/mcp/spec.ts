import type { McpToolList, Visitor } from './tool-list.ts'

/** Credentials for a server: a `SignIn`. Declared without the SDK's types, which users of the library may not have installed. */
export interface ServerSignIn {
  isReady(): Promise<boolean>
  code(): Promise<string>
  secrets(): Promise<readonly string[]>
  with(visitor: Visitor): ServerSignIn
}

/** A server program. */
export interface ServerProgram {
  readonly command: string
  readonly args?: readonly string[]
  /**
   * Environment of the program, in addition to basic variables such as PATH, HOME and USER. No other variables are
   * passed on.
   */
  readonly env?: Readonly<Record<string, string>>
  /** Working directory. */
  readonly cwd?: string
}

/** Location of an MCP server: a program to start, or an address (streamable HTTP). */
export type McpSpec = {
  /** Values that were given to the server; masked as `***` in all its messages. */
  readonly secrets?: readonly string[]
} & (
  | ({ readonly transport: 'stdio'; readonly name: string } & ServerProgram)
  | {
      readonly transport: 'http'
      readonly name: string
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
      /** Fetch function for requests, sign-in included; default: that of Node.js. */
      readonly fetch?: typeof fetch
      /** Sign-in, if the server requires one (OAuth 2.1). */
      readonly signIn?: ServerSignIn
    }
)

export interface McpCallOptions {
  /** The call changes nothing, so it may be repeated. */
  readonly isRead?: boolean
  readonly signal?: AbortSignal
  /**
   * Value of `ready` when the tool was chosen. If the tools may have changed since, `OfferChanged` is thrown and
   * nothing is sent.
   */
  readonly version?: number
  /** Milliseconds; default 60,000. */
  readonly timeoutMs?: number
}

export interface McpToolResult {
  /** `structuredContent` of the tool, if present. */
  readonly structured?: unknown
  /** All content as text; other content, such as images, as a short description. */
  readonly text: string
  /** The tool reports failure; `text` has the reason. */
  readonly isError: boolean
}

/**
 * Errors are `ToolError` (retryable after a broken connection or a timeout), `ConfigurationError` and `Cancelled`, and
 * `EffectUnknown` after a broken connection or a timeout of a call that is not marked as read-only.
 */
export interface McpConnection {
  readonly name: string
  /** Connects if necessary. The returned number changes when the server was restarted or reported changed tools. */
  ready(options?: McpCallOptions): Promise<number>
  listTools(options?: McpCallOptions): Promise<McpToolList>
  callTool(name: string, args: Readonly<Record<string, unknown>>, options?: McpCallOptions): Promise<McpToolResult>
  /** Closes the connection; ends a started server program. */
  close(): Promise<void>
}
