// Soak test: kills one of two workers during fifty runs.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import { createPostgresStorage } from '../../src/storage/postgres-storage.ts'
import { eventually, types } from '../support/engine-world.ts'
import { startModelServer } from '../support/model-server.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { bundle } from '../support/bundle.ts'
import { EXPECTED_ANSWER, MODEL_RULES, officeRequest, openOffice } from './office.ts'
import type { WorkerSettings } from './worker.ts'

const RUNS = 50

const isMissing = inject('postgresUrl') === ''

it.skipIf(isMissing)(
  `two workers on PostgreSQL, one killed: all of ${RUNS} runs finish, each exactly once${isMissing ? ' (PostgreSQL is not installed on this machine)' : ''}`,
  async () => {
    const databaseUrl = await createTestDatabase(inject('postgresUrl'))
    const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
    const program = await bundle('durability/worker.ts')
    const slow = MODEL_RULES.map((rule) => ({ ...rule, reply: { ...rule.reply, latencyMs: 30 } }))
    const server = await startModelServer(slow)
    // Creates the tables before the workers start, and executes no run itself.
    const storage = await createPostgresStorage(databaseUrl, { clock: systemClock, onError: () => undefined })
    const engine = openOffice({ ...storage, modelUrl: server.url, outbox, isTrusting: true })
    const workers: ChildProcess[] = []
    try {
      const runIds = Array.from({ length: RUNS }, (_, i) => `run ${i}`)
      for (const runId of runIds) await engine.start(officeRequest(runId), { runId })
      const settings: WorkerSettings = { databaseUrl, modelUrl: server.url, outbox }
      for (let i = 0; i < 2; i++) {
        workers.push(
          spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] }),
        )
      }
      await Promise.all(workers.map((worker) => once(worker.stdout!, 'data')))
      const [doomed, heir] = workers as [ChildProcess, ChildProcess]

      const held = await eventually(async () => {
        const running = await storage.store.runs({ status: ['running'] })
        const mine = running.filter((run) => run.worker?.split('/')[1] === String(doomed.pid) && run.lastSeq > 3)
        return mine.length >= 3 && mine.map((run) => run.runId)
      })
      doomed.kill('SIGKILL')

      const states = await Promise.all(runIds.map((runId) => engine.outcome(runId)))
      expect(states.map((state) => state.status)).toEqual(runIds.map(() => 'finished'))
      expect(new Set(states.map((state) => state.answer?.text))).toEqual(new Set([EXPECTED_ANSWER]))
      const mails = (await readFile(outbox, 'utf8')).trim().split('\n')
      expect(mails).toHaveLength(RUNS)
      expect(new Set(mails).size).toBe(RUNS)
      const logs = await Promise.all(runIds.map(async (runId) => types(await engine.events(runId))))
      expect(logs.map((log) => log.filter((type) => type === 'run.finished').length)).toEqual(runIds.map(() => 1))
      const takenOver = new Set(runIds.filter((_runId, i) => logs[i]!.includes('run.resumed')))
      expect(
        held.some((runId) => takenOver.has(runId)),
        'the other worker continued the runs of the dead one',
      ).toBe(true)

      heir.kill('SIGTERM')
      const [code] = (await once(heir, 'exit')) as [number | null]
      expect(code, 'a worker exits on SIGTERM').toBe(0)
    } finally {
      for (const worker of workers) worker.kill('SIGKILL')
      await engine.close()
      await storage.close()
      await server.close()
      await rm(outbox, { force: true })
      await rm(dirname(program), { recursive: true })
    }
  },
  300_000,
)
