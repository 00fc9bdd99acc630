import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import Libsql from 'libsql'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { McpSpec } from '../mcp/spec.ts'
import { openDatabase, type Database } from './database.ts'
import { createSqlGuard, type SqlGuard } from './sql-guard/index.ts'
import { createSqlSources, type SqlSources, type SqlSourcesOptions } from './sources.ts'

let folder: string
let gate: SqlGuard
let shop: Database
let staff: Database
const opened: SqlSources[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-sources-'))
  gate = createSqlGuard()
  for (const name of ['shop', 'staff']) {
    const file = new Libsql(join(folder, `${name}.db`))
    file.exec(`CREATE TABLE ${name}_items (id INTEGER PRIMARY KEY); INSERT INTO ${name}_items VALUES (1), (2)`)
    file.close()
  }
  shop = openDatabase(join(folder, 'shop.db'))
  staff = openDatabase(join(folder, 'staff.db'))
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((sources) => sources.close()))
})

afterAll(async () => {
  await Promise.all([shop.close(), staff.close()])
  rmSync(folder, { recursive: true, force: true })
})

function open(options: Partial<SqlSourcesOptions>): SqlSources {
  const sources = createSqlSources({ databases: [], gate, ...options })
  opened.push(sources)
  return sources
}

type Reply = CallToolResult | (() => never)

/** An external server in the form of a third party. `asked` collects the arguments of its calls. */
function external(schema: Reply, query: Reply, argument = 'query'): { spec: McpSpec; asked: unknown[] } {
  const server = new McpServer({ name: 'external', version: '1' })
  const asked: unknown[] = []
  const answer = (reply: Reply) => (args: unknown) => {
    asked.push(args)
    return typeof reply === 'function' ? reply() : reply
  }
  server.registerTool('mcp_db_schema', { inputSchema: { database: z.string().optional() } }, answer(schema))
  server.registerTool('mcp_db_query', { inputSchema: { [argument]: z.string() } }, answer(query))
  return { spec: { transport: 'in-memory', name: 'warehouse', server }, asked }
}

const text = (value: unknown, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
  isError,
})

it("keeps the digits of an external server's numbers, which the SDK rounds", async () => {
  const json = '{"success":true,"columns":["id"],"data":[[9007199254740993]],"row_count":1,"error":null}'
  const rounded = { ...text(json), structuredContent: JSON.parse(json) as Record<string, unknown> }
  for (const reply of [text(json), rounded]) {
    const sources = open({ mcp: [external(text({}), reply).spec] })
    expect(await sources.query('warehouse', 'SELECT id FROM t')).toMatchObject({ data: [['9007199254740993']] })
  }
})

describe('the built-in databases', () => {
  it('are one source each', async () => {
    const sources = open({ databases: [shop, staff] })
    expect(await sources.schema('staff')).toEqual(await staff.schema())
    expect(await sources.query('shop', 'SELECT count(*) AS n FROM shop_items')).toMatchObject({
      success: true,
      columns: ['n'],
      data: [[2]],
    })
  })

  it('need no name when there is only one, and a valid one otherwise', async () => {
    expect(await open({ databases: [shop] }).query(undefined, 'SELECT 1')).toMatchObject({ success: true })
    const both = open({ databases: [shop, staff] })
    await expect(both.query(undefined, 'SELECT 1')).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: 'Say which SQL source is meant: "shop", "staff".',
    })
    await expect(both.schema('other')).rejects.toMatchObject({ code: 'ConfigurationError' })
    await expect(open({}).query(undefined, 'SELECT 1')).rejects.toThrow('none is configured')
  })

  it('stay behind the SQL guard', async () => {
    const sources = open({ databases: [shop], allowedTables: { shop: [] } })
    expect(await sources.query('shop', 'SELECT id FROM shop_items')).toMatchObject({ success: false, blocked: true })
  })

  it('report a wrong configuration, in the schema too', async () => {
    const sources = open({ databases: [openDatabase(join(folder, 'missing.db'))] })
    await expect(sources.schema()).rejects.toMatchObject({
      code: 'SourceNotFound',
      message: expect.stringContaining('there is no such file'),
    })
  })

  it('need unique names', () => {
    expect(() => open({ databases: [shop, shop] })).toThrow('Two SQL sources are named "shop"')
  })
})

describe('an external server', () => {
  const rows = { success: true, columns: ['a'], data: [[1]], row_count: 1, error: null }

  it('is a source like the others, with its own arguments', async () => {
    const { spec, asked } = external(text('Table stock(id, amount)'), text(rows))
    const sources = open({ databases: [shop], mcp: [spec] })
    expect(await sources.schema('warehouse')).toEqual({ text: 'Table stock(id, amount)' })
    expect(await sources.query('warehouse', 'SELECT a FROM stock')).toEqual({ ...rows, truncated: false })
    expect(asked).toEqual([{}, { query: 'SELECT a FROM stock' }])
  })

  it('may return its schema in Tutti’s form', async () => {
    const schema = await shop.schema()
    const { spec } = external(text(schema), text(rows), 'sql')
    expect(await open({ mcp: [spec] }).schema()).toEqual(schema)
  })

  it.each([
    [
      'rows as objects',
      { data: [{ a: 1, b: 2 }, { a: 3 }] },
      {
        columns: ['a', 'b'],
        data: [
          [1, 2],
          [3, null],
        ],
      },
    ],
    ['a failure in our form', { success: false, error: 'no such table' }, { success: false, error: 'no such table' }],
    ['an error alone', { error: 'no such table' }, { success: false, error: 'no such table' }],
  ])('may return %s', async (_, reply, expected) => {
    const { spec } = external(text(''), text(reply))
    expect(await open({ mcp: [spec] }).query(undefined, 'SELECT 1')).toMatchObject(expected)
  })

  it('may fail with an MCP error result', async () => {
    const { spec } = external(text('no access', true), text('syntax error near x', true))
    const sources = open({ mcp: [spec] })
    expect(await sources.query(undefined, 'SELECT x')).toMatchObject({ success: false, error: 'syntax error near x' })
    await expect(sources.schema()).rejects.toMatchObject({ code: 'ToolError', message: 'warehouse: no access' })
  })

  it('is not interpreted when its answer is invalid', async () => {
    const { spec } = external(text(''), text('here you are'))
    await expect(open({ mcp: [spec] }).query(undefined, 'SELECT 1')).rejects.toMatchObject({
      code: 'ToolError',
      message: expect.stringContaining('not understood'),
    })
  })

  it('must offer both tools', async () => {
    const server = new McpServer({ name: 'other', version: '1' })
    server.registerTool('mcp_db_query', { inputSchema: { sql: z.string() } }, () => text(''))
    const sources = open({ mcp: [{ transport: 'in-memory', name: 'half', server }] })
    await expect(sources.query('half', 'SELECT 1')).rejects.toMatchObject({ code: 'ConfigurationError' })
  })

  it('that is down does not affect the others', async () => {
    const spec: McpSpec = { transport: 'stdio', name: 'down', command: '/nowhere/at/all' }
    const sources = open({ databases: [shop], mcp: [spec] })
    expect(await sources.query('shop', 'SELECT 1')).toMatchObject({ success: true })
    await expect(sources.query('down', 'SELECT 1')).rejects.toMatchObject({ code: 'ConfigurationError' })
    await expect(sources.query('down', 'SELECT 1')).rejects.toMatchObject({ code: 'ConfigurationError' })
  })
})
