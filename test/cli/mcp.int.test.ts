import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { official } from '../mcp/support.ts'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())
beforeAll(async () => {
  await writeFile(join(world.folder, 'notes.txt'), 'The notes of Monday name 12 orders from Lyon.\n')
  await write('mcp.json', {
    files: { command: process.execPath, args: [official('filesystem'), world.folder], trustHints: true },
  })
})

const write = (name: string, mcpServers: object): Promise<void> =>
  writeFile(join(world.folder, name), JSON.stringify({ mcpServers }))

describe('tutti mcp', () => {
  it('lists the tools of a file, and reports when there are none', async () => {
    const { code, out } = await world.run(['mcp', 'list', '--mcp', 'mcp.json'])
    expect(code).toBe(0)
    expect(out).toMatch(/accepted {2}read_text_file \(says that it only reads\): /)
    expect(await world.run(['mcp', 'accept', 'files', '--mcp', 'mcp.json'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No tools were disabled\. \d+ tools of files can be used\.\n$/) as string,
    })
    expect(await world.run(['mcp', 'list'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('name a file with --mcp') as string,
    })
    expect(await world.run(['mcp', 'accept', 'other', '--mcp', 'mcp.json'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('No MCP server is named "other". There are: files.') as string,
    })
  })

  it('refuses a file that is wrong, and a server that does not answer', async () => {
    await write('wrong.json', { files: { command: 'x', trustHint: true } })
    expect(await world.run(['ask', 'x', '--mcp', 'wrong.json'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/wrong\.json is not valid: /) as string,
    })
    await write('gone.json', { gone: { command: '/nowhere/at/all' } })
    expect(await world.run(['mcp', 'list', '--mcp', 'gone.json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('gone  does not answer: Cannot connect') as string,
    })
  })
})

/** A server with a sign-in of its own: the page agrees at once, and PKCE is asked for. */
async function startSignedServer() {
  const seen = { challenge: '', tokens: 0 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', base)
      const json = (value: object, status = 200): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
        return json({ resource: `${base}/mcp`, authorization_servers: [base] })
      if (url.pathname.startsWith('/.well-known/'))
        return json({
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        })
      if (url.pathname === '/register') return json({ ...JSON.parse(body), client_id: 'tutti-1' }, 201)
      if (url.pathname === '/authorize') {
        seen.challenge = url.searchParams.get('code_challenge') ?? ''
        const back = new URL(url.searchParams.get('redirect_uri')!)
        back.search = new URLSearchParams({ code: 'c-1', state: url.searchParams.get('state')! }).toString()
        return void response.writeHead(302, { location: back.href }).end()
      }
      if (url.pathname === '/token') {
        const verifier = new URLSearchParams(body).get('code_verifier') ?? ''
        const isRight = createHash('sha256').update(verifier).digest('base64url') === seen.challenge
        seen.tokens += 1
        return isRight
          ? json({ access_token: 'opaque-token-77', token_type: 'Bearer' })
          : json({ error: 'invalid_grant' }, 400)
      }
      if (request.headers.authorization !== 'Bearer opaque-token-77')
        return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method, params } = JSON.parse(body) as {
        id?: number
        method: string
        params: { protocolVersion?: string }
      }
      if (id === undefined) return void response.writeHead(202).end()
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
        'tools/list': { tools: [{ name: 'read_meter', description: 'Reads.', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: `Seven, ${request.headers.authorization?.slice(7)}` }] },
      }
      return json({ jsonrpc: '2.0', id, result: results[method] })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${base}/mcp`, seen, close: () => server.close() }
}

describe('tutti mcp login', () => {
  it('signs in with PKCE through a page; the token is used later, readable only by this user, and shown nowhere', async () => {
    const signed = await startSignedServer()
    await write('signed.json', { meter: { url: signed.url, reads: ['read_meter'] } })
    const ask = ['ask', 'read_meter', '--mcp', 'signed.json', '--trace']
    expect(await world.run(['mcp', 'list', '--mcp', 'signed.json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('sign in with "tutti mcp login meter"') as string,
    })
    const running = world.begin(['mcp', 'login', 'meter', '--mcp', 'signed.json'])
    const page = /^(http:\S+\/authorize\S+)$/m.exec(await running.said(/authorize\S+\n/))![1]!
    await fetch(page)
    expect(await running.done).toMatchObject({ code: 0, out: 'Signed in to meter.\n' })
    expect(signed.seen.tokens).toBe(1)
    const { out, err } = await world.run(ask)
    expect(out).toContain('Seven, ***')
    expect(out + err).not.toContain('opaque-token')
    const folder = join(world.dataDir, 'mcp')
    const kept = (await readdir(folder)).find((name) => name.endsWith('.sign-in.json'))!
    expect((await stat(join(folder, kept))).mode & 0o077).toBe(0)
    signed.close()
  })
})

describe('tutti ask --mcp', () => {
  it('answers with the tools of the file; a waiting run uses them after a later approval that names it', async () => {
    const read = ['ask', 'read_text_file path=notes.txt', '--mcp', 'mcp.json']
    for (const more of [[], ['--strategy', 'supervisor']])
      expect(await world.run([...read, ...more])).toMatchObject({
        code: 0,
        out: expect.stringContaining('12 orders') as string,
      })

    const running = world.start(['ask', 'write_file path=out.txt content="hello"', '--mcp', 'mcp.json'])
    const id = await running.approvalId()
    await running.kill()
    const { code, err } = await world.run(['approvals', 'approve', id, '--mcp', 'mcp.json'])
    expect(code, err).toBe(0)
    expect(await readFile(join(world.folder, 'out.txt'), 'utf8')).toBe('hello')
  })
})
