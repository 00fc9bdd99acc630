/** One event, as a browser's EventSource emits it. */
export interface SseEvent {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** Reads the events of a response by the HTML standard: blocks between empty lines, `field: value` lines. */
export async function* eventsIn(response: Response): AsyncGenerator<SseEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes as Uint8Array, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      if (fields['data'] === undefined) continue
      yield { id: fields['id'] ?? '', event: fields['event'] ?? 'message', data: JSON.parse(fields['data']) }
    }
  }
}
