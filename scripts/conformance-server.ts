/** Serves MCP over HTTP for the official server suite, until its input ends. Prints its URL as one line. */
import { createApp } from '../src/app/create-app.ts'
import { signInLocally } from '../src/server/access.ts'
import { mcp } from '../src/server/protocols/mcp/endpoint.ts'
import { startServer } from '../src/server/server.ts'

const app = await createApp()
const server = await startServer({
  app,
  host: '127.0.0.1',
  port: 0,
  version: '0',
  authenticate: signInLocally,
  resources: [mcp('0')],
  onError: ({ message }) => console.error(message),
})
console.log(`${server.url}/mcp`)
for await (const _ of process.stdin);
await server.close()
await app.close()
