import type { Caller } from '../../../domain/caller.ts'
import type { Resource } from '../../context.ts'
import { mcpEndpoint } from './endpoint.ts'
import { tuttiServer } from './tools.ts'

/** Tutti as an MCP server at `/mcp`, for programs with an API key, within its scopes. */
export function mcp(version: string): Resource {
  return mcpEndpoint(({ app }, caller) =>
    tuttiServer(app, version, ({ authInfo }) => (authInfo?.extra?.['caller'] as Caller | undefined) ?? caller),
  )
}
