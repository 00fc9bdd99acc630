// Soak test: kills a process at every event of a run.
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import { describeKills } from './kill-scene.ts'
import { runVictim } from './run-victim.ts'
import { approveAll, EXPECTED_ANSWER, MODEL_RULES, officeRequest, openOffice, PROMPTS } from './office.ts'
import type { Death } from './dying-store.ts'

/** More appends than any office run makes. */
const MAX_APPENDS = 60

describeKills('kill -9 on %s', MODEL_RULES, 'both', (scene, isMissing, why) => {
  /** Kills a run at the given moment, continues it in this process, and checks all invariants. */
  async function killAndGoOn(dieAt: Death): Promise<boolean> {
    const { victim, world, storage, server } = scene
    const runId = `run ${randomUUID()}`
    const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
    const settings = { storage: world.settings, modelUrl: server.url, outbox, runId, dieAt }
    const death = await runVictim(victim, settings)
    const inLog = await storage.store.read(runId)
    const engine = openOffice({ store: storage.store, modelUrl: server.url, outbox })
    // Killed before its start was on disk: no caller has its id.
    if (inLog.length === 0) await engine.start(officeRequest(runId), { runId })
    else if (death !== undefined) void engine.resume(runId)
    await approveAll(engine, storage.store, runId)
    const state = await engine.state(runId)
    await engine.close()

    expect(state.status, death).toBe('finished')
    expect(state.answer, death).toMatchObject({ text: EXPECTED_ANSWER, by: 'model' })
    const requests = server.requests.filter((request) => request.text.includes(runId))
    for (const prompt of PROMPTS) {
      const times = requests.filter((request) => request.text.includes(`[${prompt}]`)).length
      const most = isFinished(inLog, prompt) || death === undefined ? 1 : 2
      expect(times, `${prompt} was asked, ${death}`).toBeGreaterThanOrEqual(1)
      expect(times, `${prompt} was asked, ${death}`).toBeLessThanOrEqual(most)
    }
    const mails = (await readFile(outbox, 'utf8')).trim().split('\n')
    expect(mails, `mails, ${death}`).toHaveLength(1)
    await rm(outbox)
    return death !== undefined
  }

  it.skipIf(isMissing)(
    `around every append of a run: same answer, no finished call paid twice, the mail sent once${why}`,
    async () => {
      let next = 1
      let deaths = 0
      const killInTurn = async (): Promise<void> => {
        while (next <= MAX_APPENDS) {
          const append = next++
          const died = [await killAndGoOn({ append, when: 'before' }), await killAndGoOn({ append, when: 'after' })]
          deaths += died.filter(Boolean).length
          if (!died[0]) next = MAX_APPENDS + 1
        }
      }
      await Promise.all([killInTurn(), killInTurn()])
      expect(deaths).toBeGreaterThan(15)
    },
    300_000,
  )

  it.skipIf(isMissing).each(['before mail', 'after mail'] as const)(
    `during the irreversible call, right %s${why}`,
    async (when) => {
      expect(await killAndGoOn(when)).toBe(true)
    },
  )
})

function isFinished(log: readonly RunEvent[], prompt: string): boolean {
  return log.some((event) => event.type === 'call.finished' && event.kind === 'model' && event.name === prompt)
}
