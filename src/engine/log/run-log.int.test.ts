import { describe, expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import type { NewEvent, RunEvent } from '../../domain/events.ts'
import type { Append } from '../../domain/store.ts'
import { memoryStore, openWorld, passing } from '../../../test/support/engine-world.ts'
import { answering } from '../../../test/support/test-agents.ts'
import { storeWith } from '../../../test/support/watched-store.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { note, started } from '../../../test/support/storage.ts'
import { LogWriter, RunLog } from './run-log.ts'

/** The faults of the next appends, in order. Later appends succeed. */
type Script = ('works' | 'breaks before' | 'breaks after' | TuttiError)[]

async function world(script: Script = [], isRefused: (event: NewEvent) => boolean = () => false) {
  const clock = new ManualClock()
  const store = await memoryStore(clock)
  const batches: (readonly Append[])[] = []
  const broken = new TuttiError('StorageError', 'connection lost', { retryable: true })
  const flaky = storeWith(store, {
    async append(appends, options) {
      const what = script.shift() ?? 'works'
      if (what instanceof TuttiError) throw what
      if (what === 'breaks before') throw broken
      batches.push(appends)
      if (appends.some(({ events }) => events.some(isRefused))) throw new TuttiError('StorageError', 'cannot be stored')
      const outcomes = await store.append(appends, options)
      if (what === 'breaks after') throw broken
      return outcomes
    },
  })
  const writer = new LogWriter(flaky, clock)
  const open = async (runId: string) => {
    await store.append([{ runId, afterSeq: 0, events: [started()], status: 'running' }])
    const { epoch } = (await store.claim(runId, 'worker', Infinity, 0))!
    const told = { committed: [] as string[], foreign: [] as RunEvent[], lost: undefined as TuttiError | undefined }
    const log = new RunLog(runId, epoch, 1, {
      onCommitted: (events) => told.committed.push(...events.map(textOf)),
      onForeign: (events) => told.foreign.push(...events),
      onLost: (error) => (told.lost = error),
    })
    return { log, told, texts: async () => (await store.read(runId, 1)).map(textOf) }
  }
  return { clock, store, writer, batches, open }
}

const textOf = (event: NewEvent): string => (event.type === 'note' ? event.message : event.type)

describe('the log writer', () => {
  it('writes events of several runs from one turn in one transaction', async () => {
    const { writer, batches, open } = await world()
    const [a, b] = [await open('a'), await open('b')]
    writer.push(a.log, note('a1'))
    writer.push(b.log, note('b1'))
    writer.push(a.log, note('a2'))
    await Promise.all([writer.flush(a.log, false), writer.flush(b.log, true)])
    expect(batches.map((batch) => batch.map(({ runId, events }) => [runId, events.length]))).toEqual([
      [
        ['a', 2],
        ['b', 1],
      ],
    ])
    expect(a.told.committed).toEqual(['a1', 'a2'])
    expect(await a.texts()).toEqual(['a1', 'a2'])
  })

  it('appends its events after those of others, and does not affect other runs', async () => {
    const { writer, store, open } = await world()
    const [a, b] = [await open('a'), await open('b')]
    await store.append([{ runId: 'a', afterSeq: 1, events: [note('foreign')] }])
    writer.push(a.log, note('own'))
    writer.push(b.log, note('b1'))
    await Promise.all([writer.flush(a.log, true), writer.flush(b.log, true)])
    expect(await a.texts()).toEqual(['foreign', 'own'])
    expect(a.told.foreign.map(textOf)).toEqual(['foreign'])
    expect(await b.texts()).toEqual(['b1'])
  })

  it('drops a run that another worker has claimed', async () => {
    const { writer, store, open } = await world()
    const a = await open('a')
    await store.claim('a', 'other', Infinity, 0, () => false)
    writer.push(a.log, note('late'))
    await expect(writer.flush(a.log, true)).rejects.toMatchObject({ code: 'RunLost' })
    expect(a.told.lost?.code).toBe('RunLost')
    writer.push(a.log, note('later'))
    await expect(writer.flush(a.log, true)).rejects.toMatchObject({ code: 'RunLost' })
    expect(await a.texts()).toEqual([])
  })

  it('retries transient errors', async () => {
    const { writer, clock, open } = await world(['breaks before', 'breaks before'])
    const a = await open('a')
    writer.push(a.log, note('x'))
    await passing(clock, writer.flush(a.log, true))
    expect(await a.texts()).toEqual(['x'])
  })

  it('writes nothing twice when a response was lost after the write', async () => {
    const { writer, clock, open } = await world(['breaks after'])
    const a = await open('a')
    writer.push(a.log, note('x'))
    const written = writer.flush(a.log, true)
    await settled()
    writer.push(a.log, note('y'))
    await passing(clock, written)
    await writer.flush(a.log, true)
    expect(await a.texts()).toEqual(['x', 'y'])
    expect(a.told.committed).toEqual(['x', 'y'])
    expect(a.told.foreign).toEqual([])
  })

  it('fails the run whose events the store cannot take, and no other; nothing of it is written after that', async () => {
    const { writer, open } = await world([], (event) => textOf(event) === 'poison')
    const [a, b] = [await open('a'), await open('b')]
    writer.push(a.log, note('poison'))
    writer.push(b.log, note('b1'))
    const failing = writer.flush(a.log, true)
    failing.catch(() => writer.push(a.log, note('after')))
    setImmediate(() => writer.push(a.log, note('meanwhile')))
    await writer.flush(b.log, true)
    await expect(failing).rejects.toMatchObject({ code: 'StorageError', message: 'cannot be stored' })
    await settled()
    expect(a.told.lost?.message).toBe('cannot be stored')
    expect(await a.texts()).toEqual([])
    expect(await b.texts()).toEqual(['b1'])
  })
})

describe('a run whose log cannot be written', () => {
  const down = (retryable: boolean) => new TuttiError('StorageError', 'The server is gone.', { retryable })

  /** Claim and creation succeed. Then the store fails for this number of appends. */
  async function engineOn(errors: readonly TuttiError[]) {
    const store = await memoryStore(new ManualClock())
    const script = [...errors]
    const flaky = storeWith(store, {
      append(appends, options) {
        const isCreation = appends.every(({ afterSeq }) => afterSeq === 0)
        const error = isCreation ? undefined : script.shift()
        return error === undefined ? store.append(appends, options) : Promise.reject(error)
      },
    })
    return openWorld(flaky, [answering('a')])
  }

  it('continues when the error passes', async () => {
    const { run } = await engineOn([down(true), down(true), down(true)])
    expect((await run(['a'])).status).toBe('finished')
  })

  it('is dropped with a clear error otherwise, and can be resumed later by the same engine', async () => {
    const { engine, start, end } = await engineOn([down(false)])
    const runId = await start(['a'])
    await expect(end(runId)).rejects.toThrow('The server is gone.')
    expect(await engine.resume(runId)).toBe('over')
    expect((await engine.outcome(runId)).status).toBe('finished')
  })

  it('is dropped after a while also when each error is retryable', async () => {
    const { run } = await engineOn(Array.from({ length: 6 }, () => down(true)))
    await expect(run(['a'])).rejects.toThrow('The server is gone.')
  })
})
