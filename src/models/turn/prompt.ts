import { createHash } from 'node:crypto'
import { TuttiError } from '../../core/errors.ts'
import type { AssistantMessage, ToolResultPart, TranscriptMessage, TurnRequest } from '../../core/turn.ts'
import { CACHE_MARK } from '../cache-marks.ts'
import type { ProviderKind } from '../config.ts'
import type { Prompt } from '../provider.ts'

type Message = Prompt[number]
type Content<R extends Message['role']> = Extract<Message, { role: R }>['content']

export interface PromptTarget {
  /** `provider:model`; a message that it wrote gets its provider metadata back. */
  readonly ref: string
  readonly kind: ProviderKind
  /** The server refused reasoning that it had returned. */
  readonly withoutReasoning: boolean
}

/**
 * The transcript as the AI SDK takes it. A message is converted by itself, so that the prompt of a turn begins with that of
 * the turn before.
 * @throws TuttiError `Internal` unless each tool call has exactly one result, in call order, in the message after it
 */
export function turnPrompt({ head, messages }: TurnRequest, instructions: string, target: PromptTarget): Prompt {
  const all = [...head.messages, ...messages]
  assertPaired(all)
  const system: Message[] = instructions === '' ? [] : [{ role: 'system', content: instructions }]
  const sent = [...system, ...all.map((message) => sentMessage(message, target))]
  if (target.kind !== 'anthropic') return sent
  const marks = new Set([system.length - 1, system.length + head.messages.length - 1, sent.length - 1])
  return sent.map((message, at) => (marks.has(at) ? { ...message, ...CACHE_MARK } : message))
}

/** @throws TuttiError `Internal` */
function assertPaired(messages: readonly TranscriptMessage[]): void {
  let calls: readonly string[] = []
  for (const [at, message] of messages.entries()) {
    const results = message.role === 'tool' ? message.parts.map(({ id }) => id) : []
    if (results.length !== calls.length || results.some((id, i) => id !== calls[i])) {
      const expected = calls.length === 0 ? 'none' : calls.join(', ')
      throw new TuttiError(
        'Internal',
        `Message ${at} of the transcript has results for [${results.join(', ')}]; expected: ${expected}.`,
      )
    }
    calls = message.role === 'assistant' ? callIds(message) : []
  }
  if (calls.length > 0) {
    throw new TuttiError('Internal', `The transcript ends without results for the calls ${calls.join(', ')}.`)
  }
}

function callIds({ parts }: AssistantMessage): string[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
}

function sentMessage(message: TranscriptMessage, target: PromptTarget): Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.parts.map((part) => (part.type === 'text' ? text(part.text) : file(part))),
      }
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, target) }
    case 'tool':
      return { role: 'tool', content: message.parts.map(toolResult) }
  }
}

function assistantContent({ parts, model }: AssistantMessage, target: PromptTarget): Content<'assistant'> {
  const isOwn = model === target.ref && !target.withoutReasoning
  return parts.flatMap((part): Content<'assistant'> => {
    const own = isOwn && part.providerMetadata !== undefined ? { providerOptions: providerOptions(part) } : {}
    switch (part.type) {
      case 'text':
        return isOwn || part.text !== '' ? [{ ...text(part.text), ...own }] : []
      case 'reasoning':
        return isOwn ? [{ type: 'reasoning', text: part.text, ...own }] : []
      case 'file':
        return [{ ...file(part), ...own }]
      case 'tool-call': {
        const { id, name, input } = part
        return [{ type: 'tool-call', toolCallId: wireId(id), toolName: wireName(name), input, ...own }]
      }
    }
  })
}

function providerOptions({ providerMetadata }: AssistantMessage['parts'][number]) {
  return providerMetadata as NonNullable<Message['providerOptions']>
}

function toolResult({ id, name, text, isError }: ToolResultPart): Content<'tool'>[number] {
  const output = { type: isError === true ? ('error-text' as const) : ('text' as const), value: text }
  return { type: 'tool-result', toolCallId: wireId(id), toolName: wireName(name), output }
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function file({ mediaType, data, filename }: { mediaType: string; data: string; filename?: string }) {
  const name = filename === undefined ? {} : { filename }
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data }, ...name }
}

/** Anthropic takes these characters alone, in ids as in names; an id or a name that a model wrote may hold others. */
const WIRE_NAME = /^[a-zA-Z0-9_-]{1,64}$/

function wireId(id: string): string {
  return WIRE_NAME.test(id) ? id : callId(id)
}

function wireName(name: string): string {
  return WIRE_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}

/** An id of nine letters and digits, the one form that all providers take, Mistral among them. */
export function callId(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 9)
}
