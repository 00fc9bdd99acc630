import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import type { Task } from '../../domain/plan.ts'
import { agent, memoryEngine, say, task } from '../../../test/support/engine-world.ts'
import { times } from '../../../test/support/length.ts'

/** Behaviour of a task: its turns of the event loop, the ends of its attempts, and whether it asks a model. */
interface Fate {
  readonly turns: number
  readonly failures: readonly ('retryable' | 'permanent')[]
  readonly asks: boolean
}

const fate: fc.Arbitrary<Fate> = fc.record({
  turns: fc.nat(2),
  failures: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom('retryable' as const, 'permanent' as const), { maxLength: 3 }) },
  ),
  asks: fc.boolean(),
})

const plan: fc.Arbitrary<Task[]> = fc
  .array(fc.tuple(fate, fc.array(fc.nat(100), { maxLength: 3 })), { maxLength: 7 })
  .map((drawn) =>
    drawn.map(([entities, picks], i) => {
      const dependsOn = i === 0 ? [] : [...new Set(picks.map((pick) => `t${pick % i}`))]
      return task(`t${i}`, 'random', { dependsOn, entities: { ...entities } })
    }),
  )

const one = fc.record({ tasks: plan, strategy: fc.constantFrom('pipeline' as const, 'graph' as const) })

it('many random plans with random failures: each run ends, no job runs twice or before its dependencies', async () => {
  const together = 50
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: together, maxLength: together }), async (runs) => {
      const begun: string[] = []
      const random = agent(
        'random',
        async (given, ctx) => {
          begun.push(`${ctx.runId} ${given.id} ${ctx.attempt}`)
          const { turns, failures, asks } = given.entities as unknown as Fate
          for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
          if (asks) await ctx.ask(say, given.id)
          const failure = failures[ctx.attempt - 1]
          if (failure === 'permanent') throw new TuttiError('ToolError', 'for good')
          if (failure === 'retryable') throw new Error('for now')
          return {
            answer: given
              .inputs()
              .map((input) => input.key)
              .join(),
          }
        },
        { limits: { retries: 2 } },
      )
      const { engine, store, start } = await memoryEngine([random], { random: () => 0, maxParallel: 3 })
      const ids = await Promise.all(runs.map(({ tasks, strategy }) => start(tasks, { strategy })))
      const states = await Promise.all(ids.map((id) => engine.outcome(id)))
      expect(new Set(begun).size, 'no attempt is made twice').toBe(begun.length)
      for (const [i, { tasks, strategy }] of runs.entries()) {
        const events = await store.read(ids[i]!)
        const settled = new Set<string>()
        const started = new Set<string>()
        for (const event of events) {
          if (event.type === 'job.started') {
            if (started.has(event.key)) throw new Error(`${event.key} started twice`)
            started.add(event.key)
            const planned = tasks.findIndex((task) => task.id === event.key)
            const needs =
              planned < 0
                ? []
                : strategy === 'graph'
                  ? tasks[planned]!.dependsOn
                  : tasks.slice(0, planned).map((task) => task.id)
            const early = needs.filter((id) => !settled.has(id))
            if (early.length > 0) throw new Error(`${event.key} started before ${early.join()}`)
          }
          if (event.type === 'job.settled') {
            if (settled.has(event.key)) throw new Error(`${event.key} settled twice`)
            settled.add(event.key)
          }
        }
        expect(states[i]!.status).toBe('finished')
        for (const { id, entities } of tasks) {
          const { failures } = entities as unknown as Fate
          const firstGood = [0, 1, 2].find((attempt) => failures[attempt] === undefined)
          const isCutShort = failures.slice(0, firstGood ?? 3).includes('permanent')
          const expected = firstGood === undefined || isCutShort ? 'failed' : 'succeeded'
          expect(states[i]!.jobs.get(id)?.status).toBe(expected)
        }
      }
      await engine.close()
    }),
    { numRuns: times(3_000) / together },
  )
})
