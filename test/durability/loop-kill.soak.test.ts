// Soak test: kills a process after every event of a tool loop.
import { expect, it } from 'vitest'
import { transcriptMessages } from '../../src/domain/transcript.ts'
import type { RunState } from '../../src/domain/state.ts'
import { createRandom } from '../support/random.ts'
import { isLong } from '../support/length.ts'
import { testSeed } from '../support/seed.ts'
import { describeKills, type KillScene } from './kill-scene.ts'
import { ANSWER, JOB, LOOP_RULES, loopRequest, openLoopDesk } from './loop-desk.ts'
import { killAndGoOn } from './kills.ts'
import type { Death } from './victim.ts'

/** Appends around which the process is killed: from the agent's start to the results of its calls. */
const APPENDS = [3, 4, 5, 6, 7, 8, 9]

describeKills('kill -9 within a tool loop on %s', LOOP_RULES, 'both', (scene, isMissing, why) => {
  /** Runs a loop, killed or not, and continues it after an upgrade in this process. */
  async function killAndUpgrade(dieAt?: Death) {
    scene.server.script(LOOP_RULES)
    const { mails: made, ...result } = await killAndGoOn(scene, dieAt, {
      strategy: 'loop',
      request: loopRequest(),
      // With another schema the call has another input. The approval for the old input expires, possibly during the decision.
      open: (options, _runId, before) =>
        openLoopDesk({ ...options, isUpgraded: before.some(({ type }) => type === 'transcript.started') }),
    })
    return { ...result, made, requests: requestsTo(scene) }
  }

  it.skipIf(isMissing)(
    `after an upgrade the provider gets the same bytes, and no call is paid or made twice${why}`,
    async () => {
      const whole = await killAndUpgrade()
      expect(whole.requests).toHaveLength(2)
      const random = createRandom(testSeed())
      const atAppends = APPENDS.flatMap((append): readonly Death[] => {
        const both = (['before', 'after'] as const).map((when) => ({ append, when }))
        return isLong ? both : [random.pick(both)]
      })
      for (const dieAt of ['before mail', 'after mail', ...atAppends] as const) {
        const { death, before, state, made, requests } = await killAndUpgrade(dieAt)
        const about = `${death}, after ${before.at(-1)?.type}`
        expect(death, JSON.stringify(dieAt)).toContain('died')
        expect(state.jobs.get(JOB)?.result?.answer, about).toBe(ANSWER)
        expect(transcriptOf(state), about).toEqual(transcriptOf(whole.state))
        // A reply that was not yet in the log is requested again, with the same bytes.
        expect([...new Set(requests)], about).toEqual(whole.requests)
        const replies = before.filter(({ type }) => type === 'turn.finished').length
        for (const one of whole.requests.slice(0, replies)) expect(count(requests, one), about).toBe(1)
        expect(requests.length, about).toBeLessThanOrEqual(whole.requests.length + 1)
        expect(
          made.filter((line) => line !== 'look'),
          about,
        ).toHaveLength(1)
        const looks = before.some((event) => event.type === 'call.finished' && event.name === 'look') ? 1 : 2
        expect(count(made, 'look'), about).toBeLessThanOrEqual(looks)
      }
    },
    120_000,
  )
})

function requestsTo({ server }: KillScene): readonly string[] {
  return server.requests.map(({ body }) => JSON.stringify(body))
}

function transcriptOf({ transcripts }: RunState) {
  return transcriptMessages(transcripts.get(JOB)!, transcripts)
}

function count<T>(items: readonly T[], item: T): number {
  return items.filter((one) => one === item).length
}
