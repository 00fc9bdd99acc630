import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { bundle } from '../../../test/support/bundle.ts'
import { pdf } from '../../../test/documents/support/files.ts'
import type { Embedder, IngestProgress, KnowledgeStore } from '../types.ts'
import { createIngestor, type IngestorDeps } from './ingestor.ts'
import { knowledgeStore } from '../../../test/documents/support/knowledge-store.ts'

const clock = systemClock
const kept = knowledgeStore()
let folder: string
let owner = 'ada 0'
let puts = 0
const store: KnowledgeStore = {
  ...kept,
  put: (...document) => {
    puts++
    return kept.put(...document)
  },
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-ingest-'))
  owner = owner.replace(/\d+/, (count) => String(Number(count) + 1))
  puts = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ingestor = (deps: Partial<IngestorDeps> = {}) => createIngestor({ store, clock, ...deps })
const write = (name: string, content: string | Buffer): Promise<void> => writeFile(join(folder, name), content)
const markdown = (topic: string): Buffer => Buffer.from(`# About ${topic}\n\nAll that is known of ${topic}.\n`)

/** Reported progress by file name. */
function listener() {
  const told: IngestProgress[] = []
  return {
    told,
    onProgress: (progress: IngestProgress) => void told.push(progress),
    stages: (name: string) => told.filter((progress) => progress.name === name).map(({ stage }) => stage),
  }
}

describe('adding a file', () => {
  it('passes all stages, and is searchable before its vectors exist', async () => {
    const { onProgress, stages } = listener()
    const { record, isNew } = await ingestor().add(owner, { name: 'a.md', bytes: markdown('kettles') }, { onProgress })
    expect(isNew).toBe(true)
    expect(stages('a.md')).toEqual(['parsing', 'chunking', 'storing', 'done'])
    expect(record).toMatchObject({
      name: 'a.md',
      type: 'md',
      chunks: 1,
      embedded: 0,
      description:
        'A document of type md titled “About kettles”. It begins: “About kettles All that is known of kettles.”',
    })
    expect(await store.lexical(owner, 'known of kettles', 5)).toHaveLength(1)
    expect(await store.lexical('eve', 'known of kettles', 5)).toHaveLength(0)
  })

  it('takes turns: many files of one user, in any collection, do not delay a file of another user', async () => {
    const { onProgress, told } = listener()
    const ingest = ingestor()
    const one = (scope: string, by: string, name: string) =>
      ingest.add(scope, { name, bytes: markdown(name) }, { onProgress, by })
    await Promise.all([
      one('ada', 'ada', 'a1.md'),
      one('\u001Fshared', 'ada', 'a2.md'),
      one('\u001Fother', 'ada', 'a3.md'),
      one('eve', 'eve', 'e1.md'),
    ])
    const begun = told.flatMap(({ name, stage }) => (stage === 'parsing' ? [name] : []))
    expect(begun.slice(0, 2).toSorted()).toEqual(['a1.md', 'e1.md'])
    expect(begun.slice(2)).toEqual(['a2.md', 'a3.md'])
  })

  it('again leaves it unchanged, without reading it', async () => {
    const { onProgress, stages } = listener()
    const ingest = ingestor()
    const first = await ingest.add(owner, { name: 'a.md', bytes: markdown('kettles') })
    const again = await ingest.add(owner, { name: 'a.md', bytes: markdown('kettles') }, { onProgress })
    expect(again).toEqual({ record: first.record, isNew: false })
    expect(stages('a.md')).toEqual(['unchanged'])
    expect(puts).toBe(1)
    const changed = await ingest.add(owner, { name: 'a.md', bytes: markdown('lamps') })
    expect(changed).toMatchObject({ isNew: true })
    expect(await store.documents(owner)).toHaveLength(1)
    await ingest.add(`eve of ${owner}`, { name: 'a.md', bytes: markdown('lamps') })
    expect(puts).toBe(3)
  })

  it('holds only a part of a large file in memory', async () => {
    const size = 120_000_000
    await write('small.md', markdown('kettles'))
    await write('large.txt', '')
    await truncate(join(folder, 'large.txt'), size)
    const program = await bundle('documents/support/large-file.ts')
    onTestFinished(() => rm(dirname(program), { recursive: true }))
    const args = [program, join(folder, 'small.md'), join(folder, 'large.txt'), String(size)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { share, said } = JSON.parse(stdout) as { share: number; said: string }
    expect(said).toContain('large.txt has an unsupported format')
    expect(share).toBeLessThan(0.6)
  }, 120_000)

  it('stores nothing of an unreadable file', async () => {
    const { onProgress, told } = listener()
    const bytes = Buffer.from('%PDF-1.7 rubbish')
    await expect(ingestor().add(owner, { name: 'a.pdf', bytes }, { onProgress })).rejects.toMatchObject({
      code: 'DocumentError',
    })
    expect(told.at(-1)).toEqual({
      name: 'a.pdf',
      stage: 'failed',
      error: 'a.pdf is damaged or incomplete; save or copy it again and add that.',
    })
    expect(await store.documents(owner)).toEqual([])
  })

  it('describes it by rules, with its headings as topics', async () => {
    const bytes = Buffer.from('# Kettles\n\n## Descaling\n\nMonthly.\n\n## Warranty\n\nTwo years.\n')
    const { record } = await ingestor().add(owner, { name: 'a.md', bytes })
    expect(record.description).toMatch(/^A document of type md titled “Kettles”. It covers: Descaling; Warranty./)
    expect(record.topics).toEqual(['Descaling', 'Warranty'])
  })

  it('stores nothing when stopped', async () => {
    const stop = new AbortController()
    const onProgress = ({ stage }: IngestProgress): void =>
      void (stage === 'chunking' && stop.abort(new Error('enough')))
    const adding = ingestor().add(owner, { name: 'a.md', bytes: markdown('x') }, { signal: stop.signal, onProgress })
    await expect(adding).rejects.toThrow('enough')
    expect(puts).toBe(0)
  })
})

describe('adding folders', () => {
  beforeEach(async () => {
    for (const name of ['sub/deep', 'node_modules/x', '.hidden', 'other'])
      await mkdir(join(folder, name), { recursive: true })
    await write('a.md', markdown('a'))
    await write('B.TXT', 'Text of b.')
    await write('picture.png', 'no document')
    await write('sub/deep/c.pdf', await pdf((pdf) => pdf.text('Text of c.')))
    await write('sub/bad.pdf', '%PDF-1.4 rubbish')
    await write('node_modules/x/readme.md', markdown('packages'))
    await write('sub/old.rtf', '{\\rtf1 x}')
    await write('sub/program.bin', 'x')
    await write('.hidden/secret.md', markdown('secrets'))
    await write('.secret.md', markdown('secrets'))
  })

  it('adds every document below a folder, and a bad one does not stop the others', async () => {
    const { onProgress, stages } = listener()
    const added = await ingestor().addPaths(owner, ['.'], { cwd: folder, onProgress })
    const outcomes = added.map((file) => {
      if ('added' in file) return [file.name, file.added.isNew]
      return [file.name, file.error]
    })
    expect(outcomes).toEqual([
      ['B.TXT', true],
      ['a.md', true],
      ['sub/bad.pdf', 'sub/bad.pdf is damaged or incomplete; save or copy it again and add that.'],
      ['sub/deep/c.pdf', true],
    ])
    expect(stages('sub/deep/c.pdf')).toEqual(['reading', 'parsing', 'chunking', 'storing', 'done'])
    expect(stages('sub/bad.pdf').at(-1)).toBe('failed')
    const records = await store.documents(owner)
    expect(records.map(({ path }) => path).toSorted()).toEqual(
      ['B.TXT', 'a.md', 'sub/deep/c.pdf'].map((name) => join(folder, name)),
    )
    const again = await ingestor().addPaths(owner, ['.'], { cwd: folder })
    expect(again.filter((file) => 'added' in file && !file.added.isNew)).toHaveLength(3)
    expect(puts).toBe(3)
  })

  it('accepts files and folders, each file once', async () => {
    const added = await ingestor().addPaths(owner, ['a.md', 'sub', join(folder, 'a.md')], { cwd: folder })
    expect(added.map(({ name }) => name)).toEqual(['a.md', 'bad.pdf', 'deep/c.pdf'])
  })

  it('reports a named file of an unsupported type', async () => {
    const [file] = await ingestor().addPaths(owner, ['sub/old.rtf'], { cwd: folder })
    expect(file).toMatchObject({
      error: expect.stringContaining('old.rtf has an unsupported format; save it as one of'),
    })
  })

  it('follows no links', async () => {
    await mkdir(join(folder, 'docs'))
    await symlink(join(folder, 'a.md'), join(folder, 'docs', 'out.md'))
    await symlink(join(folder, 'sub'), join(folder, 'docs', 'out'))
    await write('docs/in.md', markdown('in'))
    const added = await ingestor().addPaths(owner, ['docs'], { cwd: folder })
    expect(added.map(({ path }) => path.slice(folder.length + 1))).toEqual(['docs/in.md'])
  })

  it('names a missing path', async () => {
    await expect(ingestor().addPaths(owner, ['a.md', 'none.md'], { cwd: folder })).rejects.toMatchObject({
      code: 'SourceNotFound',
      message: 'There is no file or folder none.md.',
    })
  })

  it('does not read a file that is too large', async () => {
    await write('large.txt', Buffer.alloc(3_000_000, 'a'))
    const [file] = await ingestor({ limits: { fileBytes: 2_000_000 } }).addPaths(owner, ['large.txt'], { cwd: folder })
    expect(file).toMatchObject({
      error: 'large.txt has 3 MB, more than the limit of 2 MB; split it and add the parts.',
    })
  })

  it('reads two files at once at most', async () => {
    let running = 0
    let most = 0
    const slow: KnowledgeStore = {
      ...store,
      put: async (...document) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return store.put(...document)
      },
    }
    for (let i = 0; i < 6; i++) await write(`other/${i}.md`, markdown(String(i)))
    await ingestor({ store: slow }).addPaths(owner, ['other'], { cwd: folder })
    expect(most).toBeLessThanOrEqual(2)
    expect(puts).toBe(6)
  })
})

describe('vectors', () => {
  it('are made in batches after the text is stored, with the headings above a passage', async () => {
    const batches: (readonly string[])[] = []
    const embedder: Embedder = {
      model: 'test:one',
      embed: async (texts) => {
        batches.push(texts)
        return texts.map(() => new Float32Array([1, 0]))
      },
    }
    const sections = Array.from({ length: 100 }, (_, i) => `## Part ${i}\n\ntext ${i}\n`).join('\n')
    const ingest = ingestor({ embedder })
    await ingest.add(owner, { name: 'a.md', bytes: Buffer.from(`# All\n\nBeginning.\n\n${sections}`) })
    const { onProgress, told } = listener()
    // A second call waits for the first one, and finds nothing to do.
    const counts = await Promise.all([ingest.embedPending(owner, { onProgress }), ingest.embedPending(owner)])
    expect(counts).toEqual([101, 0])
    expect(batches.map((texts) => texts.length)).toEqual([64, 37])
    expect(batches[0]![1]).toBe('All › Part 0\nPart 0\n\ntext 0')
    expect(told.map(({ done }) => done)).toEqual([64 / 101, 1])
    expect(await store.documents(owner)).toMatchObject([{ embedded: 101 }])
  })

  it('are kept when the model fails halfway, and the rest is made later', async () => {
    let calls = 0
    const embedder: Embedder = {
      model: 'test:one',
      embed: async (texts) => {
        if (++calls === 2) throw new Error('down')
        return texts.map(() => new Float32Array([1]))
      },
    }
    const sections = Array.from({ length: 80 }, (_, i) => `# Part ${i}\n\ntext\n`).join('\n')
    const ingest = ingestor({ embedder })
    await ingest.add(owner, { name: 'a.md', bytes: Buffer.from(sections) })
    await expect(ingest.embedPending(owner)).rejects.toThrow('down')
    expect(await store.documents(owner)).toMatchObject([{ embedded: 64 }])
    expect(await ingest.embedPending(owner)).toBe(16)
  })

  it('stay when a reindex fails because the model does not answer', async () => {
    let isDown = false
    const embedder: Embedder = {
      model: 'test:one',
      embed: async (texts) => {
        if (isDown) throw new Error('down')
        return texts.map(() => new Float32Array([1]))
      },
    }
    const ingest = ingestor({ embedder })
    await ingest.add(owner, { name: 'a.md', bytes: markdown('a') })
    const count = await ingest.embedPending(owner)
    isDown = true
    await expect(ingest.reindex(owner)).rejects.toThrow('down')
    expect(await store.documents(owner)).toMatchObject([{ embedded: count }])
    isDown = false
    expect(await ingest.reindex(owner)).toBe(count)
  })
})
