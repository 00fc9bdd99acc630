import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '../../src/http/client.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { Exporter } from '../../src/tracing/exporter.ts'
import type { Span } from '../../src/tracing/span.ts'
import { eventually } from '../support/engine-world.ts'
import { startOtlpReceiver, type Answering, type OtlpReceiver } from '../support/otlp-receiver.ts'

let receiver: OtlpReceiver
let clock: ManualClock
let troubles: string[]
let exporter: Exporter
beforeEach(async () => {
  receiver = await startOtlpReceiver()
  clock = new ManualClock()
  troubles = []
  asking = 0
  exporter = open()
})
afterEach(() => receiver.close())

function open(url = `${receiver.url}/secret-path/v1/traces`, allowHosts = [receiver.host]): Exporter {
  const client = createHttpClient({ allowHosts }, { clock })
  const http: HttpClient = {
    ...client,
    async request(asked) {
      asking++
      return client.request(asked).finally(() => asking--)
    },
  }
  const deps = { http, clock, onError: (error: Error) => troubles.push(error.message) }
  return new Exporter({ kind: 'otlp', url }, { receivers: [] }, deps)
}

const spans = (count: number): Span[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'tool',
    traceId: 't',
    spanId: String(i),
    name: 'x',
    startMs: 1,
    endMs: 2,
    attributes: {},
  }))

/** Responses in order; the last one repeats. */
function answering(...answers: ReturnType<Answering>[]): void {
  let next = 0
  receiver.answers = () => answers[Math.min(next++, answers.length - 1)]
}

/** Number of pending requests; the clock does not advance meanwhile. */
let asking = 0

/** Advances the clock in steps until `isDone`, but not during a request. Returns the elapsed milliseconds. */
async function untilTime(isDone: () => boolean, isPassing = () => asking === 0): Promise<number> {
  const from = clock.now()
  await eventually(async () => {
    if (!isDone() && isPassing()) await clock.advance(100)
    return isDone()
  })
  return clock.now() - from
}

const sent = (): number[] => receiver.requests.map(({ spans: ofOne }) => ofOne.length)

describe('an exporter', () => {
  it('sends many spans in requests of limited size, each once', async () => {
    exporter.add(spans(450))
    await exporter.close()
    expect(sent()).toEqual([200, 200, 50])
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(450)
    expect(troubles).toEqual([])
  })

  it.each([429, 502, 503, 504])('retries after status %i, without a warning', async (status) => {
    answering({ status }, { status }, {})
    exporter.add(spans(3))
    await untilTime(() => receiver.requests.length === 3)
    await exporter.close()
    expect(sent()).toEqual([3, 3, 3])
    expect(troubles).toEqual([])
  })

  it.each([
    [400, 'it answered with status 400'],
    [401, 'it answered with status 401'],
    [413, 'it answered with status 413'],
    [500, 'it answered with status 500'],
  ])(
    'does not retry after status %i, and reports the number of dropped spans, with the host only',
    async (status, why) => {
      answering({ status, body: 'You sent Basic abc' }, {})
      exporter.add(spans(201))
      await exporter.close()
      expect(sent()).toEqual([200, 1])
      expect(troubles).toEqual([expect.stringContaining(`Tracing: 200 spans did not reach ${receiver.host}: ${why}.`)])
      expect(troubles.join()).not.toMatch(/secret-path|Basic/)
    },
  )

  it('gives up in the end, and drops all queued spans', async () => {
    answering({ status: 503 })
    exporter.add(spans(2))
    await untilTime(() => troubles.length === 1)
    expect(sent()).toEqual([2, 2, 2])
    expect(troubles[0]).toContain('2 spans did not reach')
    // Later spans are tried again.
    receiver.answers = () => ({})
    exporter.add(spans(1))
    await exporter.close()
    expect(sent().at(-1)).toBe(1)
    expect(troubles).toHaveLength(1)
  })

  it('tests a receiver with an empty request', async () => {
    expect(await exporter.check()).toEqual({ kind: 'otlp', host: receiver.host })
    answering({ status: 404 })
    expect(await exporter.check()).toMatchObject({ problem: 'it answered with status 404' })
  })

  it('ends with the program, although the receiver never answers', async () => {
    receiver.answers = () => undefined
    exporter.add(spans(450))
    const closing = exporter.close()
    const passed = await untilTime(
      () => troubles.length > 0,
      () => true,
    )
    await closing
    expect(passed).toBeLessThanOrEqual(5_000)
    expect(troubles).toEqual([expect.stringContaining('450 spans did not reach')])
  })

  it('tries once more at the end when nothing listens', async () => {
    await receiver.close()
    exporter.add(spans(450))
    const before = clock.now()
    await exporter.close()
    expect(clock.now()).toBe(before)
    expect(troubles).toEqual([expect.stringMatching(/450 spans did not reach .*: nothing listens there\./)])
    receiver = await startOtlpReceiver()
  })

  it('reaches only the operator’s host', async () => {
    exporter = open(undefined, ['other.example'])
    exporter.add(spans(1))
    await exporter.close()
    expect(receiver.requests).toEqual([])
    expect(troubles).toHaveLength(1)
  })
})
