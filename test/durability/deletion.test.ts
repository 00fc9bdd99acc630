import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp, defineAgent, type App, type TuttiError } from '../../src/index.ts'

let folder: string
let apps: App[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-deletion-'))
  apps = []
  whenKept = async () => undefined
})
afterEach(async () => {
  for (const app of apps) await app.close()
  await rm(folder, { recursive: true, force: true })
})

const bytes = new TextEncoder().encode('a chart')
/** The agent waits for this after it has stored its file. */
let whenKept: () => Promise<void> = async () => undefined

/** Stores the same file in every run, and answers with its id when released. */
const keeper = defineAgent({
  name: 'keeper',
  description: 'Draws charts.',
  capabilities: [],
  useCases: [],
  keywords: ['chart'],
  run: async (_task, { artifacts }) => {
    const { id } = await artifacts.keep({ name: 'chart.svg', mediaType: 'image/svg+xml', bytes })
    await whenKept()
    return { answer: id }
  },
})

async function open(onError?: (error: TuttiError) => void): Promise<App> {
  const told = onError === undefined ? {} : { onError }
  const app = await createApp({ storage: { folder }, agents: [keeper], ...told })
  apps.push(app)
  return app
}

async function ask(app: App, question = 'Draw the chart'): Promise<{ runId: string; file: string }> {
  const { answer, metadata } = await app.ask({ question, interactive: false })
  return { runId: metadata.runId, file: answer }
}

/** The state of a process that ends in the middle of a deletion. */
async function interrupted(isErased = false): Promise<void> {
  const app = await open()
  const { runId, file } = await ask(app)
  await app.artifacts.begin({ owner: 'local', runId, files: [file] })
  if (isErased) await app.store.remove('local', runId)
  await app.close()
}

/** Opens it again, when nothing is left of the run. */
async function expectFinished(onError?: (error: TuttiError) => void): Promise<void> {
  const next = await open(onError)
  expect(await next.runs.runs()).toEqual([])
  expect(await next.artifacts.list('local')).toEqual([])
  expect(await next.artifacts.begun()).toEqual([])
}

it('keeps an equal file that another run has stored and not yet reported', async () => {
  const app = await open()
  const first = await ask(app)
  whenKept = () => app.runs.delete(first.runId)
  const { file } = await ask(app)
  expect(Buffer.from((await app.artifacts.read('local', file)).bytes).toString()).toBe('a chart')
  expect(await app.artifacts.list('local')).toEqual([file])
})

it.each([
  ['before the run was erased', false],
  ['after the run was erased', true],
])('that was interrupted %s is finished at the next start', async (_when, isErased) => {
  const first = await open()
  const other = await ask(first, 'Draw another chart')
  await first.close()
  await interrupted(isErased)
  const next = await open()
  expect((await next.runs.runs()).map((run) => run.runId)).toEqual([other.runId])
  expect(await next.artifacts.list('local')).toEqual([other.file])
  expect(await next.artifacts.begun()).toEqual([])
})

it('that cannot be finished at a start waits for the next one', async () => {
  await interrupted()
  // Prevents the store from erasing, like a locked or full database.
  const { default: Database } = await import('libsql')
  const db = new Database(join(folder, 'tutti.db'))
  db.exec("CREATE TRIGGER stuck BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'stuck'); END")

  const trouble: string[] = []
  const busy = await open(({ code }) => trouble.push(code))
  expect(trouble).toEqual(['StorageError'])
  expect(await busy.artifacts.begun()).toHaveLength(1)
  await busy.close()
  db.exec('DROP TRIGGER stuck')
  db.close()

  await expectFinished()
})

it('that fails is not continued in the background after the caller got the error', async () => {
  const app = await open()
  const { runId, file } = await ask(app)
  const remove = app.store.remove.bind(app.store)
  app.store.remove = () => Promise.reject(new Error('disk full'))
  await expect(app.runs.delete(runId)).rejects.toThrow('disk full')
  app.store.remove = remove
  expect(await app.artifacts.begun()).toEqual([])
  expect(await app.artifacts.list('local')).toEqual([file])
})

it('leaves nothing of a run in the files of the database', async () => {
  const app = await open()
  const secret = 'zanzibarian porcupines'
  const { runId } = await ask(app, `Draw the chart of ${`${secret} `.repeat(300)}`)
  const found = async (): Promise<string[]> => {
    const names = (await readdir(folder)).filter((name) => name.startsWith('tutti.db'))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
    return names.filter((_name, index) => texts[index]!.includes(secret))
  }
  expect(await found()).not.toEqual([])
  await app.conversations.remove('local')
  await app.runs.delete(runId)
  expect(await found()).toEqual([])
})

it('deletes only nested runs whose parent is gone', async () => {
  const { runs, store } = await open()
  const base = { type: 'run.started', owner: 'local', at: new Date(0).toISOString() } as const
  const request = { question: 'x', strategy: 'pipeline' } as never
  const begin = (runId: string, parent: string) =>
    store.append([
      { runId, afterSeq: 0, events: [{ ...base, request, parent: { runId: parent, key: 'a' } }] },
      { runId, afterSeq: 1, events: [{ type: 'run.finished', at: base.at }], status: 'finished' },
    ])
  await begin('orphan', 'gone')
  await store.append([{ runId: 'parent', afterSeq: 0, events: [{ ...base, request }] }])
  await begin('child', 'parent')
  await expect(runs.delete('child')).rejects.toMatchObject({ code: 'RunConflict' })
  await runs.delete('orphan')
  expect((await store.runs()).map(({ runId }) => runId).sort()).toEqual(['child', 'parent'])
})
