import { isObject, tryParseJson } from '../../shared/json.ts'
import type { ProviderConfig } from '../config.ts'
import type { ModelRequest } from '../request.ts'

/**
 * A feature that a model's server refuses. It is omitted after the server has refused it, and remembered for the
 * `provider:model` once a request without it was accepted.
 */
export type Quirk =
  /** The Responses API; chat completions are used instead. */
  | 'responses'
  /** The system role: instructions go into the first message of the user. */
  | 'system'
  /** Reasoning that the provider returned earlier. */
  | 'reasoning'
  /** A JSON schema as response format; it is put into the instructions instead. */
  | 'response_format'
  | 'stream'
  /** Sent as `max_completion_tokens`. */
  | 'max_tokens'
  | BodyKey

/** Fields of the body that are deleted. */
const BODY_KEYS = [
  'temperature',
  'max_completion_tokens',
  'max_output_tokens',
  'stream_options',
  'parallel_tool_calls',
  'tool_choice',
  'prompt_cache_key',
  'include',
  'store',
] as const
type BodyKey = (typeof BODY_KEYS)[number]

/** How providers name these in an error. */
const NAMES: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  include: ['include', 'encrypted_content', 'encrypted content'],
  system: ['system', 'developer'],
  reasoning: ['reasoning_content', 'reasoning', 'thinking', 'signature', 'thought_signature', 'encrypted_content'],
  response_format: ['response_format', 'json_schema', 'text.format', 'output_format', 'output_config'],
  stream: ['stream'],
  max_tokens: ['max_tokens'],
}

export type Wire = 'chat' | 'responses' | 'other'

/** The protocol of a provider's requests. */
export function wireProtocol({ kind }: ProviderConfig, quirks: ReadonlySet<Quirk>): Wire {
  if (kind === 'openai' || kind === 'azure') return quirks.has('responses') ? 'chat' : 'responses'
  return kind === 'compatible' || kind === 'ollama' ? 'chat' : 'other'
}

/**
 * The part of a request that a server's error names, if the request had it; undefined for other errors. The error's own
 * field `param` wins over its message.
 * @param error of the AI SDK, with status and bodies
 */
export function refusedPart(
  error: unknown,
  { prompt, schema, quirks }: Pick<ModelRequest, 'prompt' | 'schema' | 'quirks'>,
  wire: Wire,
): Quirk | undefined {
  if (!isObject(error)) return undefined
  const status = error['statusCode']
  if (wire === 'responses' && (status === 404 || status === 405)) return 'responses'
  if (status !== 400 && status !== 422) return undefined

  const body = isObject(error['requestBodyValues']) ? editedBody(error['requestBodyValues'], quirks) : {}
  const isSent = (quirk: Quirk): boolean => {
    if (quirk === 'system') return prompt.some(({ role }) => role === 'system')
    if (quirk === 'reasoning') return prompt.some(({ role, content }) => role === 'assistant' && hasReasoning(content))
    if (quirk === 'response_format') return schema !== undefined
    // Anthropic cannot do without a limit.
    if (quirk === 'max_tokens' && wire !== 'chat') return false
    return body[quirk] !== undefined
  }
  const candidates = Object.entries({ ...Object.fromEntries(BODY_KEYS.map((key) => [key, [key]])), ...NAMES })
    .map(([quirk, names]) => ({ quirk: quirk as Quirk, names }))
    .filter(({ quirk }) => !quirks.has(quirk) && isSent(quirk))

  const responseBody = typeof error['responseBody'] === 'string' ? error['responseBody'].slice(0, MAX_READ) : ''
  for (const text of [paramOf(responseBody), String(error['message']), responseBody]) {
    const found = candidates
      .map(({ quirk, names }) => ({ quirk, at: firstMention(text, names) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)
    if (found[0] !== undefined) return found[0].quirk
  }
  return undefined
}

const MAX_READ = 10_000

function paramOf(responseBody: string): string {
  const body = tryParseJson(responseBody)
  const error = isObject(body) && isObject(body['error']) ? body['error'] : body
  return isObject(error) && typeof error['param'] === 'string' ? error['param'] : ''
}

/** The position of the first of these names that occurs as a separate word; -1 if none does. */
function firstMention(text: string, names: readonly string[]): number {
  const positions = names.flatMap((name) => {
    const at = text.toLowerCase().search(new RegExp(`(?<![\\w-])${name.replace('.', '\\.')}(?![\\w-])`))
    return at === -1 ? [] : [at]
  })
  return positions.length === 0 ? -1 : Math.min(...positions)
}

function hasReasoning(content: ModelRequest['prompt'][number]['content']): boolean {
  return (
    typeof content !== 'string' &&
    content.some(
      (part) => part.type === 'reasoning' || ('providerOptions' in part && part.providerOptions !== undefined),
    )
  )
}

/** The body of a request without the refused features. */
export function editedBody(
  body: Readonly<Record<string, unknown>>,
  quirks: ReadonlySet<Quirk>,
): Record<string, unknown> {
  const edited = { ...body }
  if (quirks.has('max_tokens') && edited['max_tokens'] !== undefined) {
    edited['max_completion_tokens'] = edited['max_tokens']
    delete edited['max_tokens']
  }
  for (const key of BODY_KEYS) if (quirks.has(key)) delete edited[key]
  return edited
}
