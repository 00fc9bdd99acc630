// Soak test: waits for receivers of traces that hang.
import { describe, expect, it } from 'vitest'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { expectWhole } from '../tracing/world.ts'
import { createCliWorld } from './support.ts'
import { openForAll, openForEach } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())
const receiver = openForEach(() => startOtlpReceiver())

const ASK = ['ask', 'How many customers are there?', '--db', 'sqlite:shop.sqlite']
const SECRET = 'header-secret-0001'
const tracing = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: `x-token=${SECRET}` })

describe('a command with a receiver of traces', () => {
  it('sends the run before it exits, with the same answer as without tracing', async () => {
    const alone = await world.run([...ASK, '--json'])
    const traced = await world.run([...ASK, '--json'], { env: tracing() })
    const shape = ({ out, code, err }: typeof alone) => {
      const passing = /"latencyMs": \d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|Run [0-9a-f]{8}|[\d.]+ m?s\b/g
      return { code, out: out.replace(passing, '…'), err: err.replace(passing, '…') }
    }
    expect(shape(traced)).toEqual(shape(alone))
    expectWhole(receiver.spans)
    expect(receiver.requests.map(({ path, headers }) => [path, headers['x-token']])).toEqual([['/v1/traces', SECRET]])
    expect(receiver.requests[0]!.body).not.toMatch(/customers|SELECT|header-secret/)
  })

  it('shows the host of the receiver in doctor, and whether it answers', async () => {
    const good = await world.run(['doctor'], { env: tracing() })
    expect(good.out).toMatch(/^ {2}otlp at 127\.0\.0\.1:\d+, without any content: answers$/m)
    expect(good.code).toBe(0)
    expect(receiver.requests.map(({ body }) => body)).toEqual(['{"resourceSpans":[]}'])
    receiver.answers = () => ({ status: 401 })
    const bad = await world.run(['doctor'], { env: tracing() })
    expect(bad.code).toBe(3)
    expect(bad.out).toContain(`Tracing: ${receiver.host} takes no traces: it answered with status 401.`)
    expect(good.out + bad.out).not.toContain(SECRET)
    expect((await world.run(['doctor'])).out).toContain('off; OTEL_EXPORTER_OTLP_ENDPOINT or the keys of Langfuse')
  })
})
