import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineAgent } from '../../../src/domain/actor.ts'
import { builtProduct } from '../../support/builds.ts'
import { eventually, gate } from '../../support/engine-world.ts'
import { startHttpWorld, type Asking } from '../../support/http-server.ts'
import { authenticateBy } from '../../../src/server/session/authenticate.ts'
import { openForAll } from '../../support/opened.ts'

const TOOLS = ['ask', 'list_runs', 'search_documents', 'show_run']

/** Answers one question, and waits first when it contains “slowly”. */
function oracle(hold: Promise<unknown>) {
  return defineAgent({
    name: 'oracle',
    description: 'Knows how many foxes live in the wood',
    capabilities: ['foxes'],
    useCases: ['How many foxes live in the wood?'],
    keywords: ['foxes', 'fox', 'wood'],
    async run(_task, { request, signal }) {
      if (request.question.includes('slowly')) {
        await Promise.race([hold, new Promise((resolve) => signal.addEventListener('abort', resolve))])
      }
      return {
        answer: 'There are 12 foxes in the wood [1].',
        sources: [{ kind: 'web', name: 'Fox census', url: 'https://foxes.example/census' }],
      }
    },
  })
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as [{ text: string }]
  return { text, isError: isError === true, data: structuredContent as Record<string, unknown> | undefined }
}

describe('Tutti as an MCP server over HTTP', () => {
  const hold = gate()
  const open = (person: string): Promise<Client> =>
    connected(
      new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
        requestInit: { headers: { 'x-test-person': person } },
      }) as Transport,
    )
  const world = openForAll(() => startHttpWorld({ agents: [oracle(hold.promise)] }))

  it('answers with sources, reports progress, and shows the run to its owner only', async () => {
    const ada = await open('ada')
    expect((await ada.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(TOOLS)
    const told: string[] = []
    const asked = await ada.callTool(
      { name: 'ask', arguments: { question: 'How many foxes live in the wood?' } },
      undefined,
      { onprogress: ({ message }) => void told.push(message ?? '') },
    )
    const { runId, ...answer } = asked.structuredContent as Record<string, unknown>
    expect(answer).toMatchObject({ status: 'finished', isAnswered: true, answer: expect.stringContaining('12 foxes') })
    expect((asked.content as [{ text: string }])[0].text).toContain('https://foxes.example/census')
    expect(told).toEqual(['oracle: running', 'oracle: succeeded'])
    expect((await call(ada, 'list_runs')).data).toMatchObject({ runs: [{ runId, status: 'finished' }] })
    expect((await call(ada, 'show_run', { runId })).data).toMatchObject(answer)

    const ben = await open('ben')
    expect((await call(ben, 'list_runs')).data).toEqual({ runs: [] })
    const stolen = await call(ben, 'show_run', { runId })
    expect(stolen).toMatchObject({ isError: true, text: expect.stringMatching(/^RunNotFound:/) })
    const invented = await call(ben, 'show_run', { runId: 'none' })
    expect(stolen.text.replace(String(runId), 'none')).toBe(invented.text)
    await Promise.all([ada.close(), ben.close()])
  })

  it('returns no passages with a note where there are no documents', async () => {
    const client = await open('ada')
    // An unknown argument is reported, not ignored.
    const mistyped = await call(client, 'ask', { question: 'How many foxes are there?', strategi: 'graph' })
    expect(mistyped).toMatchObject({ isError: true, text: expect.stringContaining('strategi') })
    const { data } = await call(client, 'search_documents', { query: 'returns policy' })
    expect(data).toEqual({ passages: [], notes: [expect.stringContaining('no documents')] })
    await client.close()
  })

  it('applies the scopes of a key, and lets a viewer ask nothing', async () => {
    for (const person of ['key-read', 'vera']) {
      const client = await open(person)
      const refused = await call(client, 'ask', { question: 'How many foxes live in the wood?' })
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^NotAllowed: This needs/) })
      expect((await call(client, 'list_runs')).isError).toBe(false)
      await client.close()
    }
    const asker = await open('key-ask')
    const { data } = await call(asker, 'ask', { question: 'How many foxes live in the wood?' })
    expect((await call(asker, 'show_run', { runId: data!['runId'] })).text).toContain('12 foxes')
    for (const [name, args] of Object.entries({ list_runs: {}, search_documents: { query: 'foxes' } })) {
      expect(await call(asker, name, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining('scope read'),
      })
    }
    await asker.close()
    await expect(open('key-documents')).rejects.toThrow(/403|scope read/)
    const nobody = await fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('limits a session to its user', async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
      requestInit: { headers: { 'x-test-person': 'ada' } },
    })
    const ada = await connected(transport as Transport)
    const status = async (person: string, id: string): Promise<number> => {
      const response = await world.fetch('/mcp', {
        as: person,
        json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        headers: { 'mcp-session-id': id, accept: 'application/json, text/event-stream' },
      })
      await response.body?.cancel()
      return response.status
    }
    const mine = transport.sessionId!
    expect([await status('ada', mine), await status('ben', mine), await status('ada', 'invented')]).toEqual([
      200, 404, 404,
    ])
    await transport.terminateSession()
    expect(await status('ada', mine)).toBe(404)
    await ada.close()
  })

  it('limits a session to the key or sign-in that started it, also among those of one user', async () => {
    const own = await startHttpWorld({}, authenticateBy)
    try {
      const { accounts, keys, signIn } = own.app.people
      const { userId } = await accounts.add('', { username: 'ada', role: 'admin' })
      const credentials: Record<string, string>[] = []
      for (const scopes of [['admin'], ['admin'], ['ask']] as const) {
        const { key } = await keys.create(userId, { name: 'k', scopes })
        credentials.push({ authorization: `Bearer ${key}` })
      }
      for (const at of ['here', 'there'])
        credentials.push({ cookie: `tutti_session=${await signIn.sessions.start(userId, at)}` })
      const asks = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const begin = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const send = async (headers: object, rest: Asking) => {
        const accept = 'application/json, text/event-stream'
        const answer = await own.fetch('/mcp', { as: null, headers: { accept, ...headers }, ...rest })
        await answer.body?.cancel()
        return answer
      }
      for (const [i, credential] of credentials.entries()) {
        const opened = await send(credential, { json: { ...asks, method: 'initialize', params: begin } })
        const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
        for (const other of credentials.toSpliced(i, 1)) {
          for (const way of [{ json: asks }, { method: 'GET' }, { method: 'DELETE' }])
            expect((await send({ ...session, ...other }, way)).status, JSON.stringify([i, other, way])).toBe(404)
        }
        expect((await send({ ...session, ...credential }, { json: asks })).status).toBe(200)
      }
    } finally {
      await own.close()
    }
  })

  it('cancels the run of a cancelled call, but no run of a disconnected client', async () => {
    const client = await open('ada')
    const runNow = async () => (await world.app.as('ada').runs.runs({ limit: 1 }))[0]!
    const begun = async () => {
      const before = await runNow()
      const stop = new AbortController()
      const call = client.callTool(
        { name: 'ask', arguments: { question: 'How many foxes live in the wood? Count slowly.' } },
        undefined,
        { signal: stop.signal },
      )
      call.catch(() => undefined)
      const run = await eventually(async () => {
        const found = await runNow()
        const { jobs } = found.runId === before.runId ? { jobs: new Map() } : await world.app.engine.state(found.runId)
        return [...jobs.values()].some(({ actor }) => actor === 'oracle') && found
      })
      return { run, stop }
    }
    const first = await begun()
    first.stop.abort('enough')
    await eventually(async () => (await runNow()).status === 'cancelled')
    const second = await begun()
    await client.close()
    hold.open()
    const { status } = await world.app.as('ada').runs.outcome(second.run.runId)
    expect(status).toBe('finished')
  })
})

describe('tutti mcp serve', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-mcp-serve-'))
    await writeFile(join(folder, 'policy.md'), '# Returns\n\nDamaged goods may be returned within 30 days.\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is an MCP server on standard input and output, with its command line options', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(await builtProduct(), 'bin', 'tutti'), 'mcp', 'serve', '--docs', 'policy.md'],
      cwd: folder,
      env: { PATH: process.env['PATH']!, HOME: folder, TUTTI_DATA: join(folder, 'data') },
      stderr: 'pipe',
    })
    const client = await connected(transport as Transport)
    const { data, text } = await call(client, 'ask', {
      question: 'Within how many days may damaged goods be returned?',
    })
    // Without a model, documents are only searched.
    expect(data).toMatchObject({ status: 'finished', isAnswered: false })
    expect(text).toMatch(/30 days/)
    expect((await call(client, 'list_runs')).data?.['runs']).toHaveLength(1)
    await client.close()
  })
})
