import { join } from 'node:path'
import { createApp } from 'tutti'

// Each MCP server is an agent of its own. What it offers is not believed: that a tool only reads, you say.
const file = join(import.meta.dirname, 'mcp.json')
const server = join(import.meta.dirname, '../agents/glossary-server.mjs')
const glossary = { command: process.execPath, args: [server], reads: ['look_up'] }
const app = await createApp({ mcp: [{ file, mcpServers: { glossary } }] })
console.log(app.agents.at(-1)!.name)
console.log((await app.ask('look_up text=peaberry')).answer)
await app.close()
