import type { Source } from './result.ts'
import type { Usage } from './usage.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * Data that a provider attaches to a part and expects back unchanged, such as an encrypted reasoning item or a thinking
 * signature, by provider name. Opaque: never shown, masked or exported, and returned only to the provider and model
 * that wrote it.
 */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>

interface WithMetadata {
  readonly providerMetadata?: ProviderMetadata
}

export interface TextPart extends WithMetadata {
  readonly type: 'text'
  readonly text: string
}

export interface ReasoningPart extends WithMetadata {
  readonly type: 'reasoning'
  readonly text: string
}

/** An image or another file, base64. */
export interface FilePart extends WithMetadata {
  readonly type: 'file'
  readonly mediaType: string
  readonly data: string
  readonly filename?: string
}

export interface ToolCallPart extends WithMetadata {
  readonly type: 'tool-call'
  /** The provider's id of the call, or one that Tutti made where it gave none; unique within the message. */
  readonly id: string
  /** As the model wrote it, resolved to a name of the tool list where that is unambiguous. */
  readonly name: string
  /** An object; `{}` if the arguments are unusable, see `invalid`. */
  readonly input: { readonly [key: string]: JsonValue }
  /** Why the call cannot be made: arguments that are no JSON object, or were cut by the length limit. */
  readonly invalid?: string
}

export interface ToolResultPart {
  readonly type: 'tool-result'
  /** `id` of the call that it answers. */
  readonly id: string
  readonly name: string
  /** The text for the model. */
  readonly text: string
  readonly isError?: true
}

export interface UserMessage {
  readonly role: 'user'
  readonly parts: readonly (TextPart | FilePart)[]
}

export interface AssistantMessage {
  readonly role: 'assistant'
  /** In the order in which the model wrote them. */
  readonly parts: readonly (TextPart | ReasoningPart | FilePart | ToolCallPart)[]
  /** `provider:model` that wrote it; provider metadata goes back to no other. */
  readonly model?: string
}

export interface ToolMessage {
  readonly role: 'tool'
  /** One result for each call of the assistant's message before, in call order. */
  readonly parts: readonly ToolResultPart[]
}

export type TranscriptMessage = UserMessage | AssistantMessage | ToolMessage

/** A tool as a model sees it. */
export interface ToolDefinition {
  /** At most 64 characters of `a-z A-Z 0-9 _ -`, which every provider accepts. */
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** What stays the same from the first turn of a loop to the last. Stored once, used unchanged until the loop ends. */
export interface TranscriptHead {
  /** The system prompt. */
  readonly instructions: string
  /** Sorted by name. */
  readonly tools: readonly ToolDefinition[]
  /** The conversation so far and the task. */
  readonly messages: readonly TranscriptMessage[]
  /** Sources whose content is in the instructions, each with the id by which the model cites it. */
  readonly sources?: readonly Source[]
}

/** One request to a model. */
export interface TurnRequest {
  /** For traces and for providers that want a name with a schema. */
  readonly name: string
  readonly head: TranscriptHead
  /** What follows the head's messages. */
  readonly messages: readonly TranscriptMessage[]
  /** `none` in the last turn: the tool list stays, so that the prompt's prefix does, and the model must answer in words. */
  readonly toolChoice: 'auto' | 'none'
  /** JSON Schema of the answer of a role that answers in JSON; sent as response format where the server takes it. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly maxOutputTokens?: number
  readonly temperature?: number
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

/** A model's reply to one request. */
export interface ModelTurn {
  readonly message: AssistantMessage
  readonly finishReason: FinishReason
  /** `provider:model` that answered. */
  readonly model: string
  /** Sum over all requests made for this turn, failed ones included where the provider reported it. */
  readonly usage?: Usage
  /** Requests that reached a provider. */
  readonly requests: number
}

export function textOfMessage({ parts }: Pick<AssistantMessage | UserMessage, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

export function toolCallsOf({ parts }: AssistantMessage): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'tool-call')
}

type Part = TranscriptMessage['parts'][number]

/** The message without reasoning and provider metadata. */
export function withoutProviderState<M extends TranscriptMessage>(message: M): M {
  const parts: readonly Part[] = message.parts
  const visible = parts.flatMap((part): Part[] => {
    if (part.type === 'reasoning') return []
    if (!('providerMetadata' in part)) return [part]
    const { providerMetadata: _sealed, ...rest } = part
    return [rest]
  })
  return { ...message, parts: visible }
}

export function userMessage(text: string): UserMessage {
  return { role: 'user', parts: [{ type: 'text', text }] }
}
