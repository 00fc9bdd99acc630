import { expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import { agent, openWorld, task, types } from '../../../test/support/engine-world.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { settled } from '../../testing/manual-clock.ts'
import { describeStores } from '../../../test/support/stores.ts'

const agents = [
  agent('a', async (_task, ctx) => {
    await settled(3)
    ctx.note('MESSAGE', 'half-way')
    await settled(3)
    return { answer: 'a' }
  }),
  agent('b', () => settled(3).then(() => ({ answer: 'b' }))),
  agent('fails', async () => {
    await settled(6)
    throw new TuttiError('ToolError', 'for good')
  }),
]

const PLAN = [task('a'), task('b', 'b', { dependsOn: ['a'] }), task('fails')]

describeStores('a run whose cancellation was accepted', (store) => {
  /** Calls `around` at the nth append of a worker. Returns the final status and whether the cancellation was accepted. */
  async function cancelledAt(n: number, when: 'before' | 'after', strategy: 'pipeline' | 'graph') {
    const { engine: canceller, clock } = openWorld(store(), agents)
    let appends = 0
    let accepted: boolean | undefined
    const cancel = async (runId: string): Promise<void> => {
      accepted = await canceller.cancel(runId, 'ann').then(
        () => true,
        (error: TuttiError) => (expect(error.code).toBe('RunConflict'), false),
      )
    }
    const interrupted = storeWith(store(), {
      async append(batch, options) {
        const isWorker = batch.some(({ epoch }) => epoch !== undefined)
        const isDue = isWorker && ++appends === n
        if (isDue && when === 'before') await cancel(batch[0]!.runId)
        const outcomes = await store().append(batch, options)
        if (isDue && when === 'after') await cancel(batch[0]!.runId)
        return outcomes
      },
    })
    const { start, end } = openWorld(interrupted, agents, { clock })
    const runId = await start(PLAN, { strategy })
    await end(runId)
    const log = types(await store().read(runId))
    return { accepted, log, status: (await store().run(runId))!.status }
  }

  it.each(['pipeline', 'graph'] as const)(
    'ends as cancelled, at every boundary between events (%s)',
    async (strategy) => {
      let tried = 0
      for (let n = 1, isOver = false; !isOver; n++) {
        for (const when of ['before', 'after'] as const) {
          const { accepted, log, status } = await cancelledAt(n, when, strategy)
          isOver = accepted === undefined
          if (isOver) break
          tried++
          const end = accepted ? 'run.cancelled' : 'run.finished'
          expect([n, when, status, log.at(-1)]).toEqual([n, when, end.slice('run.'.length), end])
          expect(log.filter((type) => /^run\.(?:finished|failed|cancelled)$/.test(type))).toHaveLength(1)
          expect(log.includes('run.cancelling')).toBe(accepted)
        }
      }
      expect(tried).toBeGreaterThanOrEqual(4)
    },
  )

  it('ends as cancelled, at any time', async () => {
    const { engine, start, end, next } = openWorld(store(), agents)
    const { engine: other } = next()
    const ends: string[] = []
    for (let turns = 0; turns < 60; turns++) {
      const runId = await start(PLAN, { strategy: turns % 2 === 0 ? 'pipeline' : 'graph' })
      await settled(turns >> 1)
      const accepted = await (turns % 3 === 0 ? engine : other).cancel(runId, 'ann').then(
        () => true,
        () => false,
      )
      const { status } = await end(runId)
      expect([turns, status]).toEqual([turns, accepted ? 'cancelled' : 'finished'])
      ends.push(status)
    }
    expect(ends).toContain('cancelled')
  })
})
