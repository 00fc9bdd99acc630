// Soak test: kills processes at random moments.
import { expect, it } from 'vitest'
import { isLong } from '../support/length.ts'
import { responseOf } from '../../src/domain/response.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { describeKills } from './kill-scene.ts'
import { killAndGoOn } from './kills.ts'
import { EXPECTED_ANSWER, MODEL_RULES, openOffice, WITHOUT_MAIL } from './office.ts'
import type { Death } from './victim.ts'

/** More appends than a run makes after its mail. */
const MAX_APPENDS = 30

const CUT_OFF = 'The call of "mail" was cut off half-way and may have taken place; look whether it did.'
const STAYS = 'The call of "mail" took place for a task that is no longer in the plan, and stays done.'

describeKills('kill -9, around a change of the plan', MODEL_RULES, 'SQLite', (scene) => {
  async function die(dieAt: Death): Promise<boolean> {
    const { death, before, log, state, mails } = await killAndGoOn(scene, dieAt, {
      replans: true,
      open(options, runId) {
        const engine: Engine = openOffice({
          ...options,
          // A caller without a confirmation of the plan change repeats it.
          async aroundMail(when) {
            if (when === 'before mail') await engine.replan(runId, WITHOUT_MAIL, 'the test')
          },
        })
        return engine
      },
    })
    const { notes } = responseOf(log).metadata

    expect(state.status, death).toBe('finished')
    expect(state.answer, death).toMatchObject({ text: EXPECTED_ANSWER, by: 'model' })
    expect(state.plan?.plan, death).toEqual(WITHOUT_MAIL)
    for (const { id } of WITHOUT_MAIL.tasks) expect(state.jobs.get(id)?.status, `${id}, ${death}`).toBe('succeeded')
    const isKnown = [...state.effects.values()].every((effect) => effect.state === 'done')
    expect(notes, death).toEqual([isKnown ? STAYS : CUT_OFF])
    expect(isKnown ? [1] : [0, 1], `mails, ${death}`).toContain(mails.length)
    // Jobs that finished before the change are not repeated.
    const settled = before.filter((event) => event.type === 'job.settled' && event.key === 'reader')
    expect(settled, death).toHaveLength(1)
    return death !== undefined
  }

  it('at every later append: the new plan is executed, the mail is sent at most once, and its state is reported', async () => {
    let deaths = 0
    for (let append = 1; append <= MAX_APPENDS; append += isLong ? 1 : 2) {
      const died = await Promise.all((['before', 'after'] as const).map((when) => die({ append, when })))
      deaths += died.filter(Boolean).length
      if (!died[0]) break
    }
    expect(deaths).toBeGreaterThan(isLong ? 6 : 3)
  }, 300_000)

  it.each(['before mail', 'after mail'] as const)(`right %s`, async (when) => {
    expect(await die(when)).toBe(true)
  })
})
