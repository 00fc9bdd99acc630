/**
 * `npm run bench:adding [-- FILES]`: how fast many small files are taken in, beside what that would take if each were read by
 * a process of its own: the start of one process for each file, as many at once.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/shared/clock.ts'
import { createIngestor } from '../src/documents/ingest/ingestor.ts'
import { DEFAULT_LIMITS } from '../src/documents/parsing/limits.ts'
import { readDocument } from '../src/documents/parsing/read-document.ts'
import { openKnowledgeStore } from '../src/documents/store/index.ts'
import { childrenUse } from './processes.ts'

/** Files that are read by a process each, from which its share is told. */
const STARTS = 10

async function main(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-adding-'))
  const store = openKnowledgeStore({ sqlitePath: join(folder, 'knowledge.db') })
  try {
    const files = join(folder, 'files')
    await mkdir(files)
    for (let i = 0; i < count; i++) await writeFile(join(files, `note-${i}.md`), noteOf(i))
    const ingest = createIngestor({ store, clock: systemClock })
    // Loads the code and opens the store.
    await ingest.add('bench', { name: 'first.md', bytes: Buffer.from(noteOf(-1)) })
    const [ownBefore, childrenBefore] = [process.cpuUsage(), await childrenUse()]
    const startedAt = performance.now()
    const added = await ingest.addPaths('bench', [files], { cwd: folder })
    const seconds = (performance.now() - startedAt) / 1e3
    const own = process.cpuUsage(ownBefore)
    const children = await childrenUse()
    if (added.some((file) => !('added' in file))) throw new Error('Not all files were added.')
    const alone = await secondsOfOneEach()
    console.log(`${count} small files: ${(count / seconds).toFixed(1)} a second`)
    console.log(
      `The same with a process for each: ${(1 / alone).toFixed(1)} a second; ratio ${((alone * count) / seconds).toFixed(1)}`,
    )
    const ownMs = (own.user + own.system) / 1e3 / count
    const storeMs = (children.cpuMs - childrenBefore.cpuMs) / count
    console.log(
      `Processor time a file: ${ownMs.toFixed(1)} ms of the program, ${storeMs.toFixed(1)} ms of the store (readers that have ended aside); ` +
        `${(((ownMs + storeMs) * count) / 1e3 / seconds).toFixed(2)} of the time that went by`,
    )
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function noteOf(i: number): string {
  return `# Note ${i}\n\nThe kettle of house ${i} is boiled ${i + 3} times a day.\n\n## Care\n\nIt is cleaned with vinegar.\n`
}

/** Two at once, as the files of a folder are. */
async function secondsOfOneEach(): Promise<number> {
  const startedAt = performance.now()
  const read = (i: number) =>
    readDocument(
      { name: `note-${i}.md`, bytes: Buffer.from(noteOf(i)) },
      { clock: systemClock, limits: DEFAULT_LIMITS },
    )
  for (let i = 0; i < STARTS; i += 2) await Promise.all([read(i), read(i + 1)])
  return (performance.now() - startedAt) / 1e3 / STARTS
}

await main(Number(process.argv[2] ?? 200))
