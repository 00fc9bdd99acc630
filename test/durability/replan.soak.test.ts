// Soak test: kills processes at random moments.
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isLong } from '../support/length.ts'
import { responseOf } from '../../src/domain/response.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { describeKills } from './kill-scene.ts'
import { approveAll, EXPECTED_ANSWER, MODEL_RULES, openOffice, WITHOUT_MAIL } from './office.ts'
import { runVictim } from './run-victim.ts'
import type { Death } from './dying-store.ts'

/** More appends than a run makes after its mail. */
const MAX_APPENDS = 30

const CUT_OFF = 'The call of "mail" was cut off half-way and may have taken place; look whether it did.'
const STAYS = 'The call of "mail" took place for a task that is no longer in the plan, and stays done.'

describeKills('kill -9 on %s, around a change of the plan', MODEL_RULES, 'SQLite', (scene, isMissing, why) => {
  async function killAndGoOn(dieAt: Death): Promise<boolean> {
    const { victim, world, storage, server } = scene
    const runId = `run ${randomUUID()}`
    const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
    const settings = { storage: world.settings, modelUrl: server.url, outbox, runId, dieAt, replans: true }
    const death = await runVictim(victim, settings)
    const inLog = await storage.store.read(runId)
    const engine: Engine = openOffice({
      store: storage.store,
      modelUrl: server.url,
      outbox,
      // A caller without a confirmation of the plan change repeats it.
      async aroundMail(when) {
        if (when === 'before mail') await engine.replan(runId, WITHOUT_MAIL, 'the test')
      },
    })
    if (death !== undefined) void engine.resume(runId)
    await approveAll(engine, storage.store, runId)
    const state = await engine.state(runId)
    const { notes } = responseOf(await engine.events(runId)).metadata
    await engine.close()

    expect(state.status, death).toBe('finished')
    expect(state.answer, death).toMatchObject({ text: EXPECTED_ANSWER, by: 'model' })
    expect(state.plan?.plan, death).toEqual(WITHOUT_MAIL)
    for (const { id } of WITHOUT_MAIL.tasks) expect(state.jobs.get(id)?.status, `${id}, ${death}`).toBe('succeeded')
    const mails = (await readFile(outbox, 'utf8').catch(() => '')).split('\n').filter(Boolean)
    const isKnown = [...state.effects.values()].every((effect) => effect.state === 'done')
    expect(notes, death).toEqual([isKnown ? STAYS : CUT_OFF])
    expect(isKnown ? [1] : [0, 1], `mails, ${death}`).toContain(mails.length)
    // Jobs that finished before the change are not repeated.
    const settled = inLog.filter((event) => event.type === 'job.settled' && event.key === 'reader')
    expect(settled, death).toHaveLength(1)
    await rm(outbox, { force: true })
    return death !== undefined
  }

  it.skipIf(isMissing)(
    `at every later append: the new plan is executed, the mail is sent at most once, and its state is reported${why}`,
    async () => {
      let deaths = 0
      for (let append = 1; append <= MAX_APPENDS; append += isLong ? 1 : 2) {
        const died = await Promise.all((['before', 'after'] as const).map((when) => killAndGoOn({ append, when })))
        deaths += died.filter(Boolean).length
        if (!died[0]) break
      }
      expect(deaths).toBeGreaterThan(isLong ? 6 : 3)
    },
    300_000,
  )

  it.skipIf(isMissing).each(['before mail', 'after mail'] as const)(`right %s${why}`, async (when) => {
    expect(await killAndGoOn(when)).toBe(true)
  })
})
