// Soak test: kills a process at every event of a run.
import { expect, it } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import { describeKills } from './kill-scene.ts'
import { killAndGoOn } from './kills.ts'
import { EXPECTED_ANSWER, MODEL_RULES, PROMPTS } from './office.ts'
import type { Death } from './victim.ts'

/** More appends than any office run makes. */
const MAX_APPENDS = 60

describeKills('kill -9', MODEL_RULES, 'both', (scene) => {
  /** Kills a run at the given moment, continues it in this process, and checks all invariants. */
  async function die(dieAt: Death): Promise<boolean> {
    const { runId, death, before, state, mails } = await killAndGoOn(scene, dieAt)
    expect(state.status, death).toBe('finished')
    expect(state.answer, death).toMatchObject({ text: EXPECTED_ANSWER, by: 'model' })
    const requests = scene.server.requests.filter((request) => request.text.includes(runId))
    for (const prompt of PROMPTS) {
      const times = requests.filter((request) => request.text.includes(`[${prompt}]`)).length
      const most = isFinished(before, prompt) || death === undefined ? 1 : 2
      expect(times, `${prompt} was asked, ${death}`).toBeGreaterThanOrEqual(1)
      expect(times, `${prompt} was asked, ${death}`).toBeLessThanOrEqual(most)
    }
    expect(mails, `mails, ${death}`).toHaveLength(1)
    return death !== undefined
  }

  it('around every append of a run: same answer, no finished call paid twice, the mail sent once', async () => {
    let next = 1
    let deaths = 0
    const killInTurn = async (): Promise<void> => {
      while (next <= MAX_APPENDS) {
        const append = next++
        const died = [await die({ append, when: 'before' }), await die({ append, when: 'after' })]
        deaths += died.filter(Boolean).length
        if (!died[0]) next = MAX_APPENDS + 1
      }
    }
    await Promise.all([killInTurn(), killInTurn()])
    expect(deaths).toBeGreaterThan(15)
  }, 300_000)

  it.each(['before mail', 'after mail'] as const)('during the irreversible call, right %s', async (when) => {
    expect(await die(when)).toBe(true)
  })
})

function isFinished(log: readonly RunEvent[], prompt: string): boolean {
  return log.some((event) => event.type === 'call.finished' && event.kind === 'model' && event.name === prompt)
}
