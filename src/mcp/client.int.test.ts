import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectMcp } from './client.ts'
import type { McpConnection, McpSpec } from './spec.ts'
import { isAlive } from '../../test/support/child-processes.ts'
import { freePort } from '../../test/support/free-port.ts'

const require = createRequire(import.meta.url)
const program = (name: string): string =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist', 'index.js')
const EVERYTHING = program('server-everything')

const stdio = (extra: Partial<Extract<McpSpec, { transport: 'stdio' }>> = {}): McpSpec => ({
  transport: 'stdio',
  name: 'everything',
  command: process.execPath,
  args: [EVERYTHING, 'stdio'],
  ...extra,
})

const open: McpConnection[] = []
const connect = async (spec: McpSpec): Promise<McpConnection> => {
  const connection = await connectMcp(spec)
  open.push(connection)
  return connection
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

const SLOW = 'trigger-long-running-operation'

/** What must hold over every transport. */
function behaves(transport: string, spec: () => McpSpec): void {
  describe(`over ${transport}`, () => {
    it('lists and calls tools', async () => {
      const server = await connect(spec())
      const { tools } = await server.listTools()
      expect(tools.find((tool) => tool.name === 'echo')).toMatchObject({
        description: expect.any(String),
        inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
      })
      expect(await server.callTool('echo', { message: 'hé' })).toEqual({ text: 'Echo: hé', isError: false })
      const structured = await server.callTool('get-structured-content', { location: 'New York' })
      expect(structured).toMatchObject({ isError: false, structured: { temperature: expect.any(Number) } })
    })

    it('describes content that is no text', async () => {
      const server = await connect(spec())
      const { text } = await server.callTool('get-tiny-image', {})
      expect(text).toContain('[image image/png]')
      expect(text).not.toMatch(/[A-Za-z0-9+/]{200}/)
    })

    it('reports a wrong tool and wrong arguments as permanent failures', async () => {
      const server = await connect(spec())
      const unknown = await server.callTool('no-such-tool', {}).catch((error: unknown) => error)
      expect(unknown).toMatchObject({ text: expect.stringContaining('no-such-tool') })
      expect(await server.callTool('echo', { message: 5 })).toMatchObject({ isError: true })
    })

    it('gives up on a slow tool, and stays usable', async () => {
      const server = await connect(spec())
      const slow = { duration: 30, steps: 1 }
      await expect(server.callTool(SLOW, slow, { timeoutMs: 200, isRead: true })).rejects.toMatchObject({
        code: 'ToolError',
        retryable: true,
        message: expect.stringMatching(/"trigger-long-running-operation".*within 0.2 s/),
      })
      await expect(server.callTool(SLOW, slow, { timeoutMs: 200 })).rejects.toMatchObject({
        code: 'EffectUnknown',
        message: expect.stringMatching(/within 0.2 s.*check its effect before/),
      })
      expect(await server.callTool('echo', { message: 'x' })).toMatchObject({ text: 'Echo: x' })
    })

    it('stops on abort, and stays usable', async () => {
      const server = await connect(spec())
      const controller = new AbortController()
      const call = server.callTool(SLOW, { duration: 30, steps: 1 }, { signal: controller.signal })
      const late = server.callTool(SLOW, { duration: 30, steps: 1 }, { signal: AbortSignal.timeout(1) })
      setImmediate(() => controller.abort())
      await expect(call).rejects.toMatchObject({ code: 'Cancelled', retryable: false })
      await expect(late).rejects.toMatchObject({ code: 'Timeout' })
      await expect(server.callTool('echo', { message: 'x' }, { signal: controller.signal })).rejects.toMatchObject({
        code: 'Cancelled',
      })
      expect(await server.callTool('echo', { message: 'x' })).toMatchObject({ text: 'Echo: x' })
    })
  })
}

behaves('a program', () => stdio())

describe('a program', () => {
  it('gets only a minimal environment and the given variables', async () => {
    vi.stubEnv('TUTTI_TEST_SECRET', 'hunter2')
    const server = await connect(stdio({ env: { GIVEN: 'yes' } }))
    const { text } = await server.callTool('get-env', {})
    vi.unstubAllEnvs()
    const environment = JSON.parse(text) as Record<string, string>
    expect(environment['GIVEN']).toBe('yes')
    expect(environment).not.toHaveProperty('TUTTI_TEST_SECRET')
    const usual = new Set(['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'GIVEN'])
    expect(Object.keys(environment).filter((name) => !usual.has(name))).toEqual([])
  })

  it('that dies in a call fails it as retryable, and is restarted by the next call', async () => {
    const server = await connect(stdio({ args: ['-e', DYING] }))
    await expect(server.callTool('die', {}, { isRead: true })).rejects.toMatchObject({
      code: 'ToolError',
      retryable: true,
      message: expect.stringMatching(/connection broke.*out of luck/),
    })
    expect(await server.callTool('live', {})).toMatchObject({ text: 'alive' })
    await expect(server.callTool('die', {})).rejects.toMatchObject({
      code: 'EffectUnknown',
      retryable: false,
      message: expect.stringMatching(/connection broke.*may have taken place/),
    })
  })

  it('is ended by close', async () => {
    const server = await connect(stdio({ args: ['-e', DYING] }))
    const pid = Number((await server.callTool('pid', {})).text)
    await server.close()
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect(server.callTool('live', {})).rejects.toMatchObject({ code: 'ToolError', retryable: false })
  })

  it.each([
    ['whose command is missing', { command: '/nowhere/at/all' }, /its command is not found/],
    ['that ends at once', { args: ['-e', 'console.error("no key set"); process.exit(1)'] }, /ended before.*no key set/],
  ])('%s is an error of configuration', async (_, extra, message) => {
    await expect(connect(stdio(extra))).rejects.toMatchObject({
      code: 'ConfigurationError',
      retryable: false,
      message: expect.stringMatching(message),
    })
  })

  it('that never answers times out', async () => {
    await expect(
      connectMcp(stdio({ args: ['-e', 'setInterval(() => {}, 1e6)'] }), { timeoutMs: 300 }),
    ).rejects.toMatchObject({ code: 'ToolError', retryable: true, message: expect.stringContaining('within 0.3 s') })
  })

  it.each([
    [`console.log('Welcome!')`, /no message of MCP \(.*Welcome/],
    [`console.log('{"hello":1}')`, /no message of MCP \(JSON of another form\)/],
    [`console.log('Welcome!'); console.error('no licence')`, /Its last words: no licence$/],
  ])('that writes %s to stdout is reported', async (program, words) => {
    const server = stdio({ args: ['-e', `${program}; setInterval(() => {}, 1e6)`] })
    await expect(connectMcp(server, { timeoutMs: 5_000 })).rejects.toThrow(words)
  })
})

/** A tiny server that dies when told to. */
const DYING = `
  const { McpServer } = require(${JSON.stringify(require.resolve('@modelcontextprotocol/sdk/server/mcp.js'))})
  const { StdioServerTransport } = require(${JSON.stringify(require.resolve('@modelcontextprotocol/sdk/server/stdio.js'))})
  const server = new McpServer({ name: 'dying', version: '1' })
  const text = (value) => ({ content: [{ type: 'text', text: value }] })
  server.registerTool('die', {}, async () => { process.stderr.write('out of luck\\n', () => process.exit(1)); await new Promise(() => {}) })
  server.registerTool('live', {}, async () => text('alive'))
  server.registerTool('pid', {}, async () => text(String(process.pid)))
  server.connect(new StdioServerTransport())`

describe('over HTTP', () => {
  let server: ChildProcess
  let url: string

  const start = async (port: number): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
      env: { PATH: process.env['PATH'], PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('listening') && resolve())
      child.once('exit', (code) => reject(new Error(`server-everything ended with ${code}`)))
    })
    return child
  }
  const stop = async (child: ChildProcess): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}/mcp`
    server = await start(port)
  })

  afterAll(() => stop(server))

  behaves('streamable HTTP', () => ({ transport: 'http', name: 'everything', url }))

  it('starts a new session after the server was restarted', async () => {
    const connection = await connect({ transport: 'http', name: 'everything', url })
    await stop(server)
    await expect(connection.callTool('echo', { message: 'x' })).rejects.toMatchObject({
      code: 'ToolError',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    })
    server = await start(Number(new URL(url).port))
    expect(await connection.callTool('echo', { message: 'x' })).toMatchObject({ text: 'Echo: x' })
  })

  describe('errors on connecting', () => {
    let plain: Server
    let status = 200
    let headers: Record<string, unknown> = {}
    let base: string

    beforeAll(async () => {
      plain = createServer((request, response) => {
        headers = request.headers
        response.writeHead(status, { 'content-type': 'text/html' }).end('<p>hello</p>')
      })
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
      base = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`
    })

    afterAll(() => void plain.close())

    it.each([
      [401, 'ConfigurationError', false, 'refuses access'],
      [404, 'ConfigurationError', false, 'no MCP endpoint'],
      [503, 'ToolError', true, 'HTTP status 503'],
      [200, 'ConfigurationError', false, 'does not speak MCP'],
    ])('status %i', async (given, code, retryable, message) => {
      status = given
      const spec: McpSpec = { transport: 'http', name: 'x', url: base, headers: { authorization: 'Bearer abc' } }
      await expect(connect(spec)).rejects.toMatchObject({ code, retryable, message: expect.stringContaining(message) })
      expect(headers['authorization']).toBe('Bearer abc')
    })

    it('nothing listens, and no URL', async () => {
      await expect(
        connect({ transport: 'http', name: 'x', url: `http://127.0.0.1:${await freePort()}` }),
      ).rejects.toMatchObject({ code: 'ToolError', retryable: true })
      await expect(connect({ transport: 'http', name: 'x', url: 'file:///etc' })).rejects.toMatchObject({
        code: 'ConfigurationError',
      })
    })
  })
})
