/** An MCP server of a few files that can be listed, searched, read and written. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const FILES = new Map([
  ['minutes/october.md', 'Minutes of October. The roaster in Malmö is repaired on 4 November. Open: supplier Norte.'],
  ['minutes/september.md', 'Minutes of September. The roaster in Malmö was out of order for three days.'],
  ['minutes/august.md', 'Minutes of August. Two tastings were held.'],
  ['offers/norte.txt', 'Offer of Norte: 40 bags at 310 EUR each, valid until 30 November 2026.'],
  ['offers/sur.txt', 'Offer of Sur: 55 bags at 295 EUR each, valid until 15 December 2026.'],
])
const server = new McpServer({ name: 'files', version: '1.0.0' })
const text = (value) => ({ content: [{ type: 'text', text: value }] })
server.registerTool(
  'list_files',
  { description: 'Lists the files of a folder.', inputSchema: { folder: z.string() } },
  ({ folder }) => text([...FILES.keys()].filter((path) => path.startsWith(folder)).join('\n')),
)
server.registerTool(
  'list_directory',
  { description: 'Lists the names in a folder.', inputSchema: { path: z.string() } },
  ({ path }) =>
    text(
      [...FILES.keys()]
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => `[FILE] ${file.slice(path.length + 1)}`)
        .join('\n'),
    ),
)
server.registerTool(
  'search_files',
  { description: 'Finds files by a word in them.', inputSchema: { word: z.string() } },
  ({ word }) =>
    text(
      [...FILES].flatMap(([path, body]) => (body.toLowerCase().includes(word.toLowerCase()) ? path : [])).join('\n'),
    ),
)
server.registerTool('read_file', { description: 'Reads a file.', inputSchema: { path: z.string() } }, ({ path }) =>
  text(FILES.get(path) ?? 'There is no such file.'),
)
server.registerTool(
  'write_file',
  { description: 'Writes a file.', inputSchema: { path: z.string(), body: z.string() } },
  ({ path, body }) => (FILES.set(path, body), text('Written.')),
)

await server.connect(new StdioServerTransport())
