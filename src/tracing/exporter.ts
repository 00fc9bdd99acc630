import { sleep, type Clock } from '../shared/clock.ts'
import { TuttiError, toTuttiError } from '../domain/errors.ts'
import { omitUndefined } from '../shared/json.ts'
import { serverHost } from '../domain/server-url.ts'
import type { HttpClient } from '../http/client.ts'
import type { Receiver, TracingConfig } from './config.ts'
import { otlpOf, type OtlpTraces } from './otlp.ts'
import type { Span } from './span.ts'

/** Spans per request. With content they are long, and receivers accept a few megabytes. */
const BATCH = 200
/** Delays between attempts to send the same spans, which are dropped after the last. */
const WAITS_MS = [1_000, 5_000]
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
  readonly onError: (error: TuttiError) => void
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
  readonly retryable?: boolean
}

/** Sends spans to a receiver in the background. Adding spans neither waits nor fails. */
export class Exporter {
  private readonly receiver: Receiver
  private readonly config: TracingConfig
  private readonly deps: ExporterDeps
  private readonly closing = new AbortController()
  private readonly limit = new AbortController()
  private waiting: Span[] = []
  private sending: Promise<void> | undefined

  constructor(receiver: Receiver, config: TracingConfig, deps: ExporterDeps) {
    this.receiver = receiver
    this.config = config
    this.deps = deps
  }

  add(spans: readonly Span[]): void {
    this.waiting.push(...spans)
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
      const batch = this.waiting.splice(0, BATCH)
      const refused = await this.send(otlpOf(batch, { ...this.config, kind: this.receiver.kind }))
      if (refused === undefined) continue
      // For a receiver that is unavailable nothing is queued.
      const rest = refused.retryable === true ? this.waiting.splice(0) : []
      this.drop(batch.length + rest.length, refused.why)
    }
  }

  /** Returns why the spans were refused after the last attempt. */
  private async send(traces: OtlpTraces): Promise<Refusal | undefined> {
    for (const wait of [...WAITS_MS, undefined]) {
      const isLast = wait === undefined || this.closing.signal.aborted
      const refused = await this.post(traces)
      if (isLast || refused?.retryable !== true) return refused
      // Closing cuts the delay short and makes a last attempt immediately.
      await sleep(this.deps.clock, wait, this.closing.signal).catch(() => undefined)
    }
    return undefined
  }

  /** Reports only the status of the response, not its text. */
  private async post(traces: OtlpTraces): Promise<Refusal | undefined> {
    const { url, headers = {} } = this.receiver
    try {
      const { status } = await this.deps.http.request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(traces),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal: this.limit.signal,
      })
      const isAccepted = status >= 200 && status <= 299
      return isAccepted ? undefined : { why: `it answered with status ${status}`, retryable: RETRYABLE.has(status) }
    } catch (thrown) {
      if (this.limit.signal.aborted) return { why: 'there was no response before the program ended', retryable: true }
      const { message, retryable } = toTuttiError(thrown)
      // The path of the URL may contain a credential.
      return { why: message.replace(/^POST \S+ (?:failed: )?|\.$/g, ''), retryable }
    }
  }

  private drop(count: number, why: string): void {
    const spans = count === 1 ? '1 span' : `${count} spans`
    const message = `Tracing: ${spans} did not reach ${serverHost(this.receiver.url)}: ${why}. The runs are whole.`
    this.deps.onError(new TuttiError('HttpRequestError', message))
  }
}
