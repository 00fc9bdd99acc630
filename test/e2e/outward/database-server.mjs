/** A foreign MCP server that is a database: one table of one row. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'archive', version: '1.0.0' })
const text = (value) => ({ content: [{ type: 'text', text: value }] })
server.registerTool('mcp_db_schema', { description: 'Schema', inputSchema: {} }, () =>
  text('There is one table, harvests, with the columns region and bags.'),
)
server.registerTool('mcp_db_query', { description: 'Query', inputSchema: { sql: z.string() } }, () =>
  text(JSON.stringify({ success: true, columns: ['bags'], data: [[12000]], row_count: 1, error: null })),
)

await server.connect(new StdioServerTransport())
