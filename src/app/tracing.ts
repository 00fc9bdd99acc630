import { toTuttiError } from '../domain/errors.ts'
import type { RunEvent, RunId } from '../domain/events.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Engine } from '../engine/engine.ts'
import { maskLog } from '../engine/log/masking.ts'
import { createHttpClient } from '../http/client.ts'
import { Exporter, type ReceiverState } from '../tracing/exporter.ts'
import { traceIdOf, type Span } from '../tracing/span.ts'
import { spansOf } from '../tracing/spans.ts'
import type { Settings } from './check-options.ts'
import { serverPolicy } from './network.ts'

/** Traces of runs for other tools. Each run is sent once, when it is over, by the process that finished it. */
export type Tracing = Pick<ReturnType<typeof openTracing>, 'content' | 'check'>

/** @param secrets of this installation, which traces must not contain */
export function openTracing(options: Settings, secrets: readonly string[], engine: Pick<Engine, 'events'>) {
  const { tracing = { receivers: [] }, clock, onError } = options
  const { receivers, content = false } = tracing
  const exporters = receivers.map((receiver) => {
    const http = createHttpClient(serverPolicy(options, receiver.url), { clock })
    return new Exporter(receiver, tracing, { http, clock, onError })
  })
  /** Runs are processed one after the other, because a log is large compared with its spans. */
  let reading: Promise<void> = Promise.resolve()
  const spans = async (runId: RunId): Promise<Span[]> => {
    const log = await engine.events(runId)
    const root = await rootOf(engine, log)
    const [shown] = maskLog([root], secrets) as Started[]
    const { conversationId } = shown!.request
    const events = maskLog(log, secrets)
    return spansOf({ events, traceId: traceIdOf(root), ...omitUndefined({ conversationId }) }, content)
  }
  const send = async (runId: RunId): Promise<void> => {
    const runSpans = await spans(runId)
    for (const exporter of exporters) exporter.add(runSpans)
  }
  return {
    /** Whether traces contain questions, answers and other texts. */
    content,
    /** Tests each receiver with an empty request. Without receivers, nothing is sent. */
    check: (): Promise<readonly ReceiverState[]> => Promise.all(exporters.map((exporter) => exporter.check())),
    /** Sends a run in the background. */
    onOver(runId: RunId): void {
      if (exporters.length === 0) return
      reading = reading.then(() => send(runId)).catch((thrown: unknown) => onError(toTuttiError(thrown)))
    },
    async close(): Promise<void> {
      await reading
      await Promise.all(exporters.map((exporter) => exporter.close()))
    },
  }
}

type Started = Extract<RunEvent, { type: 'run.started' }>

/** The start of the run that this one, or one above it, was started by. */
async function rootOf(engine: Pick<Engine, 'events'>, [first]: readonly RunEvent[]): Promise<Started> {
  const started = first as Started
  return started.parent === undefined ? started : rootOf(engine, await engine.events(started.parent.runId))
}
