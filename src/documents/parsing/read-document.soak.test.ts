// Soak test: fills and stalls processes until their limits.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { systemClock } from '../../shared/clock.ts'
import { foreignWorkbook, pdf, zip } from '../../../test/documents/support/files.ts'
import { readDocument } from './read-document.ts'
import { processorMs } from '../../processes/processor-time.ts'

const clock = systemClock

/** Live processes that this thread started. Other test files in this process read files, too. */
function childPids(): string[] {
  if (process.platform !== 'linux') return ['unknown']
  const pids = readFileSync('/proc/thread-self/children', 'utf8').trim().split(' ').filter(Boolean)
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('read-process'))
}

function children(): string[] {
  return process.platform === 'linux' ? childPids() : []
}

afterEach(() => {
  const left = children()
  if (left.length > 0) throw new Error(`Processes were left behind: ${left.join('; ')}`)
})

const run = promisify(execFile)

describe('reading a file in a process of its own', () => {
  it('returns its text, its passages with their parents, and its metadata', async () => {
    const paragraph = 'Damaged goods are taken back within thirty days. '.repeat(150)
    const bytes = Buffer.from(`# Returns\n\n## Damaged 😀 goods\n\n${paragraph}\n\n## Fees\n\n|a|b|\n|-|-|\n|1|2|\n`)
    const stages: string[] = []
    const read = await readDocument({ name: 'a.md', bytes }, { clock, onChunking: () => stages.push('chunking') })
    expect(read).toMatchObject({
      type: 'md',
      title: 'Returns',
      notes: [],
      headings: ['Returns', 'Damaged 😀 goods', 'Fees'],
    })
    expect(read.chunks.map(({ ordinal, kind, section }) => [ordinal, kind, section])).toEqual([
      [0, 'text', 'Returns › Damaged 😀 goods'],
      [1, 'text', 'Returns › Damaged 😀 goods'],
      [2, 'table', 'Returns › Fees'],
    ])
    expect(read.parents).toEqual([undefined, 0, undefined])
    for (const { text, start, end } of read.chunks) expect(text).toBe(read.text.slice(start, end))
    expect(stages).toEqual(['chunking'])
  })

  it('never blocks the caller: it takes results piece by piece', async () => {
    const program = fileURLToPath(new URL('../../../test/documents/support/event-loop-share.ts', import.meta.url))
    const { stdout } = await run(process.execPath, ['--import', 'tsx', program])
    expect(Number(stdout)).toBeGreaterThan(0)
    expect(Number(stdout)).toBeLessThan(1 / 3)
  })

  it('returns the error of the parser', async () => {
    const bytes = await pdf((pdf) => pdf.text('secret'), { userPassword: 'x' })
    await expect(readDocument({ name: 'locked.pdf', bytes }, { clock })).rejects.toMatchObject({
      code: 'DocumentError',
      message: 'locked.pdf is protected by a password; save it without one and add that.',
    })
    await expect(readDocument({ name: 'a.txt', bytes: Buffer.alloc(0) }, { clock })).rejects.toThrow(
      'a.txt is empty; add a file that has content.',
    )
    const named = { name: `${'a'.repeat(200_000)}.txt`, bytes: Buffer.from('text') }
    await expect(readDocument(named, { clock })).rejects.toThrow(/^The name of the file is longer/)
    const large = { name: 'a.txt', bytes: Buffer.alloc(2000, 'a') }
    await expect(readDocument(large, { clock, limits: { fileBytes: 1000 } })).rejects.toThrow(
      'a.txt has 2 kB, more than the limit of 1 kB; split it and add the parts.',
    )
  })

  it('ends it when it takes too much memory, on the heap or beside it', async () => {
    const xml = `<w:document><w:body>${'<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(600_000)}</w:body></w:document>`
    const bytes = zip([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'word/document.xml', content: xml },
      { name: '_rels/.rels', content: '<Relationships/>' },
    ])
    const heap = { clock, limits: { heapMb: 64 } }
    await expect(readDocument({ name: 'a.docx', bytes }, heap)).rejects.toThrow(
      'a.docx could not be read: it needs more than 1536 MB of memory; split it into several files.',
    )
    const resident = { clock, limits: { residentMb: 120 } }
    await expect(readDocument({ name: 'a.docx', bytes }, resident)).rejects.toThrow(
      'a.docx could not be read: it needs more than 120 MB of memory; split it into several files.',
    )
  })

  it.runIf(process.platform === 'linux')('ends it when it takes too long', async () => {
    const manual = new ManualClock()
    const bytes = Buffer.from('word '.repeat(2_000_000))
    const reading = readDocument({ name: 'a.txt', bytes }, { clock: manual, limits: { timeMs: 100 } })
    const outcome = reading.catch((error: Error) => `${error.name}: ${error.message}`)
    const pid = await vi.waitUntil(() => childPids().at(-1))
    await vi.waitUntil(() => processorMs(pid)! > 100, { timeout: 30_000 })
    await manual.advance(100)
    expect(await outcome).toBe(
      'DocumentError: a.txt could not be read: it takes longer than 0.1 seconds; split it into several files.',
    )
    expect(manual.pending).toBe(0)
  })

  it.runIf(process.platform === 'linux')(
    'gives a small file a short CPU time limit, waits longer on a busy machine, and reports the machine as busy',
    async () => {
      const manual = new ManualClock()
      const reading = readDocument({ name: 'a.txt', bytes: Buffer.from('words') }, { clock: manual })
      const outcome = reading.catch((error: Error) => `${error.name}: ${error.message}`)
      const pid = Number(await vi.waitUntil(() => childPids().at(-1)))
      process.kill(pid, 'SIGSTOP')
      await manual.advance(4 * 20_000)
      expect(childPids()).toEqual([String(pid)])
      await manual.advance(20_000)
      expect(await outcome).toMatch(
        /^DocumentError: a\.txt could not be read: the machine is too busy, it let the reader work for [\d.]+ of 20 seconds; add it again when less is going on\.$/,
      )
      expect(manual.pending).toBe(0)
    },
  )

  it('ends it when it is stopped', async () => {
    const stop = new AbortController()
    const reading = readDocument(
      { name: 'a.txt', bytes: Buffer.from('word '.repeat(1_000_000)) },
      { clock, signal: stop.signal, onChunking: () => stop.abort(new Error('enough')) },
    )
    await expect(reading).rejects.toThrow('enough')
    await expect(
      readDocument({ name: 'a.txt', bytes: Buffer.from('x') }, { clock, signal: stop.signal }),
    ).rejects.toThrow('enough')
  })

  it('works from the built package, without write permission', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-read-'))
    try {
      await writeFile(join(folder, 'a.pdf'), await pdf((pdf) => pdf.text('Some text.')))
      await writeFile(join(folder, 'b.xlsx'), foreignWorkbook())
      await writeFile(join(folder, 'c.docx'), '{\\rtf')
      const env = { PATH: process.env['PATH'], HOME: folder, TUTTI_DATA: join(folder, 'data') }
      const tutti = (...args: string[]) =>
        run(process.execPath, [join(inject('dist'), 'cli', 'main.js'), 'docs', ...args], { cwd: folder, env }).catch(
          (error: { stdout: string; stderr: string }) => error,
        )
      expect((await tutti('add', 'a.pdf', 'b.xlsx', 'c.docx')).stderr).toContain(
        'c.docx is not a valid DOCX file, despite its extension. Save it again as DOCX and add that.',
      )
      expect((await tutti('show', 'a.pdf')).stdout).toContain('Some text.')
      expect((await tutti('show', 'b.xlsx')).stdout).toContain('Zeta\n\nfirst | 5\n\nAlpha\n\nlast | 5')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('refuses too much text and too many passages', async () => {
    const bytes = Buffer.from(Array.from({ length: 50 }, (_, i) => `# Heading ${i}\n\ntext\n`).join('\n'))
    await expect(readDocument({ name: 'a.md', bytes }, { clock, limits: { chunks: 49 } })).rejects.toThrow(
      'a.md has more than 49 passages; split it into several files and add those.',
    )
    await expect(readDocument({ name: 'a.md', bytes }, { clock, limits: { characters: 100 } })).rejects.toThrow(
      'a.md has more than 100 characters of text; split it into several files and add those.',
    )
  })
})
