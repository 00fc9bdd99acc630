import type { ChatCompletion, ChatCompletionChunk, ChatCompletionMessage } from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'
import { isTerminal } from '../../../domain/events.ts'
import type { LiveItem } from '../../../engine/readers/live.ts'
import type { RunState } from '../../../domain/state.ts'
import { ForwardText, urlOf, wholeText, finishReason } from './forward-text.ts'

export interface ChatOptions {
  /** As the client named it. */
  readonly model: string
  /** Whether a last chunk contains the usage. */
  readonly includeUsage?: boolean
}

/** Deltas with the annotations that OpenAI's search models add. */
type Delta = ChatCompletionChunk.Choice.Delta & Pick<ChatCompletionMessage, 'annotations'>

/** Streams a run as chunks of a chat completion. @throws TuttiError if the run fails or is cancelled */
export async function* chatChunks(
  items: AsyncIterable<LiveItem>,
  { model, includeUsage = false }: ChatOptions,
): AsyncGenerator<ChatCompletionChunk> {
  const text = new ForwardText()
  const chunk = (choices: ChatCompletionChunk.Choice[], usage: CompletionUsage | null = null): ChatCompletionChunk => ({
    ...headOf(text.state, model),
    object: 'chat.completion.chunk',
    choices,
    ...(includeUsage ? { usage } : {}),
  })
  const choice = (delta: Delta, finish_reason: ChatCompletionChunk.Choice['finish_reason'] = null) =>
    chunk([{ index: 0, delta, finish_reason, logprobs: null }])
  let isFirst = true
  for await (const item of items) {
    const content = text.take(item)
    if (isFirst) yield choice({ role: 'assistant', content: '', refusal: null })
    isFirst = false
    if (content !== '') yield choice({ content })
    if (item.type === 'live.text' || !isTerminal(item.type)) continue
    const reason = finishReason(text.state)
    const annotations = annotationsOf(text)
    if (annotations.length > 0) yield choice({ annotations })
    yield choice({}, reason)
    if (includeUsage) yield chunk([], usageOf(text.state))
  }
}

/** Returns a run as one chat completion. @throws TuttiError as `chatChunks` */
export async function chatCompletion(items: AsyncIterable<LiveItem>, { model }: ChatOptions): Promise<ChatCompletion> {
  const text = await wholeText(items)
  const finish_reason = finishReason(text.state)
  const annotations = annotationsOf(text)
  return {
    ...headOf(text.state, model),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text.text, refusal: null, annotations },
        finish_reason,
        logprobs: null,
      },
    ],
    usage: usageOf(text.state),
  }
}

function headOf({ runId, startedAt }: RunState, model: string) {
  return { id: `chatcmpl-${runId}`, created: Math.floor(Date.parse(startedAt) / 1000), model }
}

function annotationsOf(text: ForwardText): ChatCompletionMessage.Annotation[] {
  return text.marks.map((mark) => ({
    type: 'url_citation',
    url_citation: { start_index: mark.start, end_index: mark.end, title: mark.source.name, url: urlOf(text, mark) },
  }))
}

function usageOf({ usage }: RunState): CompletionUsage {
  const { inputTokens, outputTokens, cachedInputTokens } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
  }
}
