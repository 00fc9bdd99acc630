import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quotesOnPages } from '../../src/agents/rag/offline/on-pages.ts'
import { sourceOf } from '../../src/agents/rag/passages.ts'
import { systemClock as clock } from '../../src/core/clock.ts'
import { pdf } from '../../src/knowledge/parsing/files.fixture.ts'
import { DEFAULT_LIMITS } from '../../src/knowledge/parsing/limits.ts'
import { readDocument } from '../../src/knowledge/parsing/read-document.ts'
import { Readers } from '../../src/knowledge/parsing/readers.ts'
import { openKnowledgeStore } from '../../src/knowledge/store/index.ts'
import { documentOf } from '../../src/knowledge/store/store.fixture.ts'
import type { KnowledgeStore } from '../../src/knowledge/types.ts'
import { passageIn } from '../../src/server/documents/passage.ts'

let folder: string
let store: KnowledgeStore
const readers = new Readers(DEFAULT_LIMITS)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-pages-'))
  store = await openKnowledgeStore({ sqlitePath: join(folder, 'knowledge.db') })
})

afterAll(async () => {
  await Promise.all([store.close(), readers.close()])
  await rm(folder, { recursive: true, force: true })
})

const NAMES = 'bravik dolmen fernox gulbar hestor jorvin kalder lumric morvan nuster pelgan quorin rastel silvar'.split(
  ' ',
)

interface Page {
  readonly heading: boolean
  readonly sentences: number
}

const pages: fc.Arbitrary<readonly Page[]> = fc.array(
  fc.record({
    heading: fc.boolean(),
    sentences: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 2, maxLength: 4 },
)

/** Each sentence names one thing that no other names. */
async function drawn(all: readonly Page[], isOne: boolean): Promise<{ file: Buffer; pageOf: Map<string, number> }> {
  const names = [...NAMES]
  const pageOf = new Map<string, number>()
  const file = await pdf((document) => {
    for (const [i, { heading, sentences }] of all.entries()) {
      if (i > 0) document.addPage()
      if (heading && !isOne)
        document
          .fontSize(20)
          .text(`Part ${'abcd'[i]!.repeat(3)}`)
          .fontSize(11)
      for (let n = 0; n < sentences; n++) {
        const name = names.shift()!
        pageOf.set(name, i + 1)
        document.fontSize(11).text(`The ${name} needs a bolt of ${20 + n} mm and a washer. `, { continued: false })
      }
    }
  })
  return { file, pageOf }
}

describe('the page that a citation names', () => {
  it('is the one with the quoted sentence, also where short pages make one passage', { timeout: 60_000 }, async () => {
    let over = 0
    const property = fc.asyncProperty(pages, fc.boolean(), async (all, isOne) => {
      const { file, pageOf } = await drawn(all, isOne)
      const { text, chunks, parents } = await readDocument({ name: 'manual.pdf', bytes: file }, { clock, readers })
      over += chunks.filter((chunk) => chunk.pages !== undefined).length
      const { record } = await store.put('ada', {
        ...documentOf('manual.pdf', [], { type: 'pdf', text, hash: String(Math.random()) }),
        chunks,
        parents,
      })
      for (const [name, page] of pageOf) {
        const question = `What does the ${name} need?`
        const hits = await store.lexical('ada', question, 8)
        const { hits: parts, quotes } = await quotesOnPages(question, hits)
        const [quote] = quotes
        const { passage, excerpt } = sourceOf(parts[quote!.passage]!)
        expect([quote!.text, excerpt]).toEqual([expect.stringContaining(name), expect.stringContaining(name)])
        expect(passage!.page).toBe(page)
        const opened = await passageIn(store, 'ada', record.documentId, passage!)
        expect(opened.page).toBe(page)
        expect(opened.text.slice(opened.mark.start, opened.mark.end)).toContain(name)
        // Of the other pages nothing is quoted, marked or shown.
        const others = [...pageOf].flatMap(([other, on]) => (on === page ? [] : [other]))
        const said = [quote!.text, excerpt, opened.text].join(' ')
        expect(others.filter((other) => said.includes(other))).toEqual([])
      }
    })
    await fc.assert(property, { numRuns: 12 })
    expect(over).toBeGreaterThan(4)
  })

  it('is the first of a passage of before pages were kept, which is opened as it was', async () => {
    const chunk = { ordinal: 0, text: 'One. Two.', start: 0, end: 9, page: 4, kind: 'text' as const, tokens: 4 }
    const { record } = await store.put(
      'bo',
      documentOf('old.pdf', [], { text: chunk.text, chunks: [chunk], parents: [undefined] }),
    )
    expect((await store.chunks('bo', record.documentId))[0]).not.toHaveProperty('pages')
    expect(await passageIn(store, 'bo', record.documentId, { start: 5, end: 9 })).toMatchObject({
      page: 4,
      start: 0,
      text: chunk.text,
    })
  })
})
