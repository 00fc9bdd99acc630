// Soak test: describes documents on both databases, in processes that end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { TuttiError } from '../../domain/errors.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { openKnowledgeStore, type StorePlace } from '../store/index.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'
import type { KnowledgeStore } from '../types.ts'
import { describePending, type DescribeByModel } from './describe-pending.ts'

const MINUTE_MS = 60_000
const going = () => new AbortController().signal

describe.each(['SQLite', 'PostgreSQL'] as const)('descriptions by a model, on %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
  let folder: string
  let place: StorePlace
  let stores: KnowledgeStore[]
  let clock: ManualClock
  let troubles: TuttiError[]

  /** As another process would. */
  const open = (): KnowledgeStore => {
    const store = openKnowledgeStore(place)
    stores.push(store)
    return store
  }
  const run = (store: KnowledgeStore, byModel: DescribeByModel, signal = going(), owner?: string) => {
    const parts = { store, clock, describe: byModel, onTrouble: (error: TuttiError) => void troubles.push(error) }
    return describePending(parts, signal, owner === undefined ? {} : { owner })
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-descriptions-'))
    place =
      kind === 'SQLite'
        ? { sqlitePath: join(folder, 'knowledge.db') }
        : { postgresUrl: await createTestDatabase(inject('postgresUrl')) }
    stores = []
    troubles = []
    clock = new ManualClock(1_000_000)
  })
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await rm(folder, { recursive: true, force: true })
  })

  it.skipIf(isMissing)('are made once for each document of each owner, by any number of processes', async () => {
    const [first, second] = [open(), open()]
    const names: string[] = []
    for (let i = 0; i < 12; i++) {
      const owner = ['ada', 'ben'][i % 2]!
      await first.put(owner, documentOf(`d${i}.txt`, [`Text ${i}.`]))
      names.push(`${owner} d${i}.txt`)
    }
    await first.put('ada', documentOf('of-a-run.txt', ['Text.'], { isDescribed: true }))
    const asked: string[] = []
    const byModel: DescribeByModel = async ({ owner, record }, { beginning }) => {
      asked.push(`${owner} ${record.name}`)
      await new Promise((resolve) => setImmediate(resolve))
      return { description: ` It begins\n${beginning} `, topics: ['kettles', ' kettles', 'tea'] }
    }
    const counts = await Promise.all([run(first, byModel), run(second, byModel)])
    expect(asked.toSorted()).toEqual(names.toSorted())
    expect(counts[0]! + counts[1]!).toBe(12)
    const documents = await second.documents('ben')
    expect(documents.map(({ topics }) => topics.join())).toEqual(Array(6).fill('kettles,tea'))
    expect(documents.find(({ name }) => name === 'd1.txt')!.description).toBe('It begins Text 1.')
    expect((await first.documents('ada')).find(({ name }) => name === 'of-a-run.txt')!.description).toMatch(/^About/)
    expect(await run(open(), byModel)).toBe(0)
    // Only the replaced document is described again.
    await second.put('ben', documentOf('d1.txt', ['Another text.']))
    expect(await run(first, byModel)).toBe(1)
  })

  it.skipIf(isMissing)('of a killed process are made by another one after the lease', async () => {
    const [first, second] = [open(), open()]
    await first.put('ada', documentOf('a.txt', ['Text.']))
    const killed = await first.claimUndescribed(clock.now(), clock.now() + 5 * MINUTE_MS)
    expect(killed?.record.name).toBe('a.txt')
    const byModel: DescribeByModel = async () => ({ description: 'By a model.', topics: [] })
    expect(await run(second, byModel)).toBe(0)
    await clock.advance(5 * MINUTE_MS)
    expect(await run(second, byModel)).toBe(1)
    expect((await first.documents('ada'))[0]!.description).toBe('By a model.')
  })

  it.skipIf(isMissing)('that were interrupted are made by the next worker, and count no attempt', async () => {
    const store = open()
    await store.put('ada', documentOf('a.txt', ['Text.']))
    for (let i = 0; i < 7; i++) {
      const stop = new AbortController()
      const byModel: DescribeByModel = async (_of, _input, signal) => {
        stop.abort(new Error('Ctrl-C'))
        return Promise.reject(signal.reason)
      }
      expect(await run(store, byModel, stop.signal)).toBe(0)
    }
    expect(troubles).toEqual([])
    expect(await run(store, async () => ({ description: 'By a model.', topics: [] }))).toBe(1)
  })

  it.skipIf(isMissing)(
    'are tried at most five times with growing delays; then rules make them, with a note',
    async () => {
      const store = open()
      await store.put('ada', documentOf('a.txt', ['Text.']))
      let tries = 0
      const byModel: DescribeByModel = async () => {
        tries++
        throw new TuttiError('ModelOutputInvalid', 'It wrote nonsense.')
      }
      await run(store, byModel)
      for (const [place, minutes] of [1, 4, 16, 64, 256, 1024].entries()) {
        await clock.advance((minutes - 1) * MINUTE_MS)
        await run(store, byModel)
        expect(tries).toBe(Math.min(5, place + 1))
        await clock.advance(MINUTE_MS)
        await run(store, byModel)
        expect(tries).toBe(Math.min(5, place + 2))
      }
      expect(tries).toBe(5)
      const [document] = await store.documents('ada')
      expect(document!.description).toBe('About a.txt.')
      expect(document!.notes).toEqual(['Its description was made by rules, since the model failed: It wrote nonsense.'])
      expect(troubles[0]!.message).toBe('a.txt is described by rules for now: It wrote nonsense.')
    },
  )

  it.skipIf(isMissing)(
    'wait an hour for a user who has reached the limit, without an error, and delay no other user',
    async () => {
      const store = open()
      for (const owner of ['ada', 'ben']) await store.put(owner, documentOf('a.txt', ['Text.']))
      const byModel: DescribeByModel = async ({ owner }) => {
        if (owner === 'ada' && clock.now() < 1_000_000 + 60 * MINUTE_MS) throw new TuttiError('LimitReached', 'Enough.')
        return { description: `Of ${owner}.`, topics: [] }
      }
      expect(await run(store, byModel)).toBe(1)
      await clock.advance(59 * MINUTE_MS)
      expect(await run(store, byModel)).toBe(0)
      await clock.advance(MINUTE_MS)
      expect(await run(store, byModel)).toBe(1)
      expect(troubles).toEqual([])
    },
  )

  it.skipIf(isMissing)('are not requested for further documents while the model is down', async () => {
    const store = open()
    for (const name of ['a.txt', 'b.txt']) await store.put('ada', documentOf(name, ['Text.']))
    let tries = 0
    const byModel: DescribeByModel = async () => {
      tries++
      throw new TuttiError('ModelUnavailable', 'Nobody there.', { retryable: true })
    }
    await run(store, byModel)
    expect(tries).toBe(1)
    // For one owner only, as after adding.
    expect(await run(store, async () => ({ description: 'x', topics: [] }), going(), 'ben')).toBe(0)
  })
})
