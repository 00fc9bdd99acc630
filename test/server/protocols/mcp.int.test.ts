import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, it } from 'vitest'
import { builtProduct } from '../../support/builds.ts'
import { agent, eventually, gate } from '../../support/engine-world.ts'
import { createFolder } from '../../support/folder.ts'
import { startHttpWorld } from '../../support/http-server.ts'
import { LOCAL_CALLER } from '../../../src/server/access.ts'
import { tuttiServer } from '../../../src/server/protocols/mcp/tools.ts'
import { openForAll } from '../../support/opened.ts'

const TOOLS = ['ask', 'search_documents', 'show_run']

/** Answers one question, and waits first when it contains “slowly”. */
function oracle(hold: Promise<unknown>) {
  return agent(
    'oracle',
    async (_task, { request, signal }) => {
      if (request.question.includes('slowly')) {
        await Promise.race([hold, new Promise((resolve) => signal.addEventListener('abort', resolve))])
      }
      return {
        answer: 'There are 12 foxes in the wood [1].',
        sources: [{ kind: 'web', name: 'Fox census', url: 'https://foxes.example/census' }],
      }
    },
    { keywords: ['foxes', 'fox', 'wood'] },
  )
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
    expect((await call(ada, 'show_run', { runId })).data).toMatchObject(answer)

    const ben = await open('ben')
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
      expect((await call(client, 'search_documents', { query: 'foxes' })).isError).toBe(false)
      await client.close()
    }
    const asker = await open('key-ask')
    const { data } = await call(asker, 'ask', { question: 'How many foxes live in the wood?' })
    expect((await call(asker, 'show_run', { runId: data!['runId'] })).text).toContain('12 foxes')
    expect(await call(asker, 'search_documents', { query: 'foxes' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('scope read'),
    })
    await asker.close()
    await expect(open('key-documents')).rejects.toThrow(/403|scope read/)
    const nobody = await fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('continues the run of a client that disconnects, and cancels that of a call cancelled over a stream', async () => {
    const [own, its] = InMemoryTransport.createLinkedPair()
    const caller = { ...LOCAL_CALLER, userId: 'ada' }
    await (await tuttiServer(world.app, '1', () => caller)).connect(its as Transport)
    const { runs } = world.app.as('ada')
    const latest = async () => (await runs.runs({ limit: 1 }))[0]!
    const begun = async (client: Client) => {
      const before = await latest()
      const stop = new AbortController()
      const question = 'How many foxes live in the wood? Count slowly.'
      const call = client.callTool({ name: 'ask', arguments: { question } }, undefined, { signal: stop.signal })
      call.catch(() => undefined)
      const { runId } = await eventually(async () => {
        const found = await latest()
        const { jobs } = found.runId === before.runId ? { jobs: new Map() } : await world.app.engine.state(found.runId)
        return [...jobs.values()].some(({ actor }) => actor === 'oracle') && found
      })
      return { runId, stop }
    }
    const first = await begun(await connected(own as Transport))
    first.stop.abort('enough')
    await eventually(async () => (await latest()).status === 'cancelled')
    const client = await open('ada')
    const second = await begun(client)
    await client.close()
    hold.open()
    const { status } = await runs.outcome(second.runId)
    expect(status).toBe('finished')
  })
})

describe('tutti mcp serve', () => {
  it('is an MCP server on standard input and output, with its command line options', async () => {
    const { path: folder, close } = await createFolder()
    await writeFile(join(folder, 'policy.md'), '# Returns\n\nDamaged goods may be returned within 30 days.\n')
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
    expect((await call(client, 'show_run', { runId: data!['runId'] })).text).toBe(text)
    await client.close()
    await close()
  })
})
