// Soak test: decides ten approvals in random order.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { agent, engineFor, eventually, mortal, passing, request, textTool } from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { createRandom, type Random } from '../../../test/support/random.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { areStoresBusy } from '../../../test/support/watched-store.ts'

const TASKS = Array.from({ length: 10 }, (_, i) => `t${i}`)

/** Ten agents that start to wait at different times, and the calls that were really made. */
function tenAgents(clock: ManualClock, random: Random) {
  const sent = new Map<string, string>()
  const send = textTool(
    'send',
    'irreversible',
    async (what: string, { idempotencyKey }) => {
      expect(sent.has(idempotencyKey), 'never sent twice').toBe(false)
      sent.set(idempotencyKey, what)
      return what
    },
    { check: async (what, key) => (sent.has(key) ? { state: 'done', output: what } : { state: 'not-done' }) },
  )
  const dawdle = defineTool({
    name: 'dawdle',
    description: 'waits',
    effect: 'read',
    input: z.number(),
    run: (ms: number) => new Promise<null>((resolve) => clock.timer(ms, () => resolve(null))),
  })
  const delays = TASKS.map(() => random.int(0, 30_000))
  const agents = TASKS.map((name, i) =>
    agent(name, async (_task, ctx) => {
      await ctx.call(dawdle, delays[i]!)
      return { answer: await ctx.call(send, name) }
    }),
  )
  return { agents, sent }
}

describeStores('ten approvals at once', (store) => {
  it.each([1, 2, 3, 4])(
    'settle each as recorded, in random order, with random time-outs and a restart in the middle (seed %i)',
    async (seed) => {
      const random = createRandom(seed)
      const clock = new ManualClock()
      const { agents, sent } = tenAgents(clock, random)
      const options = { clock, approvals: { timeoutMs: 60_000 }, maxParallel: TASKS.length }
      const dying = mortal(store())
      const first = engineFor(agents, { ...options, store: dying })
      const runId = await first.start(request(TASKS, { strategy: 'graph' }))
      const others = engineFor(agents, { ...options, store: store() })
      /** The accepted decisions; `undefined` for approvals that expired. */
      const decisions = new Map<string, 'approved' | 'denied'>()

      /** Waits until the database returns the pending approvals. The test clock does not advance. */
      const pending = async () => {
        for (let look = 0; ; look++) {
          const found = await store().approvals({ runId, status: 'pending' })
          if (found.length > 0 || look === 20) return found
          await settled()
        }
      }

      const decideOne = async (): Promise<void> => {
        const open = await pending()
        const one = open.length === 0 ? undefined : random.pick(open)
        if (one === undefined) return
        const choice = random.chance(0.5) ? 'approved' : 'denied'
        const isLate = one.expiresAt <= clock.now()
        const done = await others.decide(one.approvalId, choice, 'ann').then(
          () => true,
          () => false,
        )
        expect(done).toBe(!isLate)
        if (done) decisions.set(one.key, choice)
      }

      const restartAt = random.int(2, 5)
      for (let step = 0; step < 9; step++) {
        if (step === restartAt) {
          dying.crash()
          await eventually(() => !areStoresBusy()) // calls on their way have arrived
          await clock.advance(31_000) // its lease is over
          await others.recover()
          await others.work()
        }
        await clock.advance(random.int(0, 12_000))
        await eventually(() => !areStoresBusy())
        await decideOne()
      }
      const state = await passing(clock, others.outcome(runId), 2_000)
      await eventually(async () => (await store().run(runId))?.status === 'finished')

      const records = await store().approvals({ runId })
      expect(records).toHaveLength(TASKS.length)
      for (const { key, status } of records) {
        const decision = decisions.get(key)
        expect([key, status]).toEqual([key, decision ?? 'timed_out'])
        const outcome = state.jobs.get(key)!.result!
        expect([key, outcome.status, outcome.error?.type]).toEqual(
          decision === 'approved'
            ? [key, 'succeeded', undefined]
            : [key, 'failed', decision === 'denied' ? 'ApprovalDenied' : 'ApprovalTimedOut'],
        )
      }
      const approved = [...decisions].filter(([, choice]) => choice === 'approved').map(([key]) => key)
      expect([...sent.values()].sort()).toEqual(approved.sort())
      const decided = (await others.events(runId)).filter((event) => event.type === 'approval.decided')
      expect(new Set(decided.map(({ approvalId }) => approvalId)).size).toBe(TASKS.length)
      expect(decisions.size, 'some were decided by a person').toBeGreaterThan(0)
      await others.close()
    },
  )
})
