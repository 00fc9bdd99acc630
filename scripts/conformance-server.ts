/**
 * Serves MCP over HTTP for the official server suite, until its input ends: the product, and a server with the suite's own
 * fixtures over the same transport. Prints both URLs as one line of JSON.
 */
import { createApp } from '../src/app/create-app.ts'
import { signInLocally } from '../src/server/access.ts'
import type { Resource } from '../src/server/context.ts'
import { mcpEndpoint, mcp } from '../src/server/protocols/mcp/endpoint.ts'
import { startServer } from '../src/server/server.ts'
import { fixtureServer } from '../test/support/conformance-fixtures.ts'

const app = await createApp()
const serve = (resource: Resource) =>
  startServer({
    app,
    host: '127.0.0.1',
    port: 0,
    version: '0',
    authenticate: signInLocally,
    resources: [resource],
    onTrouble: ({ message }) => console.error(message),
  })
const product = await serve(mcp('0'))
const fixtures = await serve(mcpEndpoint(async () => fixtureServer()))
console.log(JSON.stringify({ product: `${product.url}/mcp`, fixtures: `${fixtures.url}/mcp` }))
for await (const _ of process.stdin);
await product.close()
await fixtures.close()
await app.close()
