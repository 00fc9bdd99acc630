import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFolder } from '../../test/support/folder.ts'
import { listen } from '../../test/support/listen.ts'
import { openForEach } from '../../test/support/opened.ts'
import { toTuttiError, type TuttiError } from '../domain/errors.ts'
import { startQdrant } from '../../test/documents/support/qdrant-server.ts'
import { systemClock } from '../shared/clock.ts'
import { createMemoryStorage } from '../storage/index.ts'
import { openAccounts } from './accounts.ts'
import { openKnowledge, type OpenKnowledge } from './knowledge.ts'
import { readSetup } from './setup.ts'
import { checkOptions, type Settings } from './check-options.ts'

const KEY = 'qdrant-secret'

let opened: OpenKnowledge[] = []
let troubles: TuttiError[] = []
const folder = openForEach(createFolder)
const qdrant = openForEach(() => startQdrant(KEY))
const storage = openForEach(() =>
  createMemoryStorage({ clock: systemClock, onError: (error) => void troubles.push(error) }),
)
/** OpenAI's `/embeddings`: the same vector for every text. */
const embeddings = openForEach(() =>
  listen(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const { input } = JSON.parse(body) as { input: string[] }
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0.5] }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
  }),
)
/** Closed before the storage. */
openForEach(async () => ({ close: () => Promise.all(opened.splice(0).map((knowledge) => knowledge.close())) }))

async function options(env: Record<string, string>, inMemory = false): Promise<Settings> {
  const setup = await readSetup({
    env: {
      TUTTI_EMBEDDING_URL: `${embeddings.url}/v1`,
      TUTTI_EMBEDDING_MODEL: 'm',
      ...env,
    },
    cwd: folder.path,
    dataDir: join(folder.path, 'data'),
    inMemory,
  })
  return checkOptions({ ...setup, documents: ['note.md'], onError: (error) => void troubles.push(error) })
}

function open(given: Settings): OpenKnowledge {
  const { people } = openAccounts(given, storage)
  const knowledge = openKnowledge(given, people, storage.store.artifacts)
  opened.push(knowledge)
  return knowledge
}

/** As `docs add` does. */
async function add({ ingest }: OpenKnowledge): Promise<void> {
  await ingest.addPaths('local', ['note.md'], { cwd: folder.path })
  await ingest.embedPending('local').catch((thrown: unknown) => troubles.push(toTuttiError(thrown)))
}

beforeEach(async () => {
  troubles = []
  await writeFile(join(folder.path, 'note.md'), '# Colours\n\nCrimson is a strong red.\n')
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
})
