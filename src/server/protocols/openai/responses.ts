import type {
  Response,
  ResponseError,
  ResponseOutputMessage,
  ResponseOutputText,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses'
import { errorInfo } from '../../../domain/errors.ts'
import { isTerminal } from '../../../domain/events.ts'
import type { RunState } from '../../../domain/state.ts'
import type { LiveItem } from '../../../engine/readers/live.ts'
import { ForwardText, urlOf, wholeText, finishReason } from './forward-text.ts'

/** Fields of the request that the response repeats. */
export interface ResponseOptions {
  /** As the client named it. */
  readonly model: string
  readonly instructions?: string
  readonly previousResponseId?: string
}

type Annotation = ResponseOutputText.FileCitation | ResponseOutputText.URLCitation
/** Distributes `Omit` over a union, of which it would otherwise keep only the common fields. */
type Numberless<E> = E extends { sequence_number: number } ? Omit<E, 'sequence_number'> : never

/** Streams a run as events of a response; the last event has the final status. */
export async function* responseEvents(
  items: AsyncIterable<LiveItem>,
  options: ResponseOptions,
): AsyncGenerator<ResponseStreamEvent> {
  let sequence = 0
  for await (const event of unnumbered(items, options)) {
    yield { ...event, sequence_number: sequence++ } as ResponseStreamEvent
  }
}

async function* unnumbered(
  items: AsyncIterable<LiveItem>,
  options: ResponseOptions,
): AsyncGenerator<Numberless<ResponseStreamEvent>> {
  const text = new ForwardText()
  let place: { item_id: string; output_index: 0; content_index: 0 } | undefined
  for await (const item of items) {
    const delta = text.take(item)
    if (item.type === 'run.started') {
      yield { type: 'response.created', response: responseOf(text, options) }
      yield { type: 'response.in_progress', response: responseOf(text, options) }
    }
    if (delta !== '' && place === undefined) {
      const message = messageOf(text, 'in_progress')
      place = { item_id: message.id, output_index: 0, content_index: 0 }
      yield { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } }
      yield { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } }
    }
    if (delta !== '' && place !== undefined) yield { type: 'response.output_text.delta', ...place, delta, logprobs: [] }
    if (item.type === 'live.text' || !isTerminal(item.type)) continue
    const response = responseOf(text, options)
    const [message] = response.output as ResponseOutputMessage[]
    if (place !== undefined && message !== undefined) {
      const [part] = message.content as [ResponseOutputText]
      for (const [i, annotation] of part.annotations.entries()) {
        yield { type: 'response.output_text.annotation.added', ...place, annotation, annotation_index: i }
      }
      yield { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] }
      yield { type: 'response.content_part.done', ...place, part }
      yield { type: 'response.output_item.done', output_index: 0, item: message }
    }
    if (response.status === 'completed') yield { type: 'response.completed', response }
    else if (response.status === 'incomplete') yield { type: 'response.incomplete', response }
    else yield { type: 'response.failed', response }
  }
}

/** Returns a run as one response, with its final status. */
export async function wholeResponse(items: AsyncIterable<LiveItem>, options: ResponseOptions): Promise<Response> {
  return responseOf(await wholeText(items), options)
}

/** ID of the response of a run; `runOf` parses it. */
function responseId(runId: string): string {
  return `resp_${runId}`
}

export function runOf(id: string): string {
  return id.replace(/^resp_/, '')
}

function responseOf(text: ForwardText, { model, instructions, previousResponseId }: ResponseOptions): Response {
  const { state } = text
  const end = endIn(state)
  return {
    id: responseId(state.runId),
    object: 'response',
    created_at: seconds(state.startedAt),
    ...(state.endedAt === undefined ? {} : { completed_at: seconds(state.endedAt) }),
    ...end,
    model,
    output: text.text === '' ? [] : [messageOf(text, end.status === 'failed' ? 'incomplete' : end.status)],
    output_text: text.text,
    instructions: instructions ?? null,
    previous_response_id: previousResponseId ?? null,
    conversation: state.request.conversationId === undefined ? null : { id: state.request.conversationId },
    metadata: {},
    access_programs: null,
    // Client tools are never called.
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    temperature: null,
    top_p: null,
    ...(end.status === 'in_progress' ? {} : { usage: usageOf(state) }),
  }
}

type End = Pick<Response, 'error' | 'incomplete_details'> & {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
}

function endIn(state: RunState): End {
  const none = { error: null, incomplete_details: null }
  if (state.status === 'running' || state.status === 'waiting') return { ...none, status: 'in_progress' }
  try {
    if (finishReason(state) === 'stop') return { ...none, status: 'completed' }
    return { ...none, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  } catch (thrown) {
    const { type, message } = errorInfo(thrown)
    const code: ResponseError['code'] = type === 'BudgetExceeded' ? 'rate_limit_exceeded' : 'server_error'
    return { ...none, status: 'failed', error: { code, message: `${type}: ${message}` } }
  }
}

function messageOf(text: ForwardText, status: ResponseOutputMessage['status']): ResponseOutputMessage {
  const annotations = text.marks.map((mark): Annotation => {
    const { source, start, end } = mark
    const { passage } = source
    return source.url === undefined && passage !== undefined
      ? { type: 'file_citation', file_id: passage.documentId, filename: source.name, index: end }
      : { type: 'url_citation', start_index: start, end_index: end, title: source.name, url: urlOf(text, mark) }
  })
  const content: ResponseOutputText[] = [{ type: 'output_text', text: text.text, annotations }]
  return { id: `msg_${text.state.runId}`, type: 'message', role: 'assistant', status, content }
}

function usageOf({ usage }: RunState): ResponseUsage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}

function seconds(at: string): number {
  return Math.floor(Date.parse(at) / 1000)
}
