import { describe, expect, it } from 'vitest'
import type { Clock } from '../../shared/clock.ts'
import type { RunEvent } from '../../domain/events.ts'
import { givenPlanner, memoryStore, openWorld, request } from '../../../test/support/engine-world.ts'
import { FakeModels, streamingComposer } from '../../../test/support/fake-models.ts'
import { eventually, gate } from '../../../test/support/waiting.ts'
import { hanging } from '../../../test/support/test-agents.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { Page } from '../../../test/support/reading.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { RunStore } from '../../domain/store.ts'
import { AnswerStream } from '../calls/answer-stream.ts'
import { LiveHub, type LiveItem } from './live.ts'
import { RunReaders } from './readers.ts'

async function all(items: AsyncIterable<LiveItem>): Promise<LiveItem[]> {
  const found: LiveItem[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The readers of a process that works on the run. */
function readersOf(store: RunStore, live: LiveHub, clock: Clock, unkept: () => LiveItem | undefined): RunReaders {
  return new RunReaders({ feed: store.feed, live, clock, unkept, isLocal: () => true, failure: () => undefined })
}

describeStores('a stream', (store) => {
  it('streams text to readers from the start and to late ones', async () => {
    const hold = gate()
    const asked = gate()
    const pieces = ['One ', 'two ', 'three.']
    const models = new FakeModels(() => {
      asked.open()
      return { pieces, after: hold.promise }
    })
    const { engine, start, pass } = openWorld(store(), [], { models, roles: [givenPlanner, streamingComposer] })
    const runId = await start([])
    const early = new Page()
    const items: string[] = []
    const reading = (async () => {
      for await (const item of engine.stream(runId)) {
        early.take(item)
        items.push(item.type)
      }
    })()
    await eventually(() => asked.isOpen() && early.events.some((event) => 'key' in event && event.key === 'compose:1'))
    await settled()
    hold.open()
    await pass(reading, 10)
    expect(early.text).toBe('One two three.')
    expect(items.filter((type) => type === 'live.text')).toHaveLength(3)
    expect(items.at(-1)).toBe('run.finished')
    expect(early.events.map((event) => event.type)).not.toContain('answer.delta')

    const late = new Page()
    for await (const item of engine.stream(runId)) late.take(item)
    expect(late.text).toBe('One two three.')
    expect(late.events.map((event) => event.seq)).toEqual(early.events.map((event) => event.seq))
  })

  it('ends at once for a reader that has seen the end, and for one that leaves', async () => {
    const { engine, start, end, run } = openWorld(store(), [hanging('hung')])
    const { runId, seq } = await run([])
    expect(await all(engine.stream(runId, { afterSeq: seq }))).toEqual([])
    expect(await all(engine.stream(runId, { afterSeq: 10_000 }))).toEqual([])
    expect((await all(engine.stream(runId, { afterSeq: seq - 1 }))).map((item) => item.type)).toEqual(['run.finished'])

    const hung = await start(['hung'])
    const leaving = new AbortController()
    const reading = all(engine.stream(hung, { signal: leaving.signal }))
    await settled()
    leaving.abort()
    expect((await reading).length).toBeGreaterThan(0)
    await engine.cancel(hung, 'test')
    await end(hung)
  })
})

describe('text that is shown before it is logged', () => {
  const at = new Date(0).toISOString()

  async function world() {
    const clock = new ManualClock()
    const store = await memoryStore(clock)
    await store.append([{ runId: 'r', afterSeq: 0, events: [{ type: 'run.started', request: request([]), at }] }])
    return { clock, store, live: new LiveHub() }
  }

  it('reaches late readers immediately', async () => {
    const { clock, store, live } = await world()
    const kept: RunEvent[] = []
    const answer = new AnswerStream(
      clock,
      0,
      (text) => live.publish('r', text),
      (event) => kept.push({ ...event, at, runId: 'r', seq: 2, v: 1 }),
    )
    answer.write('k', 'abc', 0)
    const [soon, later] = [new Page(), new Page()]
    const leaving = new AbortController()
    const readers = readersOf(store, live, clock, () => answer.unkept)
    const read = async (page: Page): Promise<void> => {
      for await (const item of readers.stream('r', { signal: leaving.signal })) page.take(item)
    }
    const reading = [read(soon)]
    await settled()
    expect(soon.text).toBe('abc')

    answer.flush() // on its way into the log
    answer.write('k', 'def', 3)
    reading.push(read(later))
    await settled()
    expect([soon.text, later.text]).toEqual(['abcdef', ''])
    await store.append([{ runId: 'r', afterSeq: 1, events: kept }])
    live.publish('r', kept[0]!)
    await settled()
    expect([soon.text, later.text]).toEqual(['abcdef', 'abcdef'])
    answer.write('k', 'g', 6)
    await settled()
    expect([soon.text, later.text]).toEqual(['abcdefg', 'abcdefg'])
    leaving.abort()
    await Promise.all(reading)
  })

  it('reaches a slow reader after more text than the buffer holds', async () => {
    const { clock, store, live } = await world()
    const answer = new AnswerStream(
      clock,
      0,
      (text) => live.publish('r', text),
      () => undefined,
    )
    const items = readersOf(store, live, clock, () => answer.unkept).stream('r', {})
    const page = new Page()
    page.take((await items.next()).value!)
    answer.write('k', 'x', 0)
    page.take((await items.next()).value!)
    expect(page.text).toBe('x')
    for (let i = 1; i < 900; i++) answer.write('k', 'x', i)
    page.take((await items.next()).value!)
    expect(page.text).toBe('x'.repeat(900))
    await items.return(undefined)
  })
})
