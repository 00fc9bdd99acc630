import { sleep, type Clock } from '../shared/clock.ts'
import { TuttiError, toTuttiError } from '../domain/errors.ts'
import { omitUndefined, tryParseJson } from '../shared/json.ts'
import { retryAfterMs } from '../shared/retry-after.ts'
import { serverHost } from '../domain/server-url.ts'
import type { HttpClient, HttpResponse } from '../http/client.ts'
import { mediaTypeOf, bodyText } from '../http/body.ts'
import type { Receiver, TracingConfig } from './config.ts'
import { otlpOf, type OtlpTraces } from './otlp.ts'
import type { Span } from './span.ts'

/** Spans per request. With content they are long, and receivers accept a few megabytes. */
const BATCH = 200
/** Maximum of queued spans, reached only while the receiver is unavailable. */
const MAX_QUEUED_SPANS = 20_000
/** The same limit in characters: with content a span may have tens of thousands. */
const MAX_QUEUED_CHARS = 32_000_000
/** Delays between attempts to send the same spans, which are dropped after the last. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000]
const MAX_WAIT_MS = 60_000
const TIMEOUT_MS = 10_000
/** How long the end of the program waits for the last spans. */
const FLUSH_MS = 5_000
const MAX_ANSWER_BYTES = 100_000
/** As specified by OTLP; other statuses are permanent. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

export interface ExporterDeps {
  readonly http: HttpClient
  readonly clock: Clock
  /** Called with the number of dropped spans and the reason. */
  readonly onTrouble: (error: TuttiError) => void
}

/** A receiver of traces, without credentials. */
export interface ReceiverState {
  readonly kind: Receiver['kind']
  readonly host: string
  /** Why it does not accept traces. */
  readonly problem?: string
}

interface Refusal {
  readonly why: string
  /** Number of refused spans; all if absent. */
  readonly count?: number
  readonly retryable?: boolean
  /** Delay that the receiver asks for. */
  readonly waitMs?: number
}

/** Sends spans to a receiver in the background. Adding spans neither waits nor fails. */
export class Exporter {
  private readonly receiver: Receiver
  private readonly config: TracingConfig
  private readonly deps: ExporterDeps
  private readonly closing = new AbortController()
  private readonly limit = new AbortController()
  private waiting: { readonly span: Span; readonly size: number }[] = []
  private characters = 0
  private sending: Promise<void> | undefined

  constructor(receiver: Receiver, config: TracingConfig, deps: ExporterDeps) {
    this.receiver = receiver
    this.config = config
    this.deps = deps
  }

  add(spans: readonly Span[]): void {
    let dropped = 0
    for (const span of spans) {
      const size = JSON.stringify(span).length
      if (this.waiting.length >= MAX_QUEUED_SPANS || this.characters + size > MAX_QUEUED_CHARS) dropped++
      else {
        this.waiting.push({ span, size })
        this.characters += size
      }
    }
    if (dropped > 0) this.drop(dropped, 'too many wait for it')
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined))
  }

  /** Sends a request without spans, the usual way to test an OTLP receiver. */
  async check(): Promise<ReceiverState> {
    const refused = await this.post({ resourceSpans: [] })
    return {
      kind: this.receiver.kind,
      host: serverHost(this.receiver.url),
      ...omitUndefined({ problem: refused?.why }),
    }
  }

  /** Sends the queued spans, with one attempt per request and within a time limit; the rest is dropped. */
  async close(): Promise<void> {
    this.closing.abort()
    const cancel = this.deps.clock.timer(FLUSH_MS, () => this.limit.abort())
    await this.sending
    cancel()
    await this.deps.http.close()
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.take(BATCH)
      const refused = await this.send(otlpOf(batch, { ...this.config, kind: this.receiver.kind }))
      if (refused === undefined) continue
      // While closing, the first failure drops the whole queue, so that the end of the program waits for one timeout
      // only.
      const rest = this.closing.signal.aborted && refused.retryable === true ? this.take(this.waiting.length).length : 0
      this.drop(Math.min(refused.count ?? batch.length, batch.length) + rest, refused.why)
    }
  }

  private take(count: number): Span[] {
    const batch = this.waiting.splice(0, count)
    for (const { size } of batch) this.characters -= size
    return batch.map(({ span }) => span)
  }

  /** Returns why the spans were refused after the last attempt. */
  private async send(traces: OtlpTraces): Promise<Refusal | undefined> {
    for (const wait of [...WAITS_MS, undefined]) {
      const isLast = wait === undefined || this.closing.signal.aborted
      const refused = await this.post(traces)
      if (isLast || refused?.retryable !== true) return refused
      // Closing cuts the delay short and makes a last attempt immediately.
      const waitMs = Math.min(MAX_WAIT_MS, refused.waitMs ?? wait)
      await sleep(this.deps.clock, waitMs, this.closing.signal).catch(() => undefined)
    }
    return undefined
  }

  /** Reports only the status of the response, not its text. */
  private async post(traces: OtlpTraces): Promise<Refusal | undefined> {
    const { url, headers = {}, timeoutMs = TIMEOUT_MS } = this.receiver
    try {
      const response = await this.deps.http.request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(traces),
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        signal: this.limit.signal,
      })
      return refusalOf(response, url, this.deps.clock.now())
    } catch (thrown) {
      if (this.limit.signal.aborted) return { why: 'there was no response before the program ended', retryable: true }
      const { message, retryable } = toTuttiError(thrown)
      // The path of the URL may contain a credential.
      return { why: message.replace(/^POST \S+ (?:failed: )?|\.$/g, ''), retryable }
    }
  }

  private drop(count: number, why: string): void {
    const spans = count === 1 ? '1 span' : `${count} spans`
    const message = `Tracing: ${spans} did not reach ${serverHost(this.receiver.url)}: ${why}. The runs are whole; "tutti trace export" gives their traces.`
    this.deps.onTrouble(new TuttiError('HttpRequestError', message))
  }
}

function refusalOf(response: HttpResponse, url: string, nowMs: number): Refusal | undefined {
  const { status, headers } = response
  if (status < 200 || status > 299) {
    const waitMs = retryAfterMs(headers, nowMs)
    return { why: `it answered with status ${status}`, retryable: RETRYABLE.has(status), ...omitUndefined({ waitMs }) }
  }
  // An HTML page, or a redirect, which a POST does not follow.
  if (mediaTypeOf(response) === 'text/html' || response.url !== new URL(url).href) {
    return { why: 'no receiver of traces is at this address' }
  }
  const answer = tryParseJson(bodyText(response)) as { partialSuccess?: { rejectedSpans?: unknown } } | undefined
  const count = Number(answer?.partialSuccess?.rejectedSpans ?? 0)
  return count > 0 ? { why: 'it did not accept them', count } : undefined
}
