// Soak test: several processes on one database.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { bundle } from '../../test/support/bundle.ts'
import { createStorageWorld, note, started, type StorageKind, type StorageWorld } from '../../test/support/storage.ts'

const postgresUrl = inject('postgresUrl')
let script: string

beforeAll(async () => {
  script = await bundle('support/storage-child.ts')
})
afterAll(() => rm(dirname(script), { recursive: true }))

describe.each(['SQLite', 'PostgreSQL'] as const satisfies StorageKind[])('%s and several processes', (kind) => {
  describe.skipIf(kind === 'PostgreSQL' && postgresUrl === '')('(PostgreSQL needs a local installation)', () => {
    let world: StorageWorld
    const children: ChildProcess[] = []

    beforeEach(async () => {
      world = await createStorageWorld(kind, postgresUrl)
    })
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL')
      await world.close()
    })

    function run(what: string) {
      const child = spawn(process.execPath, [script, what, JSON.stringify(world.settings)])
      children.push(child)
      const said = { out: '', err: '' }
      child.stdout.on('data', (chunk) => (said.out += String(chunk)))
      child.stderr.on('data', (chunk) => (said.err += String(chunk)))
      const ended = once(child, 'close')
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL')
        await ended
      }
      return { child, said, ended, kill }
    }

    it('can be started in parallel on an empty database', async () => {
      const started = Array.from({ length: 5 }, () => run('open'))
      for (const { ended, said } of started) {
        const [code] = await ended
        expect([code, said.err]).toEqual([0, ''])
      }
      expect(await (await world.open()).store.runs()).toEqual([])
    })

    it('leaves a gapless log with all acknowledged events when killed during appends', async () => {
      const { said, kill } = run('append')
      await vi.waitFor(() => expect(said.out.split('\n').length).toBeGreaterThan(40), 30_000)
      await kill()
      const acknowledged = Number(said.out.slice(0, said.out.lastIndexOf('\n')).split('\n').at(-1))
      const { store } = await world.open()
      const events = await store.read('a')
      expect(events.length).toBeGreaterThanOrEqual(acknowledged)
      expect(events.length % 3).toBe(1)
      expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
      const afterSeq = events.length
      expect(await store.run('a')).toMatchObject({ lastSeq: afterSeq })
      expect(await store.append([{ runId: 'a', afterSeq, events: [note('on')] }])).toEqual(['appended'])
    })

    it('gives the run of a killed worker to another one', async () => {
      const { store, wakeups } = await world.open()
      await store.append([{ runId: 'a', afterSeq: 0, events: [started()], wakes: [{ runId: 'a' }] }])
      const { said, kill } = run('work')
      await vi.waitFor(() => expect(said.out).toBe('a\n'), 20_000)
      const calls: string[] = []
      if (kind === 'PostgreSQL') await wakeups.work(async (runId) => void calls.push(runId))
      await kill()
      if (kind === 'SQLite') await wakeups.work(async (runId) => void calls.push(runId))
      // Heartbeat 10 s, looked at every 2 s, first delay up to 2 s, poll every 2 s.
      await vi.waitFor(() => expect(calls).toEqual(['a']), { timeout: 25_000, interval: 100 })
    })
  })
})
