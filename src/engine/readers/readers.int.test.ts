import fc from 'fast-check'
import { describe, expect, it, inject } from 'vitest'
import { times } from '../../../test/support/length.ts'
import { eventually, passing, request } from '../../../test/support/engine-world.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { counted, Page } from '../../../test/support/reading.ts'
import { note } from '../../../test/support/storage.ts'
import { describeStorages, describeStores } from '../../../test/support/stores.ts'
import { systemClock } from '../../shared/clock.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { RunFeed, RunStore } from '../../domain/store.ts'
import { openStorage } from '../../storage/index.ts'
import { AnswerStream } from '../calls/answer-stream.ts'
import { LiveHub, type LiveItem } from './live.ts'
import { RunReaders } from './readers.ts'

const AT = new Date(0).toISOString()
const START: NewEvent = { type: 'run.started', request: request([]), at: AT }
const END: NewEvent = { type: 'run.finished', at: AT }

const delta = (part: number, offset: number, text: string): NewEvent => {
  return { type: 'answer.delta', key: 'compose:1', part, offset, text, at: AT }
}

/** Readers of a process that does not work on the runs. */
function readersElsewhere(feed: RunFeed, clock: ManualClock): RunReaders {
  const nothing = (): undefined => undefined
  return new RunReaders({ feed, live: new LiveHub(), clock, unkept: nothing, failure: nothing, isLocal: () => false })
}

async function append(store: RunStore, runId: string, afterSeq: number, events: readonly NewEvent[]): Promise<number> {
  expect(await store.append([{ runId, afterSeq, events }])).toEqual(['appended'])
  return afterSeq + events.length
}

const notes = (count: number): NewEvent[] => Array.from({ length: count }, (_, i) => note(`n${i}`))

async function readInto(page: Page, items: AsyncIterable<LiveItem>): Promise<void> {
  for await (const item of items) page.take(item)
}

/** Appends until the reader gets each notification. A single one could come from a read that was already active. */
async function untilTold(page: Page, appendOne: () => Promise<number>): Promise<void> {
  for (let times = 0; times < 3;) {
    const seq = await appendOne()
    for (let i = 0; i < 200 && page.seq !== seq; i++) await new Promise((resolve) => setTimeout(resolve, 1))
    times = page.seq === seq ? times + 1 : 0
  }
}

describeStores('the cost of readers', (store) => {
  it('does not grow with the log that they know, nor with their number', async () => {
    const [clock, { feed, asked }] = [new ManualClock(), counted(store().feed)]
    let seq = await append(store(), 'long', 0, [START, ...notes(4_999)])
    seq = await append(store(), 'long', seq, [delta(1, 0, 'It is '), ...notes(4_999)])
    await append(store(), 'long', seq, [delta(1, 6, 'done.'), END])
    const readers = readersElsewhere(feed, clock)
    const known = { seq: 10_000, part: 1, text: 'It is ' }
    const pages = Array.from({ length: 100 }, () => Object.assign(new Page(), known))
    await Promise.all(pages.map((page) => readInto(page, readers.stream('long', { afterSeq: 10_000 }))))
    for (const page of pages) expect([page.text, page.events.map(({ seq }) => seq)]).toEqual(['It is done.', [10_002]])
    // One read of the head, one page that may begin a little earlier, one read of the answer's text.
    expect(asked).toMatchObject({ heads: 1, pages: 1, answers: 1 })
    expect(asked.rows).toBeLessThanOrEqual(256)
  })

  it('is one read of the log for all readers from the start', async () => {
    const [clock, { feed, asked }] = [new ManualClock(), counted(store().feed)]
    await append(store(), 'all', 0, [START, ...notes(998), END])
    const readers = readersElsewhere(feed, clock)
    const pages = Array.from({ length: 50 }, () => new Page())
    await Promise.all(pages.map((page) => readInto(page, readers.stream('all'))))
    for (const page of pages) expect(page.events).toHaveLength(1_000)
    expect(asked).toEqual({ heads: 1, pages: 4, rows: 1_000, answers: 0 })
  })

  it('is one read of new events for any number of readers', async () => {
    const [clock, { feed, asked, reset }] = [new ManualClock(), counted(store().feed)]
    let seq = await append(store(), 'new', 0, [START])
    const readers = readersElsewhere(feed, clock)
    const pages = Array.from({ length: 100 }, () => new Page())
    const reading = pages.map((page) => readInto(page, readers.stream('new')))
    const allAt = (at: number) => eventually(() => pages.every((page) => page.seq === at))
    // The clock does not advance from here on: no poll is due, so the readers depend on notifications.
    await untilTold(pages[0]!, async () => (seq = await append(store(), 'new', seq, [note('Is anybody there?')])))
    await allAt(seq)
    reset()
    seq = await append(store(), 'new', seq, notes(20))
    await allAt(seq)
    expect(asked).toEqual({ heads: 0, pages: 1, rows: 20, answers: 0 })
    await append(store(), 'new', seq, [END])
    await Promise.all(reading)
    expect(asked).toEqual({ heads: 0, pages: 2, rows: 21, answers: 0 })
  })

  it('is one read for all runs whose readers start together, and none without new events', async () => {
    const [clock, { feed, asked }] = [new ManualClock(), counted(store().feed)]
    const runIds = Array.from({ length: 100 }, (_, i) => `of-many-${i}`)
    await store().append(runIds.map((runId) => ({ runId, afterSeq: 0, events: [START] })))
    const readers = readersElsewhere(feed, clock)
    const away = new AbortController()
    const pages = runIds.map(() => new Page())
    const reading = runIds.map((runId, i) => readInto(pages[i]!, readers.stream(runId, { signal: away.signal })))
    await eventually(() => pages.every((page) => page.seq === 1))
    expect(asked).toEqual({ heads: 1, pages: 100, rows: 100, answers: 0 })
    for (let i = 0; i < 20; i++) {
      await clock.advance(300)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(asked.pages).toBe(100)
    expect(asked.heads).toBeLessThanOrEqual(21)
    away.abort()
    await Promise.all(reading)
    expect(clock.pending).toBe(0)
  })
})

describeStorages('every reader gets exactly the log', 'one', (world, kind) => {
  type Step =
    | { readonly do: 'write'; readonly pieces: number }
    | { readonly do: 'note'; readonly count: number }
    | { readonly do: 'read'; readonly who: number; readonly items: number }
    | { readonly do: 'join'; readonly afterSeq: number; readonly isHere: boolean }
    | { readonly do: 'reconnect'; readonly who: number; readonly isHere: boolean; readonly withText: boolean }
    | { readonly do: 'restart' | 'crash' | 'commit' | 'tick' }

  const who = fc.nat(20)
  const isHere = fc.boolean()
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('write' as const), pieces: fc.oneof(fc.nat(5), fc.nat(300)) }),
    fc.record({ do: fc.constant('note' as const), count: fc.oneof(fc.nat(5), fc.nat(400)) }),
    fc.record({ do: fc.constant('read' as const), who, items: fc.oneof(fc.nat(10), fc.nat(500)) }),
    fc.record({ do: fc.constant('join' as const), afterSeq: fc.oneof(fc.constant(0), fc.nat(600)), isHere }),
    fc.record({ do: fc.constant('reconnect' as const), who, isHere, withText: fc.boolean() }),
    fc.constantFrom('restart', 'crash', 'commit', 'commit', 'commit', 'tick').map((what) => ({ do: what }) as Step),
  )

  /** A reader that takes an item only when the test calls for it. */
  class Slow {
    readonly page: Page
    private readonly away = new AbortController()
    private readonly items: AsyncGenerator<LiveItem>
    private pending: Promise<IteratorResult<LiveItem>> | undefined
    isOver = false

    constructor(readers: RunReaders, runId: string, page: Page, withText: boolean) {
      this.page = page
      this.items = readers.stream(runId, {
        afterSeq: page.seq,
        signal: this.away.signal,
        ...(withText ? { afterText: page.position } : {}),
      })
    }

    async read(items: number): Promise<void> {
      for (let i = 0; i < items && !this.isOver; i++) {
        this.pending ??= this.items.next()
        const found = await Promise.race([this.pending, settled(3)])
        if (found === undefined) return
        this.pending = undefined
        if (found.done === true) this.isOver = true
        else this.page.take(found.value)
      }
    }

    async leave(): Promise<void> {
      this.away.abort()
      while (!this.isOver && this.pending !== undefined) await this.read(1)
      await this.items.return(undefined)
    }
  }

  it('for any appends, and for readers that are slow, leave, or resume anywhere', { timeout: 120_000 }, async () => {
    const [{ store }, elsewhere] = [await world().open(), await world().open()]
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        const runId = `r${++runs}`
        const clock = new ManualClock()
        const live = new LiveHub()
        let seq = await append(store, runId, 0, [START])
        let unwritten: NewEvent[] = []
        let shown = ''
        const answerFrom = (part: number): AnswerStream =>
          new AnswerStream(
            clock,
            part,
            (text) => live.publish(runId, text),
            (event) => unwritten.push({ ...event, at: AT }),
          )
        let answer = answerFrom(0)
        let crashes = 0
        const commit = async (): Promise<void> => {
          const events = unwritten
          unwritten = []
          if (events.length === 0) return
          const before = seq
          seq = await append(store, runId, before, events)
          for (const [i, event] of events.entries()) live.publish(runId, { ...event, runId, seq: before + 1 + i, v: 1 })
        }
        const failure = (): undefined => undefined
        const unkept = (): LiveItem | undefined => answer.unkept
        const here = new RunReaders({ feed: store.feed, live, clock, unkept, failure, isLocal: () => true })
        const there = readersElsewhere(elsewhere.store.feed, clock)
        const readers = [new Slow(here, runId, new Page(), false), new Slow(there, runId, new Page(), false)]
        /** The state of a reader that has read this many events and no live text. */
        const known = async (until: number): Promise<Page> => {
          const page = new Page()
          for (const event of await store.read(runId)) if (event.seq <= until) page.take(event)
          return page
        }
        for (const one of steps) {
          if (one.do === 'write') {
            for (let i = 0; i < one.pieces; i++) {
              answer.write('k', `${shown.length},`, shown.length)
              shown += `${shown.length},`
            }
          } else if (one.do === 'note') {
            answer.flush()
            unwritten.push(...notes(one.count))
          } else if (one.do === 'read') await readers[one.who % readers.length]!.read(one.items)
          else if (one.do === 'join') {
            const page = await known(Math.min(one.afterSeq, seq))
            readers.push(new Slow(one.isHere ? here : there, runId, page, false))
          } else if (one.do === 'reconnect') {
            const index = one.who % readers.length
            const { page } = readers[index]!
            await readers[index]!.leave()
            const next = one.withText ? page : await known(page.seq)
            readers[index] = new Slow(one.isHere ? here : there, runId, next, one.withText)
          } else if (one.do === 'commit') await commit()
          else if (one.do === 'tick') await clock.advance(300)
          else if (one.do === 'crash') {
            unwritten = []
            shown = ''
            answer.stop()
            answer = answerFrom(++crashes * 1_000)
          } else {
            shown = ''
            answer.write('k', '', 0)
          }
        }
        answer.flush()
        unwritten.push(END)
        await commit()
        const log = await store.read(runId)
        const due = (page: Page) => log.filter((event) => event.type !== 'answer.delta' && event.seq <= page.seq)
        await passing(clock, Promise.all(readers.map((reader) => drain(reader))), 300)
        for (const { page } of readers) {
          expect(page.seq).toBe(seq)
          expect(page.events.map((event) => event.seq)).toEqual(due(page).map((event) => event.seq))
          expect(shown === '' ? '' : page.text).toBe(shown)
        }
        expect(live.hasListeners(runId)).toBe(false)
      }),
      { numRuns: kind === 'SQLite' ? times(100) : times(40), seed: 8 },
    )
  })

  async function drain(reader: { isOver: boolean; read(items: number): Promise<void> }): Promise<void> {
    while (!reader.isOver) await reader.read(1_000)
  }
})

describe.skipIf(inject('postgresUrl') === '')('notifications by PostgreSQL', () => {
  async function twoProcesses() {
    const databaseUrl = await createTestDatabase(inject('postgresUrl'))
    const errors: string[] = []
    const onError = (error: Error): unknown => errors.push(error.message)
    const [here, there] = await Promise.all([1, 2].map(() => openStorage({ databaseUrl, clock: systemClock, onError })))
    const close = () => Promise.all([here!.close(), there!.close()])
    return { here: here!.store, there: there!.store, databaseUrl, errors, close }
  }

  async function connect(connectionString: string) {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString })
    await client.connect()
    return client
  }

  /** A reader in another process that already receives notifications. */
  async function listening(here: RunStore, feed: RunFeed, clock: ManualClock) {
    let seq = await append(here, 'r', 0, [START])
    const page = new Page()
    const reading = readInto(page, readersElsewhere(feed, clock).stream('r'))
    await untilTold(page, async () => (seq = await append(here, 'r', seq, [note('Is anybody there?')])))
    return { page, reading, seq }
  }

  it('delivers text of the answer to another process without a read of the log', async () => {
    const { here, there, close } = await twoProcesses()
    const { feed, asked, reset } = counted(there.feed)
    const { page, reading, ...at } = await listening(here, feed, new ManualClock())
    let { seq } = at
    reset()
    for (const text of ['One ', 'two\0 ', 'dr\uD800ei ', '🙂']) {
      seq = await append(here, 'r', seq, [delta(1, page.text.length, text)])
      await eventually(() => page.seq === seq)
    }
    expect(page.text).toBe('One two\0 dr\uD800ei 🙂')
    expect(asked).toEqual({ heads: 0, pages: 0, rows: 0, answers: 0 })
    const long = '€'.repeat(3_000)
    seq = await append(here, 'r', seq, [delta(1, page.text.length, long)])
    await eventually(() => page.seq === seq)
    expect(page.text.endsWith(long)).toBe(true)
    expect(asked).toMatchObject({ heads: 0, pages: 1 })
    await append(here, 'r', seq, [END])
    await reading
    await close()
  })

  it('recovers after the listening connection was lost, with the missed events', async () => {
    const { here, there, databaseUrl, errors, close } = await twoProcesses()
    const clock = new ManualClock()
    const { page, reading, ...at } = await listening(here, there.feed, clock)
    const client = await connect(databaseUrl)
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tutti-readers' AND datname = current_database()",
    )
    await eventually(() => errors.length > 0)
    let seq = await append(here, 'r', at.seq, notes(3))
    // Until the connection is back, the log is polled.
    await passing(
      clock,
      eventually(() => page.seq === seq),
      300,
    )
    await untilTold(page, async () => (seq = await append(here, 'r', seq, [note('Is anybody there?')])))
    expect(errors[0]).toContain('The connection to PostgreSQL')
    await append(here, 'r', seq, [END])
    await reading
    await client.end()
    await close()
  })

  it('accepts only well-formed notifications', async () => {
    const { here, there, databaseUrl, close } = await twoProcesses()
    const { page, reading, seq } = await listening(here, there.feed, new ManualClock())
    const client = await connect(databaseUrl)
    for (const payload of ['', 'null', '{', '[]', '{"run":1}', '{"run":"r","seq":"x"}', '{"run":"s","seq":9}']) {
      await client.query('SELECT pg_notify($1, $2)', ['tutti_runs', payload])
    }
    await append(here, 'r', seq, [END])
    await reading
    expect(page.events.at(-1)?.type).toBe('run.finished')
    await client.end()
    await close()
  })
})
