import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toTuttiError, type TuttiError } from '../domain/errors.ts'
import { startQdrant, type QdrantServer } from '../../test/documents/support/qdrant-server.ts'
import { MemoryArtifacts } from '../engine/memory-artifacts.ts'
import { systemClock } from '../shared/clock.ts'
import { createMemoryStorage, type Storage } from '../storage/index.ts'
import { openAccounts } from './accounts.ts'
import { openKnowledge, type OpenKnowledge } from './knowledge.ts'
import { readSetup } from './setup.ts'
import { checkOptions, type Checked } from './check-options.ts'

const KEY = 'qdrant-secret'

let folder: string
let storage: Storage
let qdrant: QdrantServer
let embeddings: Server
let opened: OpenKnowledge[]
let troubles: TuttiError[]

/** OpenAI's `/embeddings`: the same vector for every text. */
async function startEmbeddings(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const { input } = JSON.parse(body) as { input: string[] }
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0.5] }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function options(env: Record<string, string>, inMemory = false): Promise<Checked> {
  const setup = await readSetup({
    env: {
      TUTTI_EMBEDDING_URL: `http://127.0.0.1:${(embeddings.address() as AddressInfo).port}/v1`,
      TUTTI_EMBEDDING_MODEL: 'm',
      ...env,
    },
    cwd: folder,
    dataDir: join(folder, 'data'),
    inMemory,
  })
  return checkOptions({ ...setup, documents: ['note.md'], onTrouble: (error) => void troubles.push(error) })
}

function open(given: Checked): OpenKnowledge {
  const { people } = openAccounts(given, storage)
  const knowledge = openKnowledge(given, people, new MemoryArtifacts())
  opened.push(knowledge)
  return knowledge
}

/** As `docs add` does. */
async function add({ ingest }: OpenKnowledge): Promise<void> {
  await ingest.addPaths('local', ['note.md'], { cwd: folder })
  await ingest.embedPending('local').catch((thrown: unknown) => troubles.push(toTuttiError(thrown)))
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-app-knowledge-'))
  await writeFile(join(folder, 'note.md'), '# Colours\n\nCrimson is a strong red.\n')
  qdrant = await startQdrant(KEY)
  storage = await createMemoryStorage({ clock: systemClock, onError: (error) => void troubles.push(error) })
  embeddings = await startEmbeddings()
  opened = []
  troubles = []
})

afterEach(async () => {
  await Promise.all(opened.map((knowledge) => knowledge.close()))
  await storage.close()
  await qdrant.close()
  embeddings.close()
  embeddings.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

describe('documents with Qdrant', () => {
  it('reach it on an internal host with its key, and are found there', async () => {
    const config = await options({ TUTTI_QDRANT_URL: qdrant.url, TUTTI_QDRANT_KEY: KEY })
    const knowledge = open(config)
    await add(knowledge)
    expect(troubles).toEqual([])
    expect(qdrant.collections.get('user_local_documents')?.points.size).toBe(2)
    const { method, hits } = await knowledge.search('local', 'crimson')
    expect(method).toBe('hybrid')
    expect(hits[0]!.chunk.text).toContain('Crimson')
    expect(qdrant.requests.some(({ line }) => line.includes('/points/query'))).toBe(true)
  })

  it('are searched by keywords, with a warning, while it is down', async () => {
    const config = await options({ TUTTI_QDRANT_URL: qdrant.url, TUTTI_QDRANT_KEY: 'wrong-secret' })
    const knowledge = open(config)
    await add(knowledge)
    expect(troubles.map(({ message }) => message)).toEqual([expect.stringContaining('TUTTI_QDRANT_KEY')])
    const { method, hits, notes } = await knowledge.search('local', 'crimson')
    expect(method).toBe('lexical')
    expect(hits[0]!.chunk.text).toContain('Crimson')
    expect(notes.join(' ')).toContain('found by their words alone')
    expect([...troubles.map(({ message }) => message), ...notes].join(' ')).not.toContain('secret')
  })

  it('are not stored in it when nothing is to be stored', async () => {
    const config = await options({ TUTTI_QDRANT_URL: qdrant.url, TUTTI_QDRANT_KEY: KEY }, true)
    const knowledge = open(config)
    await add(knowledge)
    expect((await knowledge.search('local', 'crimson')).method).toBe('hybrid')
    expect(qdrant.requests).toEqual([])
  })

  it('are refused with one sentence for an invalid address', async () => {
    await expect(options({ TUTTI_QDRANT_URL: 'qdrant:6333' })).rejects.toThrow('TUTTI_QDRANT_URL')
  })
})
