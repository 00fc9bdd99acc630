import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineRole } from '../../domain/actor.ts'
import type { Clock } from '../../shared/clock.ts'
import type { RunEvent } from '../../domain/events.ts'
import type { TextPosition } from '../../domain/feed.ts'
import {
  say,
  engineFor,
  eventually,
  FakeModels,
  gate,
  givenPlanner,
  passing,
  request,
  task,
} from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { Page } from '../../../test/support/reading.ts'
import { describeStores } from '../../../test/support/stores.ts'
import type { RunStore } from '../../domain/store.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { AnswerStream } from '../calls/answer-stream.ts'
import { LiveHub, type LiveItem } from './live.ts'
import { RunReaders } from './readers.ts'

const streamingComposer = defineRole({
  name: 'composer',
  async run(ctx) {
    const { value = 'no model' } = await ctx.ask(say, 'compose', { streamAnswer: true })
    ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
    return {}
  },
})

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
    const clock = new ManualClock()
    const hold = gate()
    const asked = gate()
    const pieces = ['One ', 'two ', 'three.']
    const models = new FakeModels(() => {
      asked.open()
      return { pieces, after: hold.promise }
    })
    const engine = engineFor([], { store: store(), clock, models, roles: [givenPlanner, streamingComposer] })
    const runId = await engine.start(request([]))
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
    await passing(clock, reading, 10)
    expect(early.text).toBe('One two three.')
    expect(items.filter((type) => type === 'live.text')).toHaveLength(3)
    expect(items.at(-1)).toBe('run.finished')
    expect(early.events.map((event) => event.type)).not.toContain('answer.delta')

    const late = new Page()
    for await (const item of engine.stream(runId)) late.take(item)
    expect(late.text).toBe('One two three.')
    expect(late.events.map((event) => event.seq)).toEqual(early.events.map((event) => event.seq))
    await engine.close()
  })

  it('reaches readers in another process, from the log', async () => {
    const clock = new ManualClock()
    const hold = gate()
    const models = new FakeModels(() => ({ pieces: ['far ', 'away'], after: hold.promise }))
    const options = { store: store(), clock, models, roles: [givenPlanner, streamingComposer] }
    const [here, there] = [engineFor([], options), engineFor([], options)]
    const runId = await here.start(request([]))
    const page = new Page()
    const reading = (async () => {
      for await (const item of there.stream(runId)) page.take(item)
    })()
    hold.open()
    await passing(clock, reading)
    expect(page.text).toBe('far away')
    expect(page.events.at(-1)?.type).toBe('run.finished')
    await Promise.all([here.close(), there.close()])
  })

  it('ends at once for a reader that has seen the end, and for one that leaves', async () => {
    const clock = new ManualClock()
    const never = {
      name: 'hung',
      description: '',
      capabilities: [],
      useCases: [],
      keywords: [],
      run: () => new Promise<never>(() => undefined),
    }
    const engine = engineFor([never], { store: store(), clock })
    const runId = await engine.start(request([]))
    const { seq } = await passing(clock, engine.outcome(runId))
    expect(await all(engine.stream(runId, { afterSeq: seq }))).toEqual([])
    expect(await all(engine.stream(runId, { afterSeq: 10_000 }))).toEqual([])
    expect((await all(engine.stream(runId, { afterSeq: seq - 1 }))).map((item) => item.type)).toEqual(['run.finished'])

    const hung = await engine.start(request([task('hung')]))
    const leaving = new AbortController()
    const reading = all(engine.stream(hung, { signal: leaving.signal }))
    await settled()
    leaving.abort()
    expect((await reading).length).toBeGreaterThan(0)
    await engine.cancel(hung, 'test')
    await passing(clock, engine.outcome(hung))
    await engine.close()
  })
})

describe('text that is shown before it is logged', () => {
  it('reaches late readers immediately', async () => {
    const clock = new ManualClock()
    const { store } = await createMemoryStorage({ clock, onError: () => undefined })
    const live = new LiveHub()
    const at = new Date(0).toISOString()
    await store.append([{ runId: 'r', afterSeq: 0, events: [{ type: 'run.started', request: request([]), at }] }])
    const kept: RunEvent[] = []
    const answer = new AnswerStream(
      clock,
      0,
      (text) => live.tell('r', text),
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
    live.tell('r', kept[0]!)
    await settled()
    expect([soon.text, later.text]).toEqual(['abcdef', 'abcdef'])
    answer.write('k', 'g', 6)
    await settled()
    expect([soon.text, later.text]).toEqual(['abcdefg', 'abcdefg'])
    leaving.abort()
    await Promise.all(reading)
  })

  it('reaches a slow reader after more text than the buffer holds', async () => {
    const clock = new ManualClock()
    const { store } = await createMemoryStorage({ clock, onError: () => undefined })
    const live = new LiveHub()
    const at = new Date(0).toISOString()
    await store.append([{ runId: 'r', afterSeq: 0, events: [{ type: 'run.started', request: request([]), at }] }])
    const answer = new AnswerStream(
      clock,
      0,
      (text) => live.tell('r', text),
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

describe('each character once', () => {
  type Step =
    | { readonly do: 'write'; readonly text: string }
    | { readonly do: 'restart' | 'crash' | 'keep' | 'commit' | 'read' | 'reconnect' | 'reconnect with text' | 'join' }

  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 5 }).map((text) => ({ do: 'write', text }) as const) },
    { weight: 4, arbitrary: fc.constant({ do: 'read' } as const) },
    {
      weight: 6,
      arbitrary: fc
        .constantFrom('restart', 'crash', 'keep', 'commit', 'reconnect', 'reconnect with text', 'join')
        .map((what) => ({ do: what }) as Step),
    },
  )

  it('with any commits, restarts of the answer, crashes, and readers that join, leave and resume', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async (steps) => {
        const clock = new ManualClock()
        const { store } = await createMemoryStorage({ clock, onError: () => undefined })
        const live = new LiveHub()
        const at = new Date(0).toISOString()
        await store.append([{ runId: 'r', afterSeq: 0, events: [{ type: 'run.started', request: request([]), at }] }])
        let seq = 1
        let unwritten: RunEvent[] = []
        let shown = ''
        let epoch = 1
        let answer = newAnswer()

        function newAnswer(): AnswerStream {
          const first = (epoch - 1) * 1_000
          return new AnswerStream(
            clock,
            first,
            (text) => live.tell('r', text),
            (event) => unwritten.push({ ...event, at, runId: 'r', seq: 0, v: 1 }),
          )
        }
        const commit = async (): Promise<void> => {
          if (unwritten.length === 0) return
          const events = unwritten.map((event) => ({ ...event, seq: ++seq }))
          unwritten = []
          await store.append([{ runId: 'r', afterSeq: events[0]!.seq - 1, events }])
          for (const event of events) live.tell('r', event)
        }
        const here = readersOf(store, live, clock, () => answer.unkept)
        const readers: { page: Page; leave(): Promise<void> }[] = []
        const join = (page = new Page(), afterText?: TextPosition): void => {
          const away = new AbortController()
          const options = { afterSeq: page.seq, signal: away.signal, ...(afterText === undefined ? {} : { afterText }) }
          const reading = (async () => {
            for await (const item of here.stream('r', options)) page.take(item)
          })()
          readers.push({
            page,
            async leave() {
              away.abort()
              await reading
            },
          })
        }

        join()
        for (const one of steps) {
          switch (one.do) {
            case 'write':
              answer.write('k', one.text, shown.length)
              shown += one.text
              break
            case 'restart':
              shown = ''
              answer.write('k', '', 0)
              break
            case 'keep':
              answer.flush()
              break
            case 'commit':
              await commit()
              break
            case 'crash':
              unwritten = []
              epoch++
              shown = ''
              answer.stop()
              answer = newAnswer()
              break
            case 'read':
              await settled(3)
              break
            case 'join':
              join()
              break
            case 'reconnect':
            case 'reconnect with text': {
              const reader = readers.shift()!
              await reader.leave()
              if (one.do === 'reconnect with text') {
                join(reader.page, reader.page.position)
                break
              }
              // Without a position in the text the reader gets all text after the last event again, so it drops its copy.
              const fresh = new Page()
              for (const event of await store.read('r')) if (event.seq <= reader.page.seq) fresh.take(event)
              join(fresh)
              break
            }
          }
        }
        answer.flush()
        await commit()
        await store.append([{ runId: 'r', afterSeq: seq, events: [{ type: 'run.finished', at }] }])
        live.tell('r', { type: 'run.finished', at, runId: 'r', seq: seq + 1, v: 1 })
        await clock.advance(1_000)
        await Promise.all(readers.map((reader) => reader.leave()))
        for (const { page } of readers) {
          expect(page.events.at(-1)?.type).toBe('run.finished')
          expect(shown === '' ? '' : page.text).toBe(shown)
        }
      }),
      { numRuns: 500, seed: -1399710019 },
    )
  })
})
