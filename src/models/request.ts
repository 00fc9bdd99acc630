import type { OutputInterface } from 'ai'
import { untilAborted, type Clock } from '../core/clock.ts'
import type { Usage } from '../core/usage.ts'
import type { ProviderConfig } from './config.ts'
import { failureOf, type Failure } from './failure.ts'
import { isStrictSchema, type JsonSchema } from './json-schema.ts'
import type { Price } from './prices.ts'
import type { loadModel } from './provider.ts'
import { usageOf, type SdkUsage } from './tokens.ts'
import { sentAs } from './cache-marks.ts'
import type { Wording } from './wording.ts'
import { startWatchdog, type Expired, type RequestLimits, type Watchdog } from './watchdog.ts'

/** One model, ready to be asked. */
export interface Target {
  readonly provider: ProviderConfig
  readonly model: string
  readonly price: Price | undefined
  readonly load: () => ReturnType<typeof loadModel>
}

export interface ModelRequest {
  /** Name of the prompt, for providers that want a name with a schema. */
  readonly name: string
  readonly wording: Wording
  readonly maxOutputTokens: number
  readonly temperature: number | undefined
  /** Sent as response format. Absent: the text itself says what is wanted. */
  readonly schema: JsonSchema | undefined
  readonly onText: ((text: string, offset: number) => void) | undefined
}

export interface RequestIo {
  readonly clock: Clock
  readonly limits: RequestLimits
  readonly signal: AbortSignal
}

/** What came of one request: a whole text, or a failure; never both. */
export type Sent = { readonly usage?: Usage } & (
  | { readonly text: string; readonly failure?: undefined }
  | { readonly failure: Failure; readonly text?: undefined }
)

interface Raw {
  readonly text: string
  readonly finishReason: string
  readonly rawFinishReason: string | undefined
  readonly usage: SdkUsage | undefined
  readonly error?: unknown
}

/** By how much an answer may exceed its limit, since servers count differently. */
const CHARS_PER_TOKEN = 32
const EVENTS_PER_TOKEN = 16
const MIN_TOKENS = 256

/**
 * Makes one request, without any retry, and says whether a whole answer came back. An answer counts only with a finish
 * reason that means "I am done": a cut stream, an output limit or a content filter is a failure, whatever text arrived.
 * Every answer is streamed, so that silence is noticed, and one that never ends is cut off.
 * @throws the signal's reason at once when it is aborted, and whatever `onText` throws
 */
export async function send(request: ModelRequest, target: Target, io: RequestIo): Promise<Sent> {
  // Loading the packages takes time that is not the provider's.
  await Promise.all([target.load(), import('ai')]).catch(() => undefined) // reported when it is used
  io.signal.throwIfAborted()
  const watchdog = startWatchdog(io.clock, io.limits, io.signal)
  const live = liveText(request.onText, watchdog.signal)
  try {
    const raw = await untilAborted(stream(request, target, watchdog, live), watchdog.signal)
    return judge(raw, request, target, io.clock.now())
  } catch (error) {
    if (live.error !== undefined) throw live.error.thrown
    if (io.signal.aborted) throw io.signal.reason
    const expired = watchdog.expired()
    if (expired !== undefined) return { failure: timeout(target.provider.name, expired) }
    return { failure: failureOf(error, target.provider, target.model, io.clock.now()) }
  } finally {
    watchdog.stop()
    live.stop()
  }
}

async function stream(request: ModelRequest, target: Target, watchdog: Watchdog, live: LiveText): Promise<Raw> {
  const { streamText } = await import('ai')
  const result = streamText({
    ...(await settings(request, target, watchdog)),
    ...(request.schema === undefined ? {} : { output: rawOutput(request.name, request.schema) }),
    // Every event counts as a sign of life, also those the SDK does not pass on.
    include: { rawChunks: true },
    // Errors come as parts of the stream; without a handler the SDK prints them as well.
    onError: () => {},
  })
  const room = Math.max(request.maxOutputTokens, MIN_TOKENS)
  let text = ''
  let events = 0
  let error: unknown
  let finish: Omit<Raw, 'text' | 'error'> = {
    finishReason: 'interrupted',
    rawFinishReason: undefined,
    usage: undefined,
  }
  for await (const part of result.stream) {
    if (part.type === 'raw') {
      watchdog.progress()
      events++
    } else if (part.type === 'error') error ??= part.error
    else if (part.type === 'text-delta' && error === undefined) {
      live.add(part.text)
      text += part.text
    } else if (part.type === 'finish-step') {
      const { finishReason, rawFinishReason, usage } = part
      finish = { finishReason, rawFinishReason, usage }
    }
    if (text.length > room * CHARS_PER_TOKEN || events > room * EVENTS_PER_TOKEN) {
      return { text, ...finish, finishReason: 'endless' }
    }
  }
  return { text, error, ...finish }
}

async function settings(request: ModelRequest, target: Target, watchdog: Watchdog) {
  const strictJsonSchema = request.schema !== undefined && isStrictSchema(request.schema)
  return {
    model: await target.load(),
    ...sentAs(request.wording, target.provider.kind),
    maxOutputTokens: request.maxOutputTokens,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    providerOptions: { openai: { strictJsonSchema }, openaiCompatible: { strictJsonSchema } },
    // Retries are made one level up, where budget, breaker and Retry-After are known.
    maxRetries: 0,
    abortSignal: watchdog.signal,
  }
}

/** Has the SDK send the schema but leave the text as it is: reading and checking it is done in one place, `answer.ts`. */
function rawOutput(name: string, schema: JsonSchema): OutputInterface<string, string, never> {
  const responseFormat = { type: 'json' as const, schema, name: name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) }
  return {
    name: 'raw-json',
    responseFormat: Promise.resolve(responseFormat),
    parseCompleteOutput: async ({ text }) => text,
    parsePartialOutput: async ({ text }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  }
}

function judge(raw: Raw, request: ModelRequest, target: Target, nowMs: number): Sent {
  const { provider } = target
  const usage = usageOf(raw.usage, target.price)
  const told = usage === undefined ? {} : { usage }
  if (raw.error !== undefined) {
    const failure = failureOf(raw.error, provider, target.model, nowMs)
    // An error status in the middle of a stream comes after work that is charged for.
    return { failure: { ...failure, isFree: failure.isFree && raw.text === '' }, ...told }
  }
  const failed = (what: string, next: Failure['next'], isTrouble: boolean): Sent => ({
    failure: { reason: `${provider.name} ${what}`, next, isTrouble, isReached: true, isFree: false },
    ...told,
  })
  switch (raw.finishReason) {
    case 'stop':
      return raw.text.trim() === '' ? failed('gave an empty answer', 'retry', false) : { text: raw.text, ...told }
    case 'length':
      return failed(`was cut off at the limit of ${request.maxOutputTokens} output tokens`, 'longer', false)
    case 'endless':
      return failed(
        `went on far beyond the ${request.maxOutputTokens} tokens that it was given room for`,
        'give-up',
        true,
      )
    case 'content-filter':
      return failed('withheld its answer (content filter)', 'give-up', false)
    case 'tool-calls':
      return failed('called a tool that it was not given', 'retry', false)
    case 'other':
      // The server's own finish reason, such as `eos`; a missing or empty one does not count.
      if (Boolean(raw.rawFinishReason) && raw.text.trim() !== '') return { text: raw.text, ...told }
  }
  return failed('broke off its answer without a finish reason', 'retry', true)
}

function timeout(name: string, { sentence, isHang }: Expired): Failure {
  const about = { reason: `${name} ${sentence}`, isReached: true, isFree: false }
  return isHang ? { ...about, next: 'retry', isTrouble: true, isHang } : { ...about, next: 'give-up', isTrouble: false }
}

interface LiveText {
  add(text: string): void
  stop(): void
  readonly error: { readonly thrown: unknown } | undefined
}

/** Passes text on with its offset until the request is over; remembers what the receiver throws, which is not the model's fault. */
function liveText(onText: ModelRequest['onText'], signal: AbortSignal): LiveText {
  let offset = 0
  let isStopped = false
  let error: { thrown: unknown } | undefined
  return {
    add(text) {
      if (isStopped || signal.aborted || text === '') return
      try {
        onText?.(text, offset)
      } catch (thrown) {
        error = { thrown }
        throw thrown
      }
      offset += text.length
    },
    stop() {
      isStopped = true
    },
    get error() {
      return error
    },
  }
}
