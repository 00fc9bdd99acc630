import { expect, it } from 'vitest'
import { agent, eventually, FakeModels, openWorld, say, textTool, types } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { settled } from '../../testing/manual-clock.ts'

describeStores('the journal', (store) => {
  it('gives two racing chains of calls their own results back, at whichever call the worker died', async () => {
    const lookUp = textTool('look-up', 'read', async (text: string) => {
      await settled(text.length % 3)
      return `{${text}}`
    })
    // Two chains in one job that take different times on each way, so that their calls interleave differently.
    const chains = (isSecond: boolean) =>
      agent('chains', async (_task, ctx) => {
        const chain = async (name: string, pause: number): Promise<string> => {
          let text = name
          for (let i = 0; i < 3; i++) {
            if (pause > 0) await settled(pause)
            text = (await ctx.ask(say, text)).value ?? 'no model'
            text = await ctx.call(lookUp, text)
          }
          return text
        }
        const both = isSecond ? [chain('a', 3), chain('b', 0)] : [chain('a', 0), chain('b', 2)]
        return { answer: (await Promise.all(both)).join(' ') }
      })
    const expected = ['a', 'b'].map((name) => `{<{<{<${name}>}>}>}`).join(' ')
    const models = () => new FakeModels((input) => `<${input}>`)

    let resumed = 0
    for (let deathAt = 1; deathAt <= 10; deathAt++) {
      let calls = 0
      const counting = storeWith(store(), {
        append: async (...args: Parameters<ReturnType<typeof store>['append']>) => {
          const outcome = await store().append(...args)
          calls += args[0].flatMap(({ events }) => events).filter((event) => event.type === 'call.finished').length
          if (calls >= deathAt) died()
          return outcome
        },
      })
      const { start, crash, next } = openWorld(counting, [chains(false)], { models: models() })
      const died = (): void => void crash(0)
      const runId = await start(['chains'])
      await eventually(() => calls >= deathAt)
      await settled()
      await crash()

      const journal = (await store().read(runId)).filter(
        (event) => event.type === 'call.finished' && event.kind === 'model',
      )
      const after = models()
      const state = await next([chains(true)], { models: after }).resume(runId)
      expect(state.jobs.get('chains')?.result?.answer).toBe(expected)
      expect(after.asked, 'no call of the journal is made again').toHaveLength(6 - journal.length)
      expect(state.usage.calls).toBe(6)
      expect(state.jobs.get('chains')?.result?.usage?.calls, 'calls before the crash count as the job’s').toBe(6)
      if (types(await store().read(runId)).includes('run.resumed')) resumed++
    }
    expect(resumed, 'deaths in the middle of the run').toBeGreaterThan(0)
  })

  it('continues with the attempt that was under way', async () => {
    let attempts: number[] = []
    const flaky = agent(
      'flaky',
      async (_task, ctx) => {
        attempts.push(ctx.attempt)
        const { value = 'no model' } = await ctx.ask(say, 'same question')
        if (ctx.attempt < 3) throw new Error('again')
        return { answer: value }
      },
      { limits: { retries: 2 } },
    )
    const { start, crash, next } = openWorld(store(), [flaky])
    const runId = await start(['flaky'])
    await eventually(async () => types(await store().read(runId)).includes('job.retrying'))
    await crash()
    attempts = []
    const models = new FakeModels()
    const state = await next([flaky], { models }).resume(runId)
    expect(attempts).toEqual([2, 3])
    expect(models.asked, 'another attempt asks anew').toHaveLength(2)
    expect(state.usage.calls).toBe(3)
  })
})
