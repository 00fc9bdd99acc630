import { createHash } from 'node:crypto'
import { untilAborted, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import type { ToolDefinition } from '../domain/turn.ts'
import type { Usage } from '../domain/usage.ts'
import type { ProviderConfig } from './config.ts'
import { classifyFailure, type Failure } from './failure.ts'
import { isStrictSchema, type JsonSchema } from './json-schema.ts'
import type { Price } from './prices.ts'
import type { CallOptions, LanguageModel, Prompt, StreamPart } from './provider.ts'
import { collectReply, type Reply } from './reply.ts'
import { usageOf } from './tokens.ts'
import { startRequestWatchdog, type Expired, type RequestLimits, type Watchdog } from './watchdog.ts'
import { refusedPart, wireProtocol, type Quirk } from './wire/quirks.ts'

/** One model, ready for requests. */
export interface Target {
  readonly provider: ProviderConfig
  readonly model: string
  readonly price: Price | undefined
  /** Loads the model of the AI SDK; its requests omit these features. */
  readonly load: (quirks: ReadonlySet<Quirk>) => Promise<LanguageModel>
}

export interface ModelRequest {
  /** Name of the prompt, for providers that want a name with a schema. */
  readonly name: string
  readonly prompt: Prompt
  readonly tools?: readonly ToolDefinition[]
  readonly toolChoice?: 'auto' | 'none'
  readonly maxOutputTokens: number
  readonly temperature: number | undefined
  /** Sent as response format. Absent: the prompt itself describes the format. */
  readonly schema: JsonSchema | undefined
  /** Features that the server refuses; they are not sent. */
  readonly quirks: ReadonlySet<Quirk>
  readonly onText: ((text: string, offset: number) => void) | undefined
}

export interface RequestIo {
  readonly clock: Clock
  readonly limits: RequestLimits
  readonly signal: AbortSignal
}

/** The outcome of one request: a complete reply, or a failure; never both. */
export type RequestOutcome = { readonly usage?: Usage } & (
  | { readonly reply: Reply; readonly failure?: undefined }
  | { readonly failure: Failure; readonly reply?: undefined }
)

/** By how much a reply may exceed its limit, since servers count differently. */
const MAX_CHARS_PER_TOKEN = 32
const MIN_TOKENS = 256

/**
 * Makes one request, without retries. A reply only counts as complete with a finish reason: a cut stream is a failure,
 * whatever text arrived. Every reply is streamed, so that silence is noticed and an endless reply is cut off.
 * @throws the signal's reason at once when it is aborted, and errors of `onText`
 */
export async function requestModel(request: ModelRequest, target: Target, io: RequestIo): Promise<RequestOutcome> {
  // Loading the packages takes time that is not the provider's.
  await target.load(request.quirks).catch(() => undefined) // reported when it is used
  io.signal.throwIfAborted()
  const { totalMs } = io.limits
  const limits = request.quirks.has('stream') ? { ...io.limits, firstChunkMs: totalMs } : io.limits
  const watchdog = startRequestWatchdog(io.clock, limits, io.signal)
  const live = liveText(request.onText, watchdog.signal)
  try {
    const reply = await untilAborted(stream(request, target, watchdog, live), watchdog.signal)
    return judge(reply, request, target, io.clock.now())
  } catch (error) {
    if (live.error !== undefined) throw live.error.thrown
    if (io.signal.aborted) throw io.signal.reason
    const expired = watchdog.expired()
    if (expired !== undefined) return { failure: timeout(target.provider.name, expired) }
    const refused = refusedPart(error, request, wireProtocol(target.provider, request.quirks))
    const failure = classifyFailure(error, target.provider, target.model, io.clock.now())
    return { failure: refused === undefined ? failure : { ...failure, next: 'leave-out', refused } }
  } finally {
    watchdog.stop()
    live.stop()
  }
}

async function stream(request: ModelRequest, target: Target, watchdog: Watchdog, live: LiveText): Promise<Reply> {
  const model = await target.load(request.quirks)
  const options = callOptions(request, target, watchdog.signal)
  const parts = request.quirks.has('stream')
    ? wholeReply(await model.doGenerate(options))
    : (await model.doStream(options)).stream
  const reply = collectReply(wireProtocol(target.provider, request.quirks) === 'chat', live.show)
  let room = Math.max(request.maxOutputTokens, MIN_TOKENS) * MAX_CHARS_PER_TOKEN
  for await (const part of parts) {
    watchdog.progress()
    if ('delta' in part) room -= part.delta.length
    if (room < 0) throw new TuttiError('ModelError', `went far beyond its limit of ${request.maxOutputTokens} tokens`)
    reply.add(part)
  }
  return reply.end()
}

/**
 * The provider stores nothing, so encrypted reasoning is returned with the reply. The SDK requests it for models that
 * it knows, but cannot recognize the model behind an Azure deployment. The key groups requests with the same beginning.
 */
function responses({ prompt, tools = [] }: ModelRequest, { kind }: ProviderConfig) {
  const beginning = [prompt.filter(({ role }) => role === 'system'), tools.map(({ name }) => name)]
  const promptCacheKey = createHash('sha256').update(JSON.stringify(beginning)).digest('hex').slice(0, 32)
  const include = kind === 'azure' ? { include: ['reasoning.encrypted_content'] } : {}
  return { store: false, promptCacheKey, ...include }
}

/** A reply that arrived as a whole, as parts of a stream. */
function wholeReply({ content, finishReason, usage }: Awaited<ReturnType<LanguageModel['doGenerate']>>): StreamPart[] {
  const parts = content.flatMap((part, at): StreamPart[] => {
    if (part.type !== 'text' && part.type !== 'reasoning') return [part]
    const { providerMetadata } = part
    const metadata = providerMetadata === undefined ? {} : { providerMetadata }
    return [{ type: `${part.type}-delta`, id: String(at), delta: part.text, ...metadata }]
  })
  return [...parts, { type: 'finish', finishReason, usage }]
}

function callOptions(request: ModelRequest, { provider }: Target, abortSignal: AbortSignal): CallOptions {
  const { prompt, tools = [], toolChoice = 'auto', maxOutputTokens, temperature, schema, name } = request
  const strictJsonSchema = schema !== undefined && isStrictSchema(schema)
  return {
    prompt: request.quirks.has('system') ? withoutSystem(prompt) : prompt,
    // Some servers refuse an empty list.
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool), toolChoice: { type: toolChoice } }),
    maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(schema === undefined ? {} : { responseFormat: { type: 'json', schema, name: schemaName(name) } }),
    providerOptions: {
      openai: {
        strictJsonSchema,
        ...(wireProtocol(provider, request.quirks) === 'responses' ? responses(request, provider) : {}),
      },
      openaiCompatible: { strictJsonSchema },
    },
    // Every event proves that the connection is alive, even without a part of the reply.
    includeRawChunks: true,
    abortSignal,
  }
}

function withoutSystem(prompt: Prompt): Prompt {
  const instructions = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n')
  const [first, ...rest] = prompt.filter(({ role }) => role !== 'system')
  const part = { type: 'text' as const, text: instructions }
  if (first?.role !== 'user') {
    return [{ role: 'user', content: [part] }, ...(first === undefined ? [] : [first]), ...rest]
  }
  return [{ ...first, content: [part, ...first.content] }, ...rest]
}

function functionTool({ name, description, inputSchema }: ToolDefinition) {
  return { type: 'function' as const, name, description, inputSchema }
}

function schemaName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

function judge(reply: Reply, request: ModelRequest, target: Target, nowMs: number): RequestOutcome {
  const { provider } = target
  const usage = usageOf(reply.usage, target.price)
  const reported = usage === undefined ? {} : { usage }
  if (reply.error !== undefined) {
    const failure = classifyFailure(reply.error, provider, target.model, nowMs)
    // An error status in the middle of a stream follows work that is charged.
    return { failure: { ...failure, isFree: failure.isFree && reply.parts.length === 0 }, ...reported }
  }
  const failed = (what: string, next: Failure['next']): RequestOutcome => ({
    failure: { reason: `${provider.name} ${what}`, next, isReached: true, isFree: false },
    ...reported,
  })
  const isEmpty = reply.text.trim() === '' && reply.parts.every((part) => part.type !== 'tool-call')
  switch (reply.finishReason) {
    case 'interrupted':
      return failed('broke off its answer without a finish reason', 'retry')
    case 'content-filter':
      return isEmpty ? failed('withheld its answer (content filter)', 'give-up') : { reply, ...reported }
    case 'length':
      return isEmpty ? cutOff(target, request, reported) : { reply, ...reported }
    default:
      return isEmpty ? failed('gave an empty answer', 'retry') : { reply, ...reported }
  }
}

/** The failure of a reply that was cut at its limit of output tokens. */
export function cutOff(target: Target, { maxOutputTokens }: ModelRequest, reported: { readonly usage?: Usage } = {}) {
  const reason = `${target.provider.name} was cut off at the limit of ${maxOutputTokens} output tokens`
  const failure: Failure = { reason, next: 'longer', isReached: true, isFree: false }
  return { failure, ...reported }
}

function timeout(name: string, { sentence, isHang }: Expired): Failure {
  const details = { reason: `${name} ${sentence}`, isReached: true, isFree: false }
  return isHang ? { ...details, next: 'retry', isHang } : { ...details, next: 'give-up' }
}

interface LiveText {
  readonly show: (text: string, offset: number) => void
  stop(): void
  readonly error: { readonly thrown: unknown } | undefined
}

/** Passes text on until the request is over; keeps errors of the receiver, which are not the model's fault. */
function liveText(onText: ModelRequest['onText'], signal: AbortSignal): LiveText {
  let isStopped = false
  let error: { thrown: unknown } | undefined
  return {
    show(text, offset) {
      if (isStopped || signal.aborted) return
      try {
        onText?.(text, offset)
      } catch (thrown) {
        error = { thrown }
        throw thrown
      }
    },
    stop() {
      isStopped = true
    },
    get error() {
      return error
    },
  }
}
