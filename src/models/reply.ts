import { isObject, tryParseJson } from '../shared/json.ts'
import {
  textOfMessage,
  type AssistantMessage,
  type FinishReason,
  type JsonValue,
  type ProviderMetadata,
  type ToolCallPart,
} from '../domain/turn.ts'
import type { StreamPart } from './provider.ts'
import { splitThinking, thinkingFilter } from './thinking.ts'

type Part = AssistantMessage['parts'][number]
type ToolCall = Extract<StreamPart, { type: 'tool-call' }>
type Finish = Extract<StreamPart, { type: 'finish' }>

/** The reply to one request, in the order in which the model wrote it. */
export interface Reply {
  readonly parts: readonly Part[]
  /** All text parts, joined. */
  readonly text: string
  /** `interrupted`: the stream ended without a finish reason. */
  readonly finishReason: FinishReason | 'interrupted'
  readonly usage: Finish['usage'] | undefined
  readonly error?: unknown
}

interface OpenPart {
  readonly type: 'text' | 'reasoning'
  text: string
  providerMetadata?: ProviderMetadata
}

/**
 * Collects the parts of a stream.
 * @param hasThinking the text may contain the model's thinking
 * @param onText receives the text of the answer as it arrives; an offset of 0 after other text means that it starts
 * over
 */
export function collectReply(hasThinking: boolean, onText: (text: string, offset: number) => void) {
  const parts: (Part | OpenPart)[] = []
  const open = new Map<string, OpenPart>()
  let filter = thinkingFilter()
  let shownLength = 0
  let hasCalls = false
  let finish: Finish | undefined
  let error: unknown

  function begin(type: OpenPart['type'], id: string): OpenPart {
    const part: OpenPart = { type, text: '' }
    open.set(`${type} ${id}`, part)
    parts.push(part)
    if (type === 'text') filter = thinkingFilter()
    return part
  }

  function show(delta: string): void {
    const added = hasThinking ? filter.add(delta) : { more: delta }
    if ('replaced' in added) return showAll(added.replaced)
    if (added.more !== '') onText(added.more, shownLength)
    shownLength += added.more.length
  }

  function showAll(text: string): void {
    onText(text, 0)
    shownLength = text.length
  }

  return {
    add(part: StreamPart): void {
      switch (part.type) {
        case 'error':
          error ??= part.error
          return
        case 'text-start':
        case 'reasoning-start':
          return annotate(begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id), metadataOf(part))
        case 'text-delta':
        case 'reasoning-delta': {
          if (error !== undefined) return
          const type = part.type === 'text-delta' ? 'text' : 'reasoning'
          const into = open.get(`${type} ${part.id}`) ?? begin(type, part.id)
          into.text += part.delta
          annotate(into, metadataOf(part))
          if (type === 'text') show(part.delta)
          return
        }
        case 'text-end':
        case 'reasoning-end': {
          const into = open.get(`${part.type === 'text-end' ? 'text' : 'reasoning'} ${part.id}`)
          if (into !== undefined) annotate(into, metadataOf(part))
          return
        }
        case 'tool-call':
          hasCalls = true
          parts.push(toolCall(part))
          return
        case 'file':
          if (part.data.type === 'data') parts.push(file(part.mediaType, part.data.data, metadataOf(part)))
          return
        case 'finish':
          finish = part
      }
    },
    end(): Reply {
      const finishReason = finishReasonOf(finish, hasCalls)
      const split = parts.flatMap((part) => (hasThinking ? withoutThinking(part) : [part]))
      const whole = split.filter((part) => !isEmptyText(part)).map((part) => checked(part, finishReason))
      const text = textOfMessage({ parts: whole })
      // A possible tag at the end can only be classified now.
      if (text.length !== shownLength) showAll(text)
      return { parts: whole, text, finishReason, usage: finish?.usage, ...(error === undefined ? {} : { error }) }
    },
  }
}

function withoutThinking(part: Part): Part[] {
  if (part.type !== 'text') return [part]
  const { reasoning, text } = splitThinking(part.text)
  return reasoning.trim() === ''
    ? [{ ...part, text }]
    : [
        { type: 'reasoning', text: reasoning },
        { ...part, text },
      ]
}

/** An empty part may still carry data that the provider expects back, such as a signature. */
function isEmptyText(part: Part): boolean {
  const isText = part.type === 'text' || part.type === 'reasoning'
  return isText && part.text === '' && part.providerMetadata === undefined
}

function finishReasonOf(finish: Finish | undefined, hasCalls: boolean) {
  const { unified, raw } = finish?.finishReason ?? { unified: 'interrupted', raw: undefined }
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      // Servers often finish with `stop` although there are calls, and a few the other way round.
      return hasCalls ? 'tool-calls' : 'stop'
    case 'length':
    case 'content-filter':
      return unified
    case 'other':
      // The server's own finish reason, such as `eos`; a missing or empty one does not count.
      return raw ? (hasCalls ? 'tool-calls' : 'stop') : 'interrupted'
    default:
      return 'interrupted'
  }
}

function toolCall({ toolCallId, toolName, input, ...part }: ToolCall): ToolCallPart {
  return { type: 'tool-call', id: toolCallId, name: toolName, ...readInput(input), ...given(metadataOf(part)) }
}

/** The arguments of a call. Some servers send none for a tool without parameters, or encode the object twice. */
export function readInput(json: string): Pick<ToolCallPart, 'input' | 'invalid'> {
  const value = json.trim() === '' ? {} : tryParseJson(json)
  const object = typeof value === 'string' ? tryParseJson(value) : (value ?? {})
  if (isObject(object) && tryParseJson(json.trim() || '{}') !== undefined) {
    return { input: object as Readonly<Record<string, JsonValue>> }
  }
  return { input: {}, invalid: `The arguments are not a JSON object: ${json.slice(0, 200)}` }
}

/** At the limit of output tokens the last call may lack a part of its arguments. */
function checked(part: Part, finishReason: Reply['finishReason']): Part {
  if (part.type !== 'tool-call' || finishReason !== 'length') return part
  if (part.invalid === undefined && Object.keys(part.input).length > 0) return part
  return { ...part, input: {}, invalid: 'The arguments were cut off at the limit of output tokens.' }
}

function file(mediaType: string, data: string | Uint8Array, metadata: ProviderMetadata | undefined): Part {
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return { type: 'file', mediaType, data: base64, ...given(metadata) }
}

function metadataOf(part: { readonly providerMetadata?: unknown }): ProviderMetadata | undefined {
  return part.providerMetadata as ProviderMetadata | undefined
}

function given(providerMetadata: ProviderMetadata | undefined): { providerMetadata?: ProviderMetadata } {
  return providerMetadata === undefined ? {} : { providerMetadata }
}

/** Providers send parts of the metadata with the start, the deltas and the end. */
function annotate(part: { providerMetadata?: ProviderMetadata }, more: ProviderMetadata | undefined): void {
  if (more === undefined) return
  const merged = { ...part.providerMetadata }
  for (const [provider, fields] of Object.entries(more)) merged[provider] = { ...merged[provider], ...fields }
  part.providerMetadata = merged
}
