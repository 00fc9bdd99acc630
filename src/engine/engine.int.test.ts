import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent, ActorContext } from '../domain/actor.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Job } from '../domain/job.ts'
import { isSettled } from '../domain/state.ts'
import type { Strategy } from '../domain/strategy.ts'
import { defineTool } from '../domain/tool.ts'
import { sleep } from '../shared/clock.ts'
import { agent, openWorld, request, task, types } from '../../test/support/engine-world.ts'
import { FakeModels, say } from '../../test/support/fake-models.ts'
import { eventually, gate } from '../../test/support/waiting.ts'
import { describeStores } from '../../test/support/stores.ts'
import { answering, hanging } from '../../test/support/test-agents.ts'
import { ManualClock, settled } from '../testing/manual-clock.ts'
import { taskJob } from '../strategies/steps.ts'

/** An agent each of whose attempts fails with this error. */
const failing = (name: string, error: Error, retries = 0, attempts: number[] = []): Agent =>
  agent(name, (_task, ctx) => (attempts.push(ctx.attempt), Promise.reject(error)), { limits: { retries } })

describeStores('a run', (store) => {
  it('continues after an agent fails, and records why', async () => {
    const { run } = openWorld(store(), [
      failing('a', new TuttiError('QueryError', 'no such table', { details: { partial: { rows: 1 } } })),
      answering('b', 'b done'),
      agent('c', () => {
        throw new TypeError('thrown before any promise')
      }),
      // oxlint-disable-next-line no-throw-literal
      agent('d', () => Promise.reject(Object.create(null))),
      agent('e', async () => ({ status: 'skipped', answer: 'nothing to do' })),
    ])
    const state = await run(['a', 'b', 'c', 'd', 'e'])
    expect(state.status).toBe('finished')
    expect(state.answer?.text).toBe(
      'a=failed:QueryError b=succeeded:b done c=failed:Internal d=failed:Internal e=skipped:nothing to do',
    )
    expect(state.jobs.get('a')?.result).toMatchObject({
      status: 'failed',
      error: { type: 'QueryError', message: 'no such table' },
      partial: { rows: 1 },
    })
  })

  it('turns results that cannot be logged into a failure of their agent only', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const { run } = openWorld(store(), [
      agent('a', async () => ({ data: { total: 10n } })),
      agent('b', async () => ({ data: circle })),
      failing('c', new TuttiError('HttpError', 'refused', { details: { partial: 1n } })),
      agent('d', async (_task, ctx) => {
        ctx.note('MESSAGE', 'hello', { size: 1n })
        return {}
      }),
      answering('e'),
    ])
    const state = await run(['a', 'b', 'c', 'd', 'e'])
    expect(state.answer?.text).toBe(
      'a=failed:Internal b=failed:Internal c=failed:HttpError d=failed:Internal e=succeeded:e',
    )
    expect(state.jobs.get('a')?.result?.error?.message).toMatch(/The result of a cannot be kept in the log.*plain JSON/)
  })

  it('retries with growing, jittered delays while the error is retryable', async () => {
    const clock = new ManualClock()
    const times: number[] = []
    const flaky = agent(
      'a',
      async (_task, ctx) => {
        times.push(clock.now())
        if (ctx.attempt < 4) throw new Error(`bad luck ${ctx.attempt}`)
        return { answer: `at attempt ${ctx.attempt}` }
      },
      { limits: { retries: 3 } },
    )
    const draws = [0.5, 1, 0.25]
    const { engine, run } = openWorld(store(), [flaky], { clock, random: () => draws.shift()! })
    const state = await run(['a'])
    expect(state.answer?.text).toBe('a=succeeded:at attempt 4')
    expect(times.slice(1).map((time, i) => time - times[i]!)).toEqual([250, 1_000, 500])
    const retries = (await engine.events(state.runId)).filter((event) => event.type === 'job.retrying')
    expect(retries.map(({ attempt, delayMs, error }) => [attempt, delayMs, error.message])).toEqual([
      [2, 250, 'bad luck 1'],
      [3, 1_000, 'bad luck 2'],
      [4, 500, 'bad luck 3'],
    ])
  })

  it('does not retry permanent errors, and keeps to the attempt limit', async () => {
    const [permanent, transient]: number[][] = [[], []]
    const { run } = openWorld(store(), [
      failing('a', new TuttiError('ConfigurationError', 'no key'), 5, permanent),
      failing('b', new Error('down'), 2, transient),
    ])
    const state = await run(['a', 'b'])
    expect([permanent, transient]).toEqual([[1], [1, 2, 3]])
    expect(state.answer?.text).toBe('a=failed:ConfigurationError b=failed:Internal')
  })

  it('stops an attempt at its time limit, also one that ignores its signal', async () => {
    const clock = new ManualClock()
    let signal: AbortSignal | undefined
    const late: Promise<unknown>[] = []
    const deaf = agent(
      'deaf',
      async (_task, ctx) => {
        signal = ctx.signal
        await sleep(clock, 10_000)
        const attempts = [() => ctx.call(never, 1), () => ctx.ask(say, 'x'), () => ctx.startRun(request([]))]
        for (const attempt of attempts) late.push(attempt().then(String, (error: TuttiError) => error.code))
        try {
          ctx.note('MESSAGE', 'still here')
        } catch (error) {
          late.push(Promise.resolve((error as TuttiError).code))
        }
        return { answer: 'too late' }
      },
      { limits: { timeoutMs: 1_500 } },
    )
    const models = new FakeModels()
    const { engine, run } = openWorld(store(), [deaf, answering('b')], { clock, models })
    const begun = clock.now()
    const state = await run(['deaf', 'b'])
    expect(state.answer?.text).toBe('deaf=failed:Timeout b=succeeded:b')
    expect(state.jobs.get('deaf')?.result).toMatchObject({ latencyMs: 1_500 })
    expect(clock.now() - begun).toBeLessThan(3_000)
    expect(signal?.aborted).toBe(true)
    const before = (await engine.events(state.runId)).length
    await clock.advance(20_000)
    expect(await Promise.all(late)).toEqual(['Timeout', 'Timeout', 'Timeout', 'Timeout'])
    expect(models.asked).toEqual([])
    expect(await engine.events(state.runId)).toHaveLength(before)
  })

  it('disables a context after the end of its job', async () => {
    let kept: ActorContext | undefined
    const keeper = agent('a', async (_task, ctx) => {
      kept = ctx
      void ctx.ask(say, 'nobody waits for this')
      return { answer: 'x' }
    })
    const state = await openWorld(store(), [keeper]).run(['a'])
    expect(state.answer?.text).toBe('a=succeeded:x')
    await expect(kept!.ask(say, 'late')).rejects.toMatchObject({ code: 'Cancelled' })
    expect(() => kept!.note('MESSAGE', 'late')).toThrow('This job is over')
    expect('state' in kept!).toBe(false)
    expect('emit' in kept!).toBe(false)
  })

  it('logs the result of a call before later changes by the agent', async () => {
    const list = { name: 'list', description: '', effect: 'read', input: never.input } as const
    const { engine, run } = openWorld(store(), [
      agent('a', async (_task, ctx) => {
        const given = await ctx.call({ ...list, run: async () => ({ rows: [3, 1, 2] }) }, 1)
        given.rows.sort()
        const data = { rows: given.rows }
        setImmediate(() => data.rows.push(99))
        return { data }
      }),
    ])
    const state = await run(['a'])
    const call = (await engine.events(state.runId)).find((event) => event.type === 'call.finished')
    expect(call?.output).toEqual({ rows: [3, 1, 2] })
    expect(state.jobs.get('a')?.result?.data).toEqual({ rows: [1, 2, 3] })
  })

  it('starts a task the moment its own dependencies have settled', async () => {
    const slow = gate()
    const seen: string[] = []
    const tells = (name: string, wait?: Promise<void>): Agent =>
      agent(name, async (given) => {
        await wait
        seen.push(`${name}(${given.inputs().map((input) => input.key)})`)
        return { answer: name }
      })
    const { start, end } = openWorld(store(), [tells('a'), tells('slow', slow.promise), tells('b'), tells('c')])
    const plan = [
      task('a'),
      task('slow'),
      task('b', 'b', { dependsOn: ['a'] }),
      task('c', 'c', { dependsOn: ['slow', 'b'] }),
    ]
    const runId = await start(plan, { strategy: 'graph' })
    await eventually(() => seen.includes('b(a)'))
    expect(seen).toEqual(['a()', 'b(a)'])
    slow.open()
    const state = await end(runId)
    expect(seen).toEqual(['a()', 'b(a)', 'slow()', 'c(slow,b)'])
    expect(state.status).toBe('finished')
  })

  it('is cancelled while it waits between attempts', async () => {
    const { engine, start, end } = openWorld(store(), [failing('a', new Error('again'), 9)])
    const runId = await start(['a'])
    await eventually(async () => types(await engine.events(runId)).includes('job.retrying'))
    await engine.cancel(runId, 'ann')
    expect((await end(runId)).status).toBe('cancelled')
  })

  it.each(['its own', 'another'])(
    'is cancelled while it works, by %s engine, which need not take it over; active jobs end as cancelled',
    async (whose) => {
      let calls = 0
      const { engine, start, end, next } = openWorld(store(), [hanging('hung', () => calls++), answering('b')])
      const other = next()
      const runId = await start(['hung', 'b'])
      await eventually(() => calls > 0)
      const canceller = whose === 'another' ? other.engine : engine
      await canceller.cancel(runId, 'ann')
      const [state, there] = await Promise.all([end(runId), other.end(runId)])
      expect([state.status, there.status, state.cancelling]).toEqual(['cancelled', 'cancelled', { by: 'ann' }])
      expect(state.jobs.get('hung')?.result?.error?.type).toBe('Cancelled')
      expect(state.jobs.has('b')).toBe(false)
      expect(calls).toBe(1)
      expect(types(await engine.events(runId))).not.toContain('run.resumed')
      await expect(canceller.cancel(runId, 'ann')).rejects.toMatchObject({
        code: 'RunConflict',
        message: `Run ${runId} is already cancelled.`,
      })
    },
  )

  it('fails with the reason when its strategy throws, returns no job, or names an unknown actor', async () => {
    const broken: Strategy = {
      name: 'review',
      next() {
        throw new RangeError('off by one')
      },
    }
    const odd: Strategy = {
      name: 'odd',
      next: ({ jobs }) => (jobs.get('x')?.result === undefined ? [job('x', 'nobody')] : { finish: 'failed' }),
    }
    const idle: Strategy = { name: 'supervisor', next: () => [] }
    const hasty: Strategy = { name: 'auto', next: () => [job('a', 'a'), { ...job('b', 'a'), dependsOn: ['zz'] }] }
    const { run } = openWorld(store(), [answering('a')], { strategies: [broken, idle, hasty, odd] })
    const of = (strategy: string) => run([], { strategy })
    expect((await of('review')).error).toEqual({ type: 'Internal', message: 'off by one' })
    expect((await of('supervisor')).error?.message).toBe('Strategy "supervisor" has nothing due.')
    expect((await of('odd')).jobs.get('x')?.result?.error).toMatchObject({
      type: 'UnknownAgent',
      message: 'Unknown actor "nobody". Known actors: a, composer, planner.',
    })
    const hastened = await of('auto')
    expect(hastened.status).toBe('failed')
    expect(hastened.error?.message).toBe('Job "b" is due before zz settled.')
  })

  it('ends with its last event, whatever is still active', async () => {
    const asked = gate()
    const models = new FakeModels(() => {
      asked.open()
      return { text: 'late', after: new Promise(() => undefined) }
    })
    const hasty: Strategy = {
      name: 'review',
      next: (state) =>
        isSettled(state.jobs.get('quick'))
          ? { finish: 'answered' }
          : [taskJob(task('slow'), []), taskJob(task('quick'), [])],
    }
    const slow = agent('slow', async (_task, ctx) => ({ answer: (await ctx.ask(say, 'x')).value ?? 'no model' }))
    const quick = agent('quick', async () => {
      await asked.promise
      return {}
    })
    const { engine, run } = openWorld(store(), [slow, quick], { models, strategies: [hasty] })
    const state = await run([], { strategy: 'review' })
    await settled()
    expect(state.status).toBe('finished')
    expect(types(await engine.events(state.runId)).at(-1)).toBe('run.finished')
  })

  it('does not start with an unknown strategy, or an existing id', async () => {
    const { engine, start, end } = openWorld(store(), [answering('a')])
    await expect(start(['a'], { strategy: 'supervisor' })).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: 'Strategy "supervisor" is not available. Available: pipeline, graph.',
    })
    const runId = await start(['a'])
    await expect(engine.start(request(['a']), { runId })).rejects.toMatchObject({ code: 'RunConflict' })
    await end(runId)
    const calls = [
      () => engine.outcome('none'),
      () => engine.state('none'),
      () => engine.cancel('none', 'x'),
      () => engine.resume('none'),
      () => engine.fork('none', 'a'),
    ]
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: 'RunNotFound', message: 'There is no run none.' })
    }
  })

  it('records usage, models and trace of its calls', async () => {
    const { engine, run } = openWorld(store(), [
      agent('a', async (_task, ctx) => {
        ctx.note('DECISION', 'asking', { why: 'test' })
        const answers = await Promise.all([ctx.ask(say, 'one'), ctx.ask(say, 'two')])
        return { answer: answers.map((answered) => answered.value).join() }
      }),
    ])
    const state = await run(['a'])
    expect(state.jobs.get('a')?.result).toMatchObject({
      answer: 'model on one,model on two',
      models: ['fake:one'],
      usage: { calls: 2, inputTokens: 20, outputTokens: 10, costUsd: 0.02 },
      provenance: { author: 'user' },
    })
    expect(state.usage.calls).toBe(2)
    const note = (await engine.events(state.runId)).find((event) => event.type === 'note')
    expect(note).toMatchObject({ key: 'a', actor: 'a', kind: 'DECISION', message: 'asking', data: { why: 'test' } })
  })
})

function job(key: string, actor: string): Job {
  return { key, actor, input: null }
}

const never = defineTool({
  name: 'never',
  description: '',
  effect: 'read',
  input: z.number(),
  run: () => Promise.reject(new Error('must not be called')),
})
