import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { RunStore } from '../../domain/store.ts'
import { agent, engineFor, eventually, gate, mortal, passing, request } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

const LEASE_OVER_MS = 10_000

const count = defineTool({
  name: 'count',
  description: '',
  effect: 'read',
  reach: 'inside',
  input: z.number(),
  run: async (n: number) => n,
})

describeStores('a run that is taken over again and again', (store) => {
  const takeovers = async (runId: string): Promise<number> =>
    (await store().read(runId)).filter((event) => event.type === 'run.resumed' && event.takenFrom !== undefined).length

  /** Starts or resumes the run in a worker that dies as soon as its agent has made this many calls. */
  async function dieAfter(calls: number, clock: ManualClock, runId?: string): Promise<string> {
    const dying = mortal(store())
    const died = gate()
    const deadly = agent('deadly', async (_task, ctx) => {
      for (let n = 0; n < calls; n++) await ctx.call(count, n)
      if (calls > 0) await eventually(async () => (await callsIn(store(), ctx.runId)) >= calls)
      dying.crash()
      died.open()
      return new Promise(() => undefined)
    })
    const engine = engineFor([deadly], { store: dying, clock })
    const id = runId ?? (await engine.start(request(['deadly'])))
    if (runId !== undefined) void engine.resume(runId)
    await eventually(died.isOpen)
    await clock.advance(LEASE_OVER_MS)
    return id
  }

  const quick = agent('deadly', async () => ({ answer: 'done' }))

  it('fails after three takeovers without a finished job or call, and says what to do', async () => {
    const clock = new ManualClock()
    // The first worker makes the plan. After that no job finishes.
    const runId = await dieAfter(0, clock)
    const before = await takeovers(runId)
    for (let n = before; n < 3; n++) await dieAfter(0, clock, runId)
    expect(await takeovers(runId)).toBe(3)
    const engine = engineFor([quick], { store: store(), clock })
    await engine.recover()
    const { status, error } = await passing(clock, engine.outcome(runId))
    expect({ status, code: error?.type }).toEqual({ status: 'failed', code: 'RunPoisoned' })
    await engine.close()
  })

  it('continues while each worker finishes a call', async () => {
    const clock = new ManualClock()
    const runId = await dieAfter(1, clock)
    for (let calls = 2; calls <= 6; calls++) await dieAfter(calls, clock, runId)
    expect(await takeovers(runId)).toBe(5)
    const engine = engineFor([quick], { store: store(), clock })
    await engine.recover()
    expect((await passing(clock, engine.outcome(runId))).status).toBe('finished')
    await engine.close()
  })

  it('continues however often its workers were closed', async () => {
    const clock = new ManualClock()
    let runId: string | undefined
    for (let n = 0; n < 5; n++) {
      const begun = gate()
      const slow = agent('deadly', () => (begun.open(), new Promise(() => undefined)))
      const engine = engineFor([slow], { store: store(), clock })
      if (runId === undefined) runId = await engine.start(request(['deadly']))
      else void engine.resume(runId)
      await eventually(begun.isOpen)
      await engine.close()
    }
    const engine = engineFor([quick], { store: store(), clock })
    await engine.recover()
    expect((await passing(clock, engine.outcome(runId!))).status).toBe('finished')
    await engine.close()
  })
})

async function callsIn(store: RunStore, runId: string): Promise<number> {
  return (await store.read(runId)).filter(({ type }) => type === 'call.finished').length
}
