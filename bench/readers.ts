/** What many readers of runs cost the process that serves them, beside readers each of whom reads the log for itself. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../src/shared/clock.ts'
import type { NewEvent } from '../src/domain/events.ts'
import { parseRequest } from '../src/domain/request.ts'
import type { RunStore } from '../src/domain/store.ts'
import { LiveHub } from '../src/engine/readers/live.ts'
import { RunReaders } from '../src/engine/readers/readers.ts'
import { longestBlock } from './measure.ts'
import { counted } from '../test/support/reading.ts'

const READERS = 500
const LOG = 10_000
const NEWS = 50

export interface ReadersCost {
  readonly what: string
  readonly queries: number
  readonly rows: number
  /** Until every reader has everything. */
  readonly ms: number
  /** The longest time for which nothing else could be done. */
  readonly blockedMs: number
}

const at = new Date(0).toISOString()
const note = (i: number): NewEvent => ({ type: 'note', kind: 'MESSAGE', message: `n${i} ${'x'.repeat(200)}`, at })

/** `here` is written to, `there` read from: two processes, as far as the store can tell. */
export async function readersCosts(here: RunStore, there: RunStore): Promise<ReadersCost[]> {
  const start: NewEvent = { type: 'run.started', request: parseRequest({ question: 'q' }, new Set()), at }
  const append = async (runIds: readonly string[], afterSeq: number, events: readonly NewEvent[]): Promise<void> => {
    const outcomes = await here.append(runIds.map((runId) => ({ runId, afterSeq, events })))
    if (outcomes.some((outcome) => outcome !== 'appended')) throw new Error('An append of the benchmark failed.')
  }
  const long = randomUUID()
  await append([long], 0, [start])
  for (let seq = 1; seq < LOG; seq += 999)
    await append(
      [long],
      seq,
      Array.from({ length: 999 }, (_, i) => note(i)),
    )
  const head = (await here.run(long))!.lastSeq
  const many = Array.from({ length: READERS }, () => randomUUID())
  await append(many, 0, [start, ...Array.from({ length: 19 }, (_, i) => note(i))])

  const { feed, asked, reset } = counted(there.feed)
  const nothing = (): undefined => undefined
  const readers = new RunReaders({
    feed,
    live: new LiveHub(),
    clock: systemClock,
    unkept: nothing,
    failure: nothing,
    isLocal: () => false,
  })
  const costs: ReadersCost[] = []
  const measure = async (what: string, work: () => Promise<void>): Promise<void> => {
    reset()
    const { value: ms, blockedMs } = await longestBlock(async () => {
      const begun = performance.now()
      await work()
      return performance.now() - begun
    })
    const { rows, ...queries } = asked
    const total = Object.values(queries).reduce((sum, count) => sum + count, 0)
    costs.push({ what, queries: total, rows, ms, blockedMs })
  }
  const untilSeq = async (runId: string, afterSeq: number, seq: number): Promise<void> => {
    for await (const item of readers.stream(runId, { afterSeq })) {
      if (item.type !== 'live.text' && item.seq >= seq) return
    }
  }
  const all = (runIds: readonly string[], afterSeq: number, seq: number): Promise<void[]> =>
    Promise.all(runIds.map((runId) => untilSeq(runId, afterSeq, seq)))
  const same = Array.from({ length: READERS }, () => long)

  for (const [name, runIds, from] of [
    ['one run', same, head],
    [`${READERS} runs`, many, 20],
  ] as const) {
    await measure(`${READERS} readers of ${name} come back, a few events behind`, async () => {
      await all(runIds, from - 5, from)
    })
    await measure(`${READERS} readers of ${name}, ${NEWS} events come one by one`, async () => {
      const reading = all(runIds, from, from + NEWS)
      for (let i = 0; i < NEWS; i++) await append([...new Set(runIds)], from + i, [note(i)])
      await reading
    })
  }
  await measure(`${READERS} readers of one run from its start`, async () => {
    await all(same, 0, head)
  })
  const alone = 20
  let rows = 0
  await measure(`the same, each for itself: ${alone} of them (before)`, async () => {
    for (let i = 0; i < alone; i++) rows += (await there.read(long)).length
  })
  costs.push({ ...costs.pop()!, queries: alone, rows })
  return costs
}
