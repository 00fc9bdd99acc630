import fc from 'fast-check'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { agent, givenPlanner, task, openWorld } from '../../test/support/engine-world.ts'
import { describeStores } from '../../test/support/stores.ts'
import { defineRole } from '../domain/actor.ts'
import { BY_USER } from '../domain/provenance.ts'
import { defineTool } from '../domain/tool.ts'
import { dag } from '../../test/support/dag-strategy.ts'
import { extractLargeValues, restoreValues, extractedHashes } from './large-values.ts'
import { sql } from './sql/query.ts'

/** A table of a megabyte, with a cell that is large on its own. */
const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: i, text: i === 7 ? 'x'.repeat(9_000) : 'r'.repeat(80) }))
const table = { columns: ['id', 'text'], rows, rowCount: rows.length }
const SIZE = JSON.stringify(table).length

const lookUp = defineTool({
  name: 'look-up',
  description: 'finds rows',
  effect: 'read',
  provenance: BY_USER,
  input: z.object({ tables: z.array(z.unknown()) }),
  run: async () => table,
})

describeStores('a result of a megabyte', (store, _kind, storage) => {
  it('is stored once for any number of events, and read back completely', { timeout: 60_000 }, async () => {
    const finder = agent('finder', async (_task, ctx) => {
      const tabular = await ctx.call(lookUp, { tables: [] })
      return { answer: 'found', tabular, data: { attempts: [{ rows: tabular.rows }] } }
    })
    const worker = agent('worker', async ({ inputs }, ctx) => {
      const [given] = inputs()
      await ctx.call(lookUp, { tables: [given!.result.tabular] })
      return { answer: 'computed', tabular: given!.result.tabular! }
    })
    const composer = defineRole({
      name: 'composer',
      async run(ctx) {
        ctx.emit({ type: 'answer.composed', answer: 'done', data: table, by: 'fallback' })
        return {}
      },
    })
    const { engine, start, end } = openWorld(store(), [finder, worker], {
      roles: [givenPlanner, composer],
      strategies: [dag],
    })
    const plan = [task('finder'), task('worker', 'worker', { dependsOn: ['finder'] })]
    const runId = await start(plan, { strategy: 'graph' })
    const state = await end(runId)
    expect(state.status).toBe('finished')
    expect(state.answer?.data).toEqual(table)
    expect(state.jobs.get('worker')?.result?.tabular).toEqual(table)

    const log = await store().read(runId)
    const whole = log.reduce((total, event) => total + JSON.stringify(event).length, 0)
    expect(whole).toBeGreaterThan(6 * SIZE)
    const [stored] = await storage().sql.all<{ size: number }>(
      sql`SELECT (SELECT sum(length(data)) FROM events) + (SELECT sum(length(data)) FROM run_values) AS size`,
    )
    expect(Number(stored!.size)).toBeLessThan(1.05 * SIZE)

    const streamed = []
    for await (const item of engine.stream(runId)) streamed.push(item)
    expect(streamed).toEqual(log)
    const audited = await storage().executions.executions('local', { runId, actor: 'worker' })
    expect(audited.map(({ output }) => output?.tabular)).toEqual([table])
  })
})

describe('extracting large values', () => {
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc
      .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.constantFrom(10, 4_200, 20_000))
      .map(([text, n]) => text.repeat(n)),
  )
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('$values', 'result', 'instructions', 'tools', '__proto__')),
        tie('value'),
        {
          maxKeys: 4,
        },
      ),
    ),
  }))

  it('and restoring them gives the same, for any content and names', () => {
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom('call.finished', 'job.settled', 'transcript.started'),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('output', 'result', 'head', '$values')), value, {
          maxKeys: 4,
        }),
        (type, body) => {
          const text = JSON.stringify(body)
          const { data, values } = extractLargeValues(type, text)
          taken += values.length
          const light = JSON.parse(data) as unknown
          expect(new Set(extractedHashes(light))).toEqual(new Set(values.map(({ hash }) => hash)))
          restoreValues(light, new Map(values.map(({ hash, data }) => [hash, data])))
          // Also the order of what is in it is the same, but for the list's own name.
          expect(light).toEqual(JSON.parse(text))
          expect(text.includes('$values') ? text : JSON.stringify(light)).toBe(text)
        },
      ),
      { numRuns: 600, seed: 8 },
    )
    expect(taken).toBeGreaterThan(300)
  })
})
