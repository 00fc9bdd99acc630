import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { TuttiError } from '../domain/errors.ts'
import { isProtocolError, SignInRenewed } from './errors.ts'
import { readServerUrl } from '../domain/server-url.ts'
import type { SignIn } from './sign-in.ts'
import type { McpSpec } from './spec.ts'

type HttpSpec = McpSpec & { readonly transport: 'http' }

/** Streamable HTTP transport, with a sign-in if one is configured. */
export async function httpTransport(spec: HttpSpec): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport: Transport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  const url = httpUrl(spec.url, spec.name)
  const { signIn } = spec
  const isReady = signIn !== undefined && (await signIn.isReady())
  const transport = new Transport(url, {
    fetch: fetchOf(spec, url),
    ...(isReady ? { authProvider: signIn as SignIn } : {}),
  })
  sendOnce(transport)
  return transport
}

/** Prevents the SDK from repeating a message after a sign-in: for tool calls the caller decides. */
function sendOnce(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport)
  const calls = new WeakSet<object>()
  transport.send = async (message, options) => {
    if (calls.has(message)) throw new SignInRenewed()
    if ('method' in message && message.method === 'tools/call') calls.add(message)
    return send(message, options)
  }
}

/**
 * Pings the server before a call that must not be sent twice. Checks that it is reachable, and that session and sign-in
 * are valid.
 */
export async function pingServer(client: Client, signal: AbortSignal): Promise<void> {
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  try {
    await client.request({ method: 'ping' }, ResultSchema, { signal })
  } catch (error) {
    // Any response shows that it is reachable.
    if (!isProtocolError(error) || client.transport === undefined || signal.aborted) throw error
  }
}

/** Adds the operator's headers to requests to the server only, not to its authorization server. */
function fetchOf({ headers = {}, fetch: send = fetch }: HttpSpec, { origin }: URL): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) return send(input, init)
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return send(input, { ...init, headers: all })
  }
}

function httpUrl(text: string, server: string): URL {
  const url = readServerUrl(text, `The URL of MCP server "${server}"`)
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new TuttiError('ConfigurationError', `The URL of MCP server "${server}" must start with http:// or https://.`)
}
