import { expect, it } from 'vitest'
import { openWorld } from '../../test/support/engine-world.ts'
import { moment, started } from '../../test/support/storage.ts'
import { describeStores } from '../../test/support/stores.ts'
import { TurnModels } from '../../test/support/turn-models.ts'
import { toolAgent } from '../agents/tool-agent/tool-agent.ts'
import type { NewEvent } from '../domain/events.ts'
import type { Storage } from './storage.ts'
import { sql } from './sql/query.ts'

const INSTRUCTIONS = Array.from({ length: 4_000 }, (_, n) => `Rule ${n}: ask before you write, and count twice.`).join(
  '\n',
)

interface Sizes {
  readonly run: number
  readonly shared: number
}

/** Characters that are stored of a run, and of what all runs share. */
async function sizesOf({ sql: runner }: Storage, runId: string): Promise<Sizes> {
  const [row] = await runner.all<Record<keyof Sizes, unknown>>(sql`SELECT
    (SELECT sum(length(data)) FROM events WHERE run_id = ${runId})
      + coalesce((SELECT sum(length(data)) FROM run_values WHERE run_id = ${runId}), 0) AS run,
    coalesce((SELECT sum(length(data)) FROM shared_values), 0) AS shared`)
  return { run: Number(row!.run), shared: Number(row!.shared) }
}

function transcript(instructions: string, n = 1): NewEvent {
  const at = new Date(moment(n)).toISOString()
  return { at, type: 'transcript.started', key: 'a', head: { instructions, tools: [], messages: [] } }
}

describeStores('instructions of 200 KB', (store, _kind, storage) => {
  it('are stored once for all runs of an agent, and read back completely in each', async () => {
    const writer = toolAgent({ name: 'writer', description: 'Writes.', instructions: INSTRUCTIONS })
    const { start, end } = openWorld(store(), [writer], { models: new TurnModels(() => 'Done.') })
    for (let round = 1; round <= 2; round++) {
      const runId = await start(['writer'])
      expect((await end(runId)).status).toBe('finished')
      const begun = (await store().read(runId)).find(({ type }) => type === 'transcript.started')
      expect(begun).toMatchObject({ head: { instructions: expect.stringContaining(INSTRUCTIONS) as string } })
      const { run, shared } = await sizesOf(storage(), runId)
      expect(run).toBeLessThan(5_000)
      expect(shared).toBeLessThan(1.1 * INSTRUCTIONS.length)
    }
  })

  it('stay while a run refers to them, and are deleted with the last', async () => {
    const text = `${INSTRUCTIONS} To be deleted.`
    const append = (runId: string) =>
      store().append([{ runId, afterSeq: 0, events: [started(), transcript(text)], status: 'finished' }])
    expect(await append('one')).toEqual(['appended'])
    expect(await append('two')).toEqual(['appended'])
    await store().remove('local', 'one')
    expect((await store().read('two'))[1]).toMatchObject({ head: { instructions: text } })
    await store().remove('local', 'two')
    const kept = sql`SELECT hash FROM shared_values WHERE data LIKE '%To be deleted.%'`
    expect(await storage().sql.all(kept)).toEqual([])
    expect(await append('three')).toEqual(['appended'])
    expect((await store().read('three'))[1]).toMatchObject({ head: { instructions: text } })
  })

  it('exist for every run with any concurrent appends and deletions', async () => {
    const text = `${INSTRUCTIONS} Met.`
    const append = (runId: string) =>
      store().append([{ runId, afterSeq: 0, events: [started(), transcript(text)], status: 'finished' }])
    for (let round = 0; round < 10; round++) {
      await append(`old-${round}`)
      const news = [1, 2, 3].map((n) => `new-${round}-${n}`)
      await Promise.all([...news.map(append), store().remove('local', `old-${round}`)])
      for (const runId of news) expect((await store().read(runId))[1]).toMatchObject({ head: { instructions: text } })
      await Promise.all(news.map((runId) => store().remove('local', runId)))
    }
  })
})
