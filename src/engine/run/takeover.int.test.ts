import { expect, it } from 'vitest'
import { z } from 'zod'
import type { RunStore } from '../../domain/store.ts'
import { defineTool } from '../../domain/tool.ts'
import { agent, eventually, gate, openWorld, request, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { answering, hanging } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'

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

  type World = Pick<ReturnType<typeof openWorld>, 'next'>
  const fresh: World = { next: (agents = []) => openWorld(store(), agents) }

  /** Starts or resumes the run in a worker that dies as soon as its agent has made this many calls. */
  async function dieAfter(calls: number, before: World, runId?: string) {
    const died = gate()
    const deadly = agent('deadly', async (_task, ctx) => {
      for (let n = 0; n < calls; n++) await ctx.call(count, n)
      if (calls > 0) await eventually(async () => (await callsIn(ctx.runId)) >= calls)
      void crash(0).then(died.open)
      return new Promise(() => undefined)
    })
    const { engine, clock, start, crash, next } = before.next([deadly])
    const id = runId ?? (await start(['deadly']))
    if (runId !== undefined) void engine.resume(runId)
    await died.promise
    await clock.advance(LEASE_OVER_MS)
    return { runId: id, next }
  }

  async function callsIn(runId: string): Promise<number> {
    return types(await store().read(runId)).filter((type) => type === 'call.finished').length
  }

  async function endOf(runId: string, { next }: World) {
    const { engine, end } = next([answering('deadly')])
    await engine.recover()
    return end(runId)
  }

  it('fails after three takeovers without a finished job or call, and says what to do', async () => {
    // The first worker makes the plan. After that no job finishes.
    let last = await dieAfter(0, fresh)
    for (let n = await takeovers(last.runId); n < 3; n++) last = await dieAfter(0, last, last.runId)
    expect(await takeovers(last.runId)).toBe(3)
    const { status, error } = await endOf(last.runId, last)
    expect({ status, code: error?.type }).toEqual({ status: 'failed', code: 'RunPoisoned' })
  })

  it('continues while each worker finishes a call', async () => {
    let last = await dieAfter(1, fresh)
    for (let calls = 2; calls <= 6; calls++) last = await dieAfter(calls, last, last.runId)
    expect(await takeovers(last.runId)).toBe(5)
    expect((await endOf(last.runId, last)).status).toBe('finished')
  })

  it('continues however often its workers were closed', async () => {
    let last: World = fresh
    let runId: string | undefined
    for (let n = 0; n < 5; n++) {
      const begun = gate()
      const { engine, start, next } = last.next([hanging('deadly', begun.open)])
      if (runId === undefined) runId = await start(['deadly'])
      else void engine.resume(runId)
      await begun.promise
      await engine.close()
      last = { next }
    }
    expect((await endOf(runId!, last)).status).toBe('finished')
  })

  it.each([0, 2])(
    'waits for the lease of a nested run that a dead worker claimed last, after %i failed claims',
    async (faults) => {
      const boss = agent('boss', async (_task, ctx) => ({
        answer: (await ctx.startRun(request(['inner']))).answer?.text ?? '',
      }))
      const begun = gate()
      const { start, crash, clock } = fresh.next([boss, hanging('inner', begun.open)])
      const runId = await start(['boss'])
      await begun.promise
      await crash(LEASE_OVER_MS)
      const [child] = await store().runs({ parentId: runId })
      await store().claim(child!.runId, 'dead', clock.now() + LEASE_OVER_MS, clock.now(), () => true)
      let left = faults
      const flaky = storeWith(store(), {
        claim: async (...args: Parameters<RunStore['claim']>) => {
          if (args[0] === child!.runId && left-- > 0) throw new Error('out of reach')
          return store().claim(...args)
        },
      })
      const world = openWorld(flaky, [boss, answering('inner')], { clock })
      expect((await world.resume(runId)).status).toBe('finished')
    },
  )
})
