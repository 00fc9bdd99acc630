import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeKills } from './kill-scene.ts'
import {
  approveFamily,
  EXPECTED_ANSWER,
  familyOf,
  levelIn,
  MODEL_RULES,
  NESTED_RULES,
  officeRequest,
  openOffice,
  PROMPTS,
} from './office.ts'
import { runVictim } from './run-victim.ts'
import type { Death } from './dying-store.ts'

/** Kills on each database: more of them by `TUTTI_TEST_KILLS=150 npx vitest run test/durability/nested.int.test.ts`. */
const KILLS = Number(process.env['TUTTI_TEST_KILLS'] ?? 4)
/** Appends of several runs are batched: this many batches on a busy machine, more on an idle one. */
const APPENDS = 17

describeKills('kill -9 of a run with nested runs, on %s', [], 'SQLite', (scene, isMissing, why) => {
  async function killAndGoOn(dieAt: Death): Promise<boolean> {
    const { victim, world, storage, server } = scene
    server.script([...NESTED_RULES, ...MODEL_RULES])
    const runId = `run ${randomUUID()}`
    const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
    const settings = { storage: world.settings, modelUrl: server.url, outbox, runId, dieAt, hasFamily: true }
    const death = await runVictim(victim, settings)
    const inLog = (
      await Promise.all((await familyOf(storage.store, runId)).map((one) => storage.store.read(one)))
    ).flat()
    const engine = openOffice({ store: storage.store, modelUrl: server.url, outbox })
    if (inLog.length === 0) await engine.start(officeRequest(runId), { runId })
    else if (death !== undefined) void engine.resume(runId)
    await approveFamily(engine, storage.store, runId)
    const state = await engine.state(runId)
    const family = await familyOf(storage.store, runId)
    await engine.close()

    expect([state.status, state.answer?.text, family.length], death).toEqual(['finished', EXPECTED_ANSWER, 3])
    for (const one of family) expect((await storage.store.run(one))?.status, `${one}, ${death}`).toBe('finished')
    // Two levels plan, read and answer; the third one writes the mail, too. Each is counted once in the first.
    expect(state.usage.calls, death).toBe(10)
    const keyOf = (name: string, level: number): string => `${name} ${level}`
    const asked = server.requests.map(({ text }) =>
      keyOf(
        PROMPTS.find((one) => text.includes(`[${one}]`))!,
        levelIn(text),
      ),
    )
    const levels = new Map(
      inLog.flatMap((event) => (event.type === 'run.started' ? [[event.runId, levelIn(event.request.question)]] : [])),
    )
    const finished = new Set(
      inLog.flatMap((event) =>
        event.type === 'call.finished' && event.kind === 'model' ? [keyOf(event.name, levels.get(event.runId)!)] : [],
      ),
    )
    for (const key of new Set(asked)) {
      const times = asked.filter((other) => other === key).length
      expect(times, `${key}, ${death}`).toBeLessThanOrEqual(finished.has(key) ? 1 : 2)
    }
    expect(new Set(asked).size, death).toBe(10)
    expect((await readFile(outbox, 'utf8')).trim().split('\n'), `mails, ${death}`).toHaveLength(1)
    await rm(outbox)
    return death !== undefined
  }

  it.skipIf(isMissing)(
    `${KILLS} times at random: all is done, no finished work is repeated, the mail is sent once${why}`,
    async () => {
      const when = fc.constantFrom('before' as const, 'after' as const)
      const deaths = fc.sample(fc.record({ append: fc.integer({ min: 2, max: APPENDS }), when }), {
        numRuns: KILLS,
        seed: 5,
      })
      const died: boolean[] = []
      for (const death of deaths) died.push(await killAndGoOn(death))
      expect(died.filter(Boolean).length).toBeGreaterThan(KILLS / 2)
      expect(await killAndGoOn('before mail')).toBe(true)
      expect(await killAndGoOn('after mail')).toBe(true)
    },
    Math.max(180_000, KILLS * 15_000),
  )
})
