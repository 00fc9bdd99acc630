import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectMcp } from '../../src/mcp/client.ts'
import type { McpConnection, McpSpec } from '../../src/mcp/spec.ts'
import { askAndDecide, createMcpWorld, rawServer, type McpWorld } from './support.ts'

let world: McpWorld
const open: McpConnection[] = []
const servers: Server[] = []
beforeEach(async () => {
  world = await createMcpWorld()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
  for (const server of servers.splice(0)) server.close()
  await world.close()
})

interface Message {
  readonly id?: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const connect = async (spec: McpSpec): Promise<McpConnection> => {
  const connection = await connectMcp(spec)
  open.push(connection)
  return connection
}

/** Carries out each call, and then returns an error with the code from the call. */
const denying = () => {
  const file = join(world.folder, 'effects.log')
  const entry = rawServer(
    `(method, params, id) => {
      if (method === 'tools/list') return { tools: [tool('pay_invoice')] }
      require('node:fs').appendFileSync(${JSON.stringify(file)}, 'paid ')
      const { code = 404, message = 'paid, but the session receipt was not found' } = params.arguments
      send({ id, error: { code, message } })
    }`,
  )
  return { entry, effects: () => readFile(file, 'utf8').then((text) => text.trim().split(' ')) }
}

describe('a server that executes a call and then returns an error', () => {
  it.each([404, 400, 401, 403, 429, 503, -32_000, -32_001, -32_603])(
    'with code %i is not called again, and its message is shown',
    async (code) => {
      const { entry, effects } = denying()
      const server = await connect({ transport: 'stdio', name: 'bank', ...entry })
      for (const isRead of [false, true]) {
        const error = (await server
          .callTool('pay_invoice', { code }, { isRead })
          .catch((thrown: unknown) => thrown)) as Error
        expect(error).toMatchObject({ code: 'ToolError', retryable: false })
        expect(error.message).toContain(`"paid, but the session receipt was not found" (code ${code} of its own)`)
        expect(error.message).not.toMatch(/HTTP|connection broke|within|sign in/)
      }
      expect(await effects()).toEqual(['paid', 'paid'])
    },
  )

  it('one approval is one call', async () => {
    const { entry, effects } = denying()
    const app = await world.open({ mcpFiles: [await world.servers({ bank: entry })] })
    const { response } = await askAndDecide(app, 'pay_invoice', 'approved')
    expect(await effects()).toEqual(['paid'])
    expect(JSON.stringify(response)).toContain('session receipt was not found')
  })
})

it.each([
  ['of another form', `({ content: 'nonsense' })`, 'does not match the MCP schema'],
  ['of another form within', `({ content: [], structuredContent: 'none' })`, 'does not match the MCP schema'],
  ['too large', `({ content: [], structuredContent: { a: 'x'.repeat(3e6) } })`, 'too large'],
  [
    'nested too deep',
    `write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":' + '{"a":'.repeat(2e4) + '1' + '}'.repeat(2e4) + '}}\\n') ? undefined : 0`,
    'call stack',
  ],
])('a write whose answer is %s is in doubt; a read has failed', async (_what, answer, words) => {
  const entry = rawServer(`(method, params, id) => ${answer}`)
  const server = await connect({ transport: 'stdio', name: 'bank', ...entry })
  const message = expect.stringContaining(words) as string
  await expect(server.callTool('pay', {})).rejects.toMatchObject({ code: 'EffectUnknown', message })
  await expect(server.callTool('look', {}, { isRead: true })).rejects.toMatchObject({ code: 'ToolError', message })
})

describe('over HTTP', () => {
  /** A server with one tool. `onCall` may answer a call; it gets the number of calls. */
  const serve = async (onCall: (response: ServerResponse, count: number) => boolean) => {
    let calls = 0
    let session = 1
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (request.url !== '/mcp') {
          if (request.url !== '/token') return response.writeHead(404).end()
          return response.setHeader('content-type', 'application/json').end(JSON.stringify(TOKENS))
        }
        if (request.method !== 'POST') return response.writeHead(405).end()
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Message
        const given = request.headers['mcp-session-id']
        if (given !== undefined && given !== String(session)) return response.writeHead(404).end('Session not found')
        if (id === undefined) return response.writeHead(202).end()
        if (method === 'tools/call' && onCall(response, ++calls)) return response
        const result =
          method === 'initialize'
            ? {
                protocolVersion: params['protocolVersion'],
                capabilities: { tools: {} },
                serverInfo: { name: 's', version: '1' },
              }
            : method === 'tools/list'
              ? {
                  tools: [
                    { name: 'pay_now', description: `As of session ${session}`, inputSchema: { type: 'object' } },
                  ],
                }
              : { content: [{ type: 'text', text: 'paid' }] }
        response.setHeader('content-type', 'application/json').setHeader('mcp-session-id', String(session))
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    return { url, calls: () => calls, forget: () => void session++ }
  }
  const TOKENS = { access_token: 'a', token_type: 'bearer', refresh_token: 'r' }
  const refusing = (status: number) => (response: ServerResponse, count: number) =>
    count === 1 && response.writeHead(status).end('no session') !== undefined

  it.each([
    [404, 'knows our session'],
    [400, 'knows our session'],
    [503, 'HTTP status 503'],
  ])('a write is not repeated after %i, and is in doubt', async (status, words) => {
    const { url, calls } = await serve(refusing(status))
    const server = await connect({ transport: 'http', name: 'bank', url })
    await expect(server.callTool('pay', {})).rejects.toMatchObject({
      code: 'EffectUnknown',
      retryable: false,
      message: expect.stringContaining(words) as string,
    })
    expect(calls()).toBe(1)
  })

  it('a read is repeated in a new session', async () => {
    const { url, calls } = await serve(refusing(404))
    const server = await connect({ transport: 'http', name: 'bank', url })
    expect(await server.callTool('look', {}, { isRead: true })).toMatchObject({ text: 'paid' })
    expect(calls()).toBe(2)
  })

  it('a session that was lost earlier is reopened before the call', async () => {
    const { url, calls, forget } = await serve(() => false)
    const server = await connect({ transport: 'http', name: 'bank', url })
    forget()
    expect(await server.callTool('pay', {})).toMatchObject({ text: 'paid' })
    expect(calls()).toBe(1)
  })

  it.each([[], ['pay_now']])(
    'a server that was restarted with other tools is not called before they are accepted (reads: %s)',
    async (...reads) => {
      const { url, calls, forget } = await serve(() => false)
      const app = await world.open({ mcpFiles: [await world.servers({ bank: { url, reads } })] })
      await app.mcp[0]!.states()
      forget()
      const { answer } =
        reads.length > 0 ? await app.ask('pay_now') : (await askAndDecide(app, 'pay_now', 'approved')).response
      expect(answer).toContain('accept it with "tutti mcp accept bank')
      expect(calls()).toBe(0)
      await app.mcp[0]!.accept()
      await (reads.length > 0 ? app.ask('pay_now') : askAndDecide(app, 'pay_now', 'approved'))
      expect(calls()).toBe(1)
    },
  )

  it.each([false, true])('after a renewed sign-in, only a read is repeated (%s)', async (isRead) => {
    const { url, calls } = await serve(refusing(401))
    const signIn = {
      redirectUrl: 'http://127.0.0.1/back',
      clientMetadata: { redirect_uris: ['http://127.0.0.1/back'] },
      clientInformation: () => ({ client_id: 'tutti' }),
      tokens: () => TOKENS,
      saveTokens: () => undefined,
      isReady: () => Promise.resolve(true),
      secrets: () => Promise.resolve([]),
    }
    const server = await connect({ transport: 'http', name: 'bank', url, signIn: signIn as never })
    const outcome = await server.callTool('pay', {}, { isRead }).catch((thrown: unknown) => thrown)
    expect(outcome).toMatchObject(isRead ? { text: 'paid' } : { code: 'EffectUnknown' })
    expect(calls()).toBe(isRead ? 2 : 1)
  })
})
