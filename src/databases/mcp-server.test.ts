import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../core/clock.ts'
import { connectMcp, type McpConnection } from '../mcp/client.ts'
import { openDatabase, type Database } from './database.ts'
import { createGate, type Gate } from './gate/index.ts'
import { createDatabaseMcpServer, type DatabaseServerOptions } from './mcp-server.ts'

let folder: string
let gate: Gate
let shop: Database
let staff: Database
let connection: McpConnection

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-mcp-db-'))
  gate = createGate()
})

beforeEach(() => {
  rmSync(join(folder, 'shop.db'), { force: true })
  rmSync(join(folder, 'staff.db'), { force: true })
  write(
    'shop',
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob')",
  )
  write('shop', 'CREATE TABLE cards (number TEXT)')
  write('staff', 'CREATE TABLE people (id INTEGER PRIMARY KEY)')
  shop = openDatabase(join(folder, 'shop.db'))
  staff = openDatabase(join(folder, 'staff.db'))
})

afterEach(async () => {
  await connection.close()
  await shop.close()
  await staff.close()
})

afterAll(async () => {
  await gate.close()
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, sql: string): void {
  const database = new Libsql(join(folder, `${name}.db`))
  database.exec(sql)
  database.close()
}

async function serve(databases: Database[], options?: DatabaseServerOptions): Promise<McpConnection> {
  const server = await createDatabaseMcpServer(databases, gate, options)
  connection = await connectMcp({ transport: 'in-memory', name: 'databases', server })
  return connection
}

const query = async (args: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const { structured, text } = await connection.callTool('mcp_db_query', args)
  expect(JSON.parse(text)).toEqual(structured)
  return structured as Record<string, unknown>
}

const tableNames = async (args: Record<string, unknown>): Promise<string[]> => {
  const { structured } = await connection.callTool('mcp_db_schema', args)
  return (structured as { tables: { name: string }[] }).tables.map((table) => table.name)
}

describe('the tools', () => {
  it('are declared read-only, with their arguments', async () => {
    const tools = await (await serve([shop, staff])).listTools()
    expect(tools.map((tool) => [tool.name, tool.readOnly])).toEqual([
      ['mcp_db_schema', true],
      ['mcp_db_query', true],
    ])
    expect(tools[1]!.inputSchema).toMatchObject({ required: ['sql'], properties: { sql: { type: 'string' } } })
    // The client checks structured results against the declared form once it knows it.
    expect(await query({ sql: 'SELECT 1', database: 'shop' })).toMatchObject({ success: true })
    expect(await query({ sql: 'DROP TABLE customers', database: 'shop' })).toMatchObject({ success: false })
  })

  it('give schema and rows', async () => {
    await serve([shop])
    const { structured } = await connection.callTool('mcp_db_schema', {})
    expect(structured).toEqual(await shop.schema())
    expect(await tableNames({ tables: ['customers', 'nothing'] })).toEqual(['customers'])
    expect(await query({ sql: 'SELECT id, name FROM customers ORDER BY id' })).toEqual({
      success: true,
      columns: ['id', 'name'],
      data: [
        [1, 'Ada'],
        [2, 'Bob'],
      ],
      row_count: 2,
      error: null,
      truncated: false,
    })
    expect(await query({ sql: 'SELECT id FROM customers', maxRows: 1 })).toMatchObject({
      row_count: 1,
      truncated: true,
    })
  })

  it('want to know which database, when there are several', async () => {
    await serve([shop, staff])
    expect(await query({ sql: 'SELECT id FROM people', database: 'staff' })).toMatchObject({ success: true })
    expect(await query({ sql: 'SELECT 1' })).toMatchObject({
      success: false,
      error: 'Say which database is meant; there are: "shop", "staff".',
      error_code: 'ConfigurationError',
    })
    expect(await query({ sql: 'SELECT 1', database: 'other' })).toMatchObject({ success: false })
    const result = await connection.callTool('mcp_db_schema', { database: 'other' })
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('There is no database \\"other\\"') })
  })
})

describe('what is refused or fails', () => {
  it('says why the gate refused, and marks it as an error of the tool', async () => {
    await serve([shop])
    const result = await connection.callTool('mcp_db_query', { sql: 'DELETE FROM customers' })
    expect(result.isError).toBe(true)
    expect(result.structured).toMatchObject({
      success: false,
      blocked: true,
      rule: 'statement-kind',
      error: expect.any(String),
      error_code: 'QueryBlocked',
      columns: [],
      data: [],
      row_count: 0,
    })
  })

  it('neither shows nor reads tables that are not allowed', async () => {
    await serve([shop], { allowedTables: { shop: ['customers'] } })
    expect(await tableNames({})).toEqual(['customers'])
    expect(await tableNames({ tables: ['cards'] })).toEqual([])
    expect(await query({ sql: 'SELECT number FROM cards' })).toMatchObject({ blocked: true, rule: 'table' })
    expect(await query({ sql: 'SELECT name FROM customers LIMIT 1' })).toMatchObject({ success: true })
  })

  it('gives the database’s own message', async () => {
    await serve([shop])
    expect(await query({ sql: 'SELECT abs(-9223372036854775808)' })).toMatchObject({
      success: false,
      error: expect.stringContaining('integer overflow'),
      error_code: 'QueryError',
    })
  })

  it('tells a configuration error as one', async () => {
    const missing = openDatabase(join(folder, 'missing.db'))
    await serve([missing])
    expect(await query({ sql: 'SELECT 1' })).toMatchObject({ success: false, error_code: 'ConfigurationError' })
  })

  it('passes an abort on to the database', async () => {
    await serve([shop])
    const endless = 'SELECT count(*) FROM customers a, customers b'
    await query({ sql: endless })
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const watched: Database = {
      name: 'shop',
      dialect: 'sqlite',
      schema: () => shop.schema(),
      walls: () => shop.walls(),
      query: (_sql, options) => {
        signal = options?.signal
        controller.abort()
        return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('stopped'))))
      },
      close: async () => {},
    }
    await connection.close()
    await serve([watched])
    const call = connection.callTool('mcp_db_query', { sql: endless }, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'Cancelled' })
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  it('wants names that are unique, and allow-lists of databases that exist', async () => {
    await serve([shop])
    await expect(createDatabaseMcpServer([shop, shop], gate)).rejects.toMatchObject({ code: 'ConfigurationError' })
    await expect(createDatabaseMcpServer([shop], gate, { allowedTables: { shpo: [] } })).rejects.toMatchObject({
      code: 'ConfigurationError',
      message: 'There is no database "shpo"; there are: "shop".',
    })
  })
})

describe('the kept schema', () => {
  let now = 0
  const clock: Clock = { now: () => now, timer: () => () => {} }

  it('is read again after its time, on demand, and for a table it does not know', async () => {
    await serve([shop], { clock, schemaLifeMs: 1000 })
    expect(await tableNames({})).toEqual(['cards', 'customers'])
    write('shop', 'CREATE TABLE added (a)')
    expect(await tableNames({})).toEqual(['cards', 'customers'])
    now += 1000
    expect(await tableNames({})).toContain('added')
    write('shop', 'CREATE TABLE more (a)')
    expect(await tableNames({ refresh: true })).toContain('more')
    write('shop', 'CREATE TABLE newest (a)')
    expect(await query({ sql: 'SELECT a FROM newest' })).toMatchObject({ success: true })
  })

  it('does not keep a failure', async () => {
    const late = openDatabase(join(folder, 'late.db'))
    await serve([late], { clock })
    expect((await connection.callTool('mcp_db_schema', {})).isError).toBe(true)
    write('late', 'CREATE TABLE a (b)')
    expect(await tableNames({})).toEqual(['a'])
    await late.close()
  })
})
