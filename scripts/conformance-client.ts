/**
 * Tutti's MCP client in front of the servers of the conformance suite, which names one by its URL and the scenario by a
 * variable. Run by `npm run conformance`.
 */
import { systemClock } from '../src/shared/clock.ts'
import { TuttiError } from '../src/domain/errors.ts'
import { createFetch } from '../src/http/fetch.ts'
import { mcpConnection } from '../src/mcp/client.ts'
import type { McpConnection } from '../src/mcp/spec.ts'
import type { Visitor } from '../src/mcp/tool-list.ts'
import { SignIn } from '../src/mcp/sign-in.ts'

const [address = ''] = process.argv.slice(2)
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, string>

/** A person who agrees at once. */
function visitor(): Visitor {
  let code: string | undefined
  return {
    redirectUrl: 'http://127.0.0.1:3000/callback',
    async open(url) {
      const answer = await fetch(url, { redirect: 'manual' })
      code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? undefined
    },
    async code() {
      if (code === undefined) throw new Error('No code came back.')
      return code
    },
  }
}

/** What each scenario wants to be called; an agent does the same, after a person or a model has said so. */
async function work(connection: McpConnection): Promise<void> {
  const { tools } = await connection.listTools()
  if (scenario === 'tools_call') await connection.callTool('add_numbers', { a: 5, b: 3 })
  else if (scenario !== 'initialize') {
    for (const { name } of tools) {
      const call = () => connection.callTool(name, {})
      // What may change something is not sent again on its own: whoever has signed in for it meanwhile asks anew, here and nowhere else.
      const isAskedAnew = (error: unknown) => scenario === 'auth/scope-step-up' && TuttiError.is(error, 'EffectUnknown')
      await call().catch((error: unknown) => (isAskedAnew(error) ? call() : Promise.reject(error)))
    }
  }
}

const { client_id: clientId, client_secret: clientSecret } = given
const signIn = new SignIn({
  server: 'conformance',
  url: address,
  visitor: visitor(),
  client: clientId === undefined ? undefined : { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) },
  metadataUrl: 'https://conformance-test.local/client-metadata.json',
})
// The suite serves on this machine, at ports of its choice.
const send = createFetch({ allowHosts: ['localhost', '127.0.0.1'] })
const spec = { transport: 'http', name: 'conformance', url: address, fetch: send, signIn } as const
const connection = mcpConnection(spec, systemClock)
try {
  await work(connection)
} finally {
  await connection.close()
}
