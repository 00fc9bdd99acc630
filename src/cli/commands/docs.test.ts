import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import { createIngestor } from '../../documents/ingest/ingestor.ts'
import { saidOn, type Said } from '../../../test/cli/terminal.ts'
import { openKnowledgeStore } from '../../documents/store/index.ts'
import type { Knowledge } from '../../documents/documents.ts'
import type { Embedder, KnowledgeStore, SearchFilter } from '../../documents/types.ts'

/** No model: documents get no description. */
const world = vi.hoisted(() => ({
  knowledge: undefined as unknown,
  descriptions: { work: () => undefined, finish: async () => undefined, close: async () => undefined },
}))
vi.mock('../open-app.ts', () => ({
  withApp: (_cli: unknown, _options: unknown, work: (app: unknown) => unknown) => work(world),
}))

let folder: string
let store: KnowledgeStore
let filters: (SearchFilter | undefined)[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-docs-'))
  store = openKnowledgeStore({ sqlitePath: join(folder, 'knowledge.db') })
  filters = []
  const knowledge: Knowledge = {
    store,
    ingest: createIngestor({ store, clock: systemClock }),
    async search(owner, question, { limit = 8, filter = {} } = {}) {
      filters.push(filter)
      const hits = await store.lexical(String(owner), question, limit)
      const notes = ['It was searched by words alone.']
      return { query: question, hits, notes, filter, confidence: 0.5, method: 'lexical' }
    },
  }
  world.knowledge = {
    ...knowledge,
    shared: { readableScope: async (owner: string) => owner },
    ofRuns: { store, collections: { list: async () => [] } },
  }
  await mkdir(join(folder, 'docs', 'sub'), { recursive: true })
  await write('docs/returns.md', '# Returns\n\n## Damaged goods\n\nThirty days.\n\n## Fees\n\nNone.\n')
  await write('docs/sub/lamps.txt', 'All of the lamps are red.\n')
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content)

/** Starts a command, and stops it by Ctrl-C. */
function start(args: readonly string[]) {
  let interrupt = (): void => undefined
  const terminal = {
    folder,
    columns: 100,
    isTTY: false,
    onInterrupt: (does: () => void) => void (interrupt = does),
  }
  return { stop: () => interrupt(), outcome: saidOn(terminal, ['docs', ...args]) }
}

const docs = (...args: string[]): Promise<Said> => start(args).outcome

describe('tutti docs add', () => {
  it('adds a folder, and on repetition only changed files', async () => {
    const first = await docs('add', 'docs')
    expect(first.code).toBe(0)
    expect(first.out).toMatch(/returns\.md +md +– +2 /)
    expect(first.err.split('\n').toSorted()).toEqual(['', '✓ returns.md', '✓ sub/lamps.txt'])
    await write('docs/returns.md', '# Returns\n\nNever.\n')
    const second = await docs('add', 'docs', '--json')
    const { files, embedded } = JSON.parse(second.out)
    expect(files.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['returns.md', 'added'],
      ['sub/lamps.txt', 'unchanged'],
    ])
    expect(embedded).toBe(0)
    expect(files[0].document).toMatchObject({ name: 'returns.md', addedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(second.err).toContain('= sub/lamps.txt has not changed')
  })

  it('names a bad file, adds the others, and fails', async () => {
    await write('docs/bad.pdf', '%PDF-1.4 rubbish')
    const { code, out, err } = await docs('add', 'docs')
    expect(code).toBe(1)
    expect(err).toContain('✗ bad.pdf is damaged or incomplete; save or copy it again and add that.')
    expect(out).toContain('returns.md')
  })

  it('fails when there is nothing to add', async () => {
    await mkdir(join(folder, 'empty'))
    for (const name of ['empty', 'nowhere']) expect(await docs('add', name)).toMatchObject({ code: 2, out: '' })
  })

  it('keeps the documents when the embedding model fails, and reports the failure', async () => {
    const embedder: Embedder = {
      model: 'test:one',
      async embed() {
        throw new TuttiError('ModelUnavailable', 'The embedding model test:one does not answer.')
      },
    }
    world.knowledge = { store, ingest: createIngestor({ store, clock: systemClock, embedder }) }
    const { code, out, err } = await docs('add', 'docs/returns.md')
    expect(code).toBe(1)
    expect(out).toContain('returns.md')
    expect(err).toContain('No vectors yet: The embedding model test:one does not answer.')
    expect(await store.documents('local')).toHaveLength(1)
  })

  it('is stopped by Ctrl-C', async () => {
    let isEmbedding = false
    const embedder: Embedder = {
      model: 'test:one',
      embed: (_texts, _purpose, signal) =>
        new Promise((_done, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason as Error))
          isEmbedding = true
        }),
    }
    world.knowledge = { store, ingest: createIngestor({ store, clock: systemClock, embedder }) }
    const { stop, outcome } = start(['add', 'docs'])
    await vi.waitFor(() => expect(isEmbedding).toBe(true), 20_000)
    stop()
    const { code, err: said } = await outcome
    expect(code).toBe(4)
    expect(said).toContain('Stopped. Documents that were added completely are kept.')
  })
})

describe('tutti docs list, show and remove', () => {
  it('name a document by the beginning of its id, by its name, and by its path', async () => {
    await docs('add', 'docs')
    const { documents } = JSON.parse((await docs('list', '--json')).out)
    const { documentId } = documents.find(({ name }: { name: string }) => name === 'sub/lamps.txt')
    for (const name of [
      documentId,
      documentId.slice(0, 4),
      'sub/lamps.txt',
      'lamps.txt',
      join(folder, 'docs/sub/lamps.txt'),
    ]) {
      expect((await docs('show', name, '--passage', '11-16')).out).toBe('lamps\n')
    }
    await mkdir(join(folder, 'docs', 'other'))
    await write('docs/other/lamps.txt', 'Other lamps are blue.\n')
    await docs('add', 'docs')
    expect(await docs('show', 'lamps.txt')).toMatchObject({
      code: 2,
      err: expect.stringContaining('2 documents match "lamps.txt"; name one by its id:'),
    })
    expect(await docs('show', 'none')).toMatchObject({
      code: 2,
      err: 'tutti: There is no document "none". List them with: tutti docs list\n',
    })
  })

  it('print facts, sections and text', async () => {
    await docs('add', 'docs')
    const { out } = await docs('show', 'returns.md')
    expect(out).toMatch(/^returns\.md\nA document of type md titled “Returns”\./)
    expect(out).toContain('Sections\n  Returns › Damaged goods, 0-36\n  Returns › Fees, 38-49\n')
    expect(out).toContain('\n\nDamaged goods\n\nThirty days.')
    const shown = JSON.parse((await docs('show', 'returns.md', '--json')).out)
    expect(shown).toMatchObject({
      name: 'returns.md',
      sections: [{ section: 'Returns › Damaged goods', start: 0, end: 36 }, {}],
    })
    expect(shown.text.slice(38, 49)).toBe('Fees\n\nNone.')
  })

  it('remove all named documents, or none', async () => {
    await docs('add', 'docs')
    expect(await docs('remove', 'lamps.txt', 'none')).toMatchObject({ code: 2 })
    expect(await store.documents('local')).toHaveLength(2)
    expect(await docs('remove', 'lamps.txt', 'returns.md', '--yes')).toMatchObject({
      code: 0,
      err: 'Removed sub/lamps.txt.\nRemoved returns.md.\n',
    })
    expect(await store.documents('local')).toEqual([])
  })
})

describe('tutti docs search', () => {
  it('prints passages and how to open them', async () => {
    await docs('add', 'docs')
    const { code, out, err } = await docs('search', 'Thirty', 'returns')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^1\. returns\.md, Returns › Damaged goods\n {3}Returns Damaged goods Thirty days\.\n {3}tutti docs show \S+ --passage 0-36\n2\. returns\.md, Returns › Fees\n/,
    )
    expect(err).toBe('It was searched by words alone.\n')
    expect(JSON.parse((await docs('search', 'Thirty', 'returns', '--json')).out)).toMatchObject({
      hits: [{ chunk: { start: 0 } }, { chunk: { start: 38 } }],
    })
    expect(await docs('search', 'nothing of that')).toMatchObject({ code: 0, out: '' })
  })

  it('narrows by type, day and section', async () => {
    await docs('search', 'x', '--type', 'pdf,MD', '--from', '2025-01-01', '--to', '2025-12-31', '--section', 'fees')
    expect(filters).toEqual([{ types: ['pdf', 'md'], from: '2025-01-01', to: '2025-12-31', section: 'fees' }])
    for (const wrong of [
      ['--type', 'doc'],
      ['--from', '2025-02-30'],
      ['--from', '2025-02-02', '--to', '2025-02-01'],
    ]) {
      expect(await docs('search', 'x', ...wrong)).toMatchObject({ code: 2, out: '' })
    }
  })
})
