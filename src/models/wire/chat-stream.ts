import { isObject, tryParseJson } from '../../shared/json.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Normalizes a reply of chat completions for the AI SDK: as a stream of events, even if the server sent plain JSON;
 * with fields that servers omit; and with a finish reason if a complete stream (`[DONE]`) had none.
 */
export function normalizedChat(response: Response): Response {
  if (!response.ok || response.body === null) return response
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.set('content-type', 'text/event-stream')
  headers.delete('content-length')
  return new Response(response.body.pipeThrough(chatEvents()), { status, statusText, headers })
}

function chatEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  let hasFinished = false
  /** The whole body, once its beginning shows that it is JSON. */
  let json: string | undefined
  let isBeginning = true

  function eventOf(data: string): string {
    if (data.trim() === '[DONE]') {
      const missing = hasFinished ? '' : event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      hasFinished = true
      return `${missing}data: [DONE]\n\n`
    }
    const chunk = tryParseJson(data)
    if (!isObject(chunk) || 'error' in chunk) return `data: ${data}\n\n`
    const normalized = { ...chunk, choices: list(chunk['choices']).map(choiceOf) }
    hasFinished ||= normalized.choices.some((choice) => choice['finish_reason'] !== null)
    return event(normalized)
  }

  return new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const text = decoder.decode(bytes, { stream: true })
      if (json !== undefined) {
        json += text
        return
      }
      rest += text
      if (isBeginning && rest.trim() !== '') {
        isBeginning = false
        if (rest.trimStart().startsWith('{')) {
          json = rest
          return
        }
      }
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const data = /^data: ?(.*)$/s.exec(line)?.[1]
        if (data !== undefined) controller.enqueue(encoder.encode(eventOf(data)))
        // A comment is a sign of life; the SDK passes none on, an event without choices it does.
        else if (line.startsWith(':')) controller.enqueue(encoder.encode(event({ choices: [] })))
      }
    },
    flush(controller) {
      // Line breaks in JSON are between values; within an event they would end the data.
      if (json !== undefined)
        controller.enqueue(encoder.encode(eventOf(json.replace(/[\r\n]+/g, ' ')) + eventOf('[DONE]')))
      else if (rest.startsWith('data:')) controller.enqueue(encoder.encode(eventOf(rest.slice('data:'.length))))
    },
  })
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function choiceOf(given: unknown): Record<string, unknown> {
  const choice = isObject(given) ? given : {}
  const delta = choice['delta'] ?? choice['message'] ?? {}
  return {
    index: 0,
    ...choice,
    delta: isObject(delta) ? deltaOf(delta) : {},
    finish_reason: choice['finish_reason'] || null,
  }
}

function deltaOf({ role: _role, content, tool_calls: calls, ...delta }: Fields): Fields {
  return {
    ...delta,
    ...(content === undefined ? {} : { content: contentOf(content) }),
    ...(isObject(calls) || Array.isArray(calls) ? { tool_calls: list(calls).map(callOf) } : {}),
  }
}

function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => (typeof part === 'string' ? { type: 'text', text: part } : part))
}

function callOf(given: unknown): Fields {
  const call = isObject(given) ? given : {}
  const definition = isObject(call['function']) ? call['function'] : {}
  const args = definition['arguments']
  const encoded = isObject(args) ? { arguments: JSON.stringify(args) } : {}
  return { ...call, function: { ...definition, ...encoded } }
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? [value] : []
}
