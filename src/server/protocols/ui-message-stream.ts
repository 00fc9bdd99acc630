import type { UIMessage, UIMessageChunk } from 'ai'
import type { Citation } from '../../domain/answer.ts'
import { isOver, type RunState } from '../../domain/state.ts'
import type { RunStatus } from '../../domain/store.ts'
import type { UsageTotals } from '../../domain/usage.ts'
import type { LiveItem } from '../../engine/readers/live.ts'
import { RunParts, RunReader, type RunData, type TextChange } from './run-parts.ts'

/** Metadata of a message. */
export interface RunMetadata {
  readonly runId: string
  readonly status: RunStatus
  readonly conversationId?: string
  /** Present when the run has ended. */
  readonly usage?: UsageTotals
}

/**
 * The message that `useChat` builds from a run: text, sources, and `data-plan`, `data-task`, `data-approval`,
 * `data-table`, `data-outcome`.
 */
export type TuttiUIMessage = UIMessage<RunMetadata, RunData>
type Chunk = UIMessageChunk<RunMetadata, RunData>

/** Streams a run as the AI SDK's UI message stream. An answer that starts over replaces the previous text. */
export async function* uiMessageChunks(items: AsyncIterable<LiveItem>): AsyncGenerator<Chunk> {
  const reader = new RunReader()
  const parts = new RunParts()
  const text = new TextChunks()
  for await (const item of items) {
    const change = reader.take(item)
    const { state } = reader
    if (item.type === 'run.started') yield { type: 'start', messageId: state.runId, messageMetadata: metadataOf(state) }
    if (change !== undefined) yield* text.of(change)
    if (item.type === 'live.text') continue
    for (const { kind, id, data } of parts.of(item, state)) {
      if (kind === 'citation') yield sourceChunk(data)
      else yield text.keepChunk({ type: `data-${kind}`, id, data } as Chunk)
    }
    if (!isOver(state)) continue
    yield* text.end()
    if (state.error !== undefined) yield { type: 'error', errorText: state.error.message }
    if (state.status === 'cancelled') yield { type: 'abort', reason: 'The run was cancelled.' }
    yield { type: 'finish', finishReason: finishReasonOf(state), messageMetadata: metadataOf(state) }
  }
}

/** Text chunks of the answer, in a step of its own: clients can only discard whole steps. */
class TextChunks {
  private id = 0
  /** Other chunks of the same step, which must be kept when the text is discarded. */
  private readonly beside: Chunk[] = [];

  *of({ isReplaced, text }: TextChange): Generator<Chunk> {
    const isFirst = this.id === 0
    if (isFirst) yield { type: 'start-step' }
    else if (isReplaced) yield* [{ type: 'reset-step' } as const, ...this.beside]
    if (isFirst || isReplaced) yield { type: 'text-start', id: `answer-${++this.id}` }
    yield { type: 'text-delta', id: `answer-${this.id}`, delta: text }
  }

  keepChunk(chunk: Chunk): Chunk {
    if (this.id > 0) this.beside.push(chunk)
    return chunk
  }

  *end(): Generator<Chunk> {
    if (this.id === 0) return
    yield { type: 'text-end', id: `answer-${this.id}` }
    yield { type: 'finish-step' }
  }
}

function metadataOf(state: RunState): RunMetadata {
  const { runId, status, request, usage } = state
  return {
    runId,
    status,
    ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
    ...(isOver(state) ? { usage } : {}),
  }
}

function finishReasonOf({ status, exhausted }: RunState) {
  if (status !== 'finished') return 'error'
  return exhausted === undefined ? 'stop' : 'length'
}

/** The ID is the number of the citation mark. */
function sourceChunk({ n, source }: Citation): Chunk {
  const { name: title, url, kind, detail, excerpt, passage } = source
  const tutti = JSON.parse(JSON.stringify({ kind, detail, excerpt, passage }))
  const common = { sourceId: `${n}`, title, providerMetadata: { tutti } }
  if (url !== undefined) return { type: 'source-url', ...common, url }
  return { type: 'source-document', ...common, mediaType: 'text/plain', filename: title }
}
