import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../src/domain/events.ts'
import { openConfiguredApp } from '../../src/app/setup.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'

/** Descriptions of documents by a model: when they are made, what they are used for and what they cost. */

let folder: string
let server: ModelServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-described-'))
  await writeFile(join(folder, 'kettles.md'), '# Kettles\n\nKettles are descaled on the first Monday of a month.\n')
  await writeFile(join(folder, 'bicycles.md'), '# Bicycles\n\nThe chain is oiled every two weeks.\n')
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const isDescribing = (text: string): boolean => text.includes('You describe a document')
const open = () =>
  openConfiguredApp({
    cwd: folder,
    dataDir: join(folder, 'data'),
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
  })

it('are made in the background, and used for questions about what the documents contain', async () => {
  server = await startModelServer([
    {
      when: ({ text }) => isDescribing(text) && text.includes('bicycles.md'),
      reply: { json: { description: 'A manual on caring for bicycles.', topics: ['maintenance', 'chains'] } },
    },
    {
      when: ({ text }) => isDescribing(text) && text.includes('kettles.md'),
      reply: { json: { description: 'A manual on kettles.', topics: ['descaling', 'maintenance'] } },
    },
    { reply: { text: 'A manual.' } },
  ])
  const app = await open()
  try {
    app.descriptions.work()
    await app.knowledge.ingest.addPaths(LOCAL_OWNER, ['.'], { cwd: folder })
    await app.descriptions.finish()
    const documents = await app.knowledge.store.documents(LOCAL_OWNER)
    expect(documents.map(({ topics }) => topics).toSorted()).toEqual([
      ['descaling', 'maintenance'],
      ['maintenance', 'chains'],
    ])
    // A topic limits the search to its documents, although another document contains the words.
    const narrowed = await app.knowledge.search(LOCAL_OWNER, 'month weeks', { filter: { topic: 'chains' } })
    expect([...new Set(narrowed.hits.map(({ document }) => document.name))]).toEqual(['bicycles.md'])
    const none = await app.knowledge.search(LOCAL_OWNER, 'month weeks', { filter: { topic: 'zebras' } })
    expect(none.hits).toEqual([])
    const [used] = await app.people.usage.list('2000-01-01', '2100-01-01')
    expect(used).toMatchObject({ model: 'compatible:scripted', calls: expect.any(Number) as number })
    expect(server.requests.filter(({ text }) => isDescribing(text))).toHaveLength(2)
  } finally {
    await app.close()
  }
})

it('by rules stay when the model fails', async () => {
  server = await startModelServer([{ when: ({ text }) => isDescribing(text), reply: { status: 400 } }])
  const app = await open()
  try {
    app.descriptions.work()
    await app.knowledge.ingest.addPaths(LOCAL_OWNER, ['.'], { cwd: folder })
    await app.descriptions.finish()
    const documents = await app.knowledge.store.documents(LOCAL_OWNER)
    expect(documents.map(({ description }) => description).join()).toMatch(/^(?:A document of type md titled .*){2}$/)
  } finally {
    await app.close()
  }
})
