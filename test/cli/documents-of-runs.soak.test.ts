// Soak test: starts a process per command.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/index.ts'
import { ManualClock } from '../../src/testing/index.ts'
import { startModelServer } from '../support/model-server.ts'
import { createCliWorld, modelEnv, type Outcome } from './support.ts'
import { openForAll } from '../support/opened.ts'

const QUESTION = 'What does the leave policy say about days of leave?'

/** Of each test. */
let dataDir: string
const world = openForAll(() => createCliWorld())
beforeEach(async () => {
  dataDir = join(world.folder, `data-${randomUUID()}`)
  await mkdir(join(world.folder, 'papers'), { recursive: true })
  await write('25')
})

const write = (days: string) =>
  writeFile(join(world.folder, 'papers', 'leave.md'), `# Leave policy\n\nEverybody has ${days} days of leave.\n`)

const tutti = (...args: string[]): Promise<Outcome> => world.run(args, { env: { TUTTI_DATA: dataDir } })
const ask = (...options: string[]) => tutti('ask', QUESTION, ...options)

/** The command that opens the passage of the first source, without the name of the program. */
const opening = ({ out }: Outcome): string[] => /tutti (docs show \S+ --passage \S+)/.exec(out)![1]!.split(' ')

const newestRun = async (): Promise<string> => JSON.parse((await tutti('runs', 'list', '--json')).out).runs[0].runId

describe('documents of one question', () => {
  it('are in no library, and not found by later questions', async () => {
    const first = await ask('--docs', 'papers')
    expect(first.out).toContain('25 days')
    const later = await ask()
    expect(later.code).not.toBe(0)
    expect(later.out).toContain('There are no documents yet')
    expect(later.out).not.toContain('25')
    expect((await tutti('docs', 'list', '--json')).out).toContain('"documents": []')
  })

  it('stay unchanged for the run, although the file was changed or deleted', async () => {
    const first = await ask('--docs', 'papers')
    await write('30')
    const second = await ask('--docs', 'papers')
    expect(second.out).toContain('30 days')
    await rm(join(world.folder, 'papers'), { recursive: true })
    expect((await tutti(...opening(first))).out).toContain('25 days')
    expect((await tutti(...opening(second))).out).toContain('30 days')
  })

  it('are separate from the library with the same file, and leave it unchanged', async () => {
    await tutti('docs', 'add', 'papers')
    await write('30')
    expect((await ask('--docs', 'papers')).out).toContain('30 days')
    const ofLibrary = await ask()
    expect(ofLibrary.out).toContain('25 days')
    const newest = await newestRun()
    await tutti('runs', 'delete', newest, '--yes')
    expect((await tutti(...opening(ofLibrary))).out).toContain('25 days')
  })

  it('are deleted with the last run that uses them, including forks', async () => {
    const first = await ask('--docs', 'papers')
    const runId = await newestRun()
    const fork = await tutti('runs', 'fork', runId, '--from', 'rag')
    expect(fork.out).toContain('25 days')
    await tutti('runs', 'delete', runId, '--yes')
    expect((await tutti(...opening(first))).out).toContain('25 days')
    await tutti('runs', 'delete', '--all', '--yes')
    expect(await tutti(...opening(first))).toMatchObject({ code: 2 })
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('run-documents'))
    const contents = await Promise.all(files.map((name) => readFile(join(dataDir, name))))
    expect(contents.map((content) => content.includes('days of leave'))).toEqual(files.map(() => false))
  })

  it('are part of a backup', async () => {
    const first = await ask('--docs', 'papers')
    await tutti('backup', `${dataDir}-backup`)
    await rm(dataDir, { recursive: true })
    await tutti('restore', `${dataDir}-backup`)
    expect((await tutti(...opening(first))).out).toContain('25 days')
  })

  it('are visible only to their owner', async () => {
    const open = (owner: string, documents: readonly string[] = []) =>
      createApp({ storage: { folder: dataDir }, owner, documents, cwd: world.folder })
    const ann = await open('ann', ['papers'])
    const { agentResults, metadata } = await ann.ask(QUESTION)
    const { documentId } = agentResults[0]!.sources[0]!.passage!
    const { attached } = (await ann.runs.state(metadata.runId)).request
    await ann.close()
    const bob = await open('bob')
    try {
      expect(await bob.knowledge.ofRuns.collections.list('ann')).toHaveLength(1)
      expect(await bob.knowledge.ofRuns.collections.list('bob')).toEqual([])
      expect(await bob.knowledge.ofRuns.store.document('bob', documentId)).toBeUndefined()
      // A user who knows the name of the collection still gets their own one.
      const { answer } = await bob.ask({ question: QUESTION, attached: [...attached!] })
      expect(answer).not.toContain('25')
    } finally {
      await bob.close()
    }
  })
})

describe('a run with documents of its own', () => {
  it('continues with them after kill -9, though the folder is gone', async () => {
    const server = await startModelServer([{ reply: { latencyMs: 3_600_000 } }])
    try {
      // Dies while a model plans, before the first search.
      const running = world.start(['ask', QUESTION, '--docs', 'papers', '--strategy', 'graph', '--no-memory'], {
        env: { TUTTI_DATA: dataDir, ...modelEnv(server) },
      })
      await server.arrived(1)
      await running.kill()
    } finally {
      await server.close()
    }
    await rm(join(world.folder, 'papers'), { recursive: true })
    const runId = await newestRun()
    const resumed = await tutti('runs', 'resume', runId)
    expect(resumed.out).toContain('25 days')
    expect((await tutti(...opening(resumed))).out).toContain('25 days')
  })

  it('that never started keeps them for a day, because another process may start it', async () => {
    const open = (now: number) =>
      createApp({
        storage: { folder: dataDir },
        documents: ['papers'],
        cwd: world.folder,
        clock: new ManualClock(now),
      })
    const app = await open(0)
    await expect(app.ask({ question: QUESTION, conversationId: 'nobody-knows' })).rejects.toThrow('nobody-knows')
    await app.close()
    const left: number[] = []
    for (const hours of [1, 25]) {
      const later = await open(hours * 3_600_000)
      left.push((await later.knowledge.ofRuns.collections.list('local')).length)
      await later.close()
    }
    expect(left).toEqual([1, 0])
  })
})
