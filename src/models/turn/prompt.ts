import { createHash } from 'node:crypto'
import { TuttiError } from '../../domain/errors.ts'
import type { AssistantMessage, ToolResultPart, TranscriptMessage, TurnRequest } from '../../domain/turn.ts'
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
 * The transcript as the AI SDK takes it. A message is converted on its own, so that the prompt of a turn begins with that of
 * the turn before.
 * @throws TuttiError `Internal` unless each tool call has exactly one result, in call order, in the message after it
 */
export function turnPrompt({ head, messages }: TurnRequest, instructions: string, target: PromptTarget): Prompt {
  const all = [...head.messages, ...messages]
  assertPaired(all)
  const system: Message[] = instructions === '' ? [] : [{ role: 'system', content: instructions }]
  let author: string | undefined
  const sent = [
    ...system,
    ...all.map((message) => {
      if (message.role === 'assistant') author = message.model
      return sentMessage(message, target, author === target.ref)
    }),
  ]
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

/** @param isOwn the target wrote it, or, of results, their calls */
function sentMessage(message: TranscriptMessage, target: PromptTarget, isOwn: boolean): Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.parts.map((part) => (part.type === 'text' ? text(part.text) : file(part))),
      }
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, isOwn, isOwn && !target.withoutReasoning) }
    case 'tool':
      return { role: 'tool', content: message.parts.map((part) => toolResult(part, isOwn)) }
  }
}

function assistantContent({ parts }: AssistantMessage, isOwn: boolean, hasState: boolean): Content<'assistant'> {
  return parts.flatMap((part): Content<'assistant'> => {
    const state = hasState && part.providerMetadata !== undefined ? { providerOptions: providerOptions(part) } : {}
    switch (part.type) {
      case 'text':
        return hasState || part.text !== '' ? [{ ...text(part.text), ...state }] : []
      case 'reasoning':
        return hasState ? [{ type: 'reasoning', text: part.text, ...state }] : []
      case 'file':
        return isOwn ? [{ ...file(part), ...state }] : []
      case 'tool-call': {
        const { id, name, input } = part
        return [{ type: 'tool-call', toolCallId: wireId(id, isOwn), toolName: wireName(name), input, ...state }]
      }
    }
  })
}

function providerOptions({ providerMetadata }: AssistantMessage['parts'][number]) {
  return providerMetadata as NonNullable<Message['providerOptions']>
}

function toolResult({ id, name, text, isError }: ToolResultPart, isOwn: boolean): Content<'tool'>[number] {
  const output = { type: isError === true ? ('error-text' as const) : ('text' as const), value: text }
  return { type: 'tool-result', toolCallId: wireId(id, isOwn), toolName: wireName(name), output }
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function file({ mediaType, data, filename }: { mediaType: string; data: string; filename?: string }) {
  const name = filename === undefined ? {} : { filename }
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data }, ...name }
}

/** Ids of another provider are replaced: each accepts other characters and lengths. */
function wireId(id: string, isOwn: boolean): string {
  return isOwn ? id : callId(id)
}

/** The characters that all providers accept; a name invented by a model may contain others. */
const WIRE_NAME = /^[a-zA-Z0-9_-]{1,64}$/

function wireName(name: string): string {
  return WIRE_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}

/** An id of nine letters and digits, the format that all providers accept, including Mistral. */
export function callId(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 9)
}
