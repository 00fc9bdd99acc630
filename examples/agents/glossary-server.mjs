/** An MCP server with one tool, to show how an agent is given tools. It needs no network. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const TERMS = {
  peaberry: 'A coffee cherry with one round seed in place of two flat ones. Peaberries are sorted out and sold apart.',
  'development time': 'The part of a roast from first crack to drop. Usually 15 % to 22 % of the whole roast.',
  'first crack': 'The moment in a roast at which the beans pop audibly, at about 196 °C.',
  'wet-hulled':
    'Parchment is removed while the bean is still moist. Usual in Indonesia; gives body and little acidity.',
}

const server = new McpServer({ name: 'glossary', version: '1.0.0' })

server.registerTool(
  'look_up',
  {
    description: 'Looks words of the coffee trade up; takes a word or a sentence that holds some.',
    inputSchema: { text: z.string() },
    annotations: { readOnlyHint: true },
  },
  ({ text }) => {
    const found = Object.entries(TERMS).filter(([term]) => text.toLowerCase().includes(term))
    const lines = found.map(([term, meaning]) => `${term}: ${meaning}`)
    return { content: [{ type: 'text', text: lines.join('\n') || 'None of its words are in the glossary.' }] }
  },
)

await server.connect(new StdioServerTransport())
