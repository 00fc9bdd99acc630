import { TuttiError } from '../domain/errors.ts'
import { isObject, tryParseJson } from '../shared/json.ts'
import { baseUrlOf, type ProviderConfig } from './config.ts'
import { isObjectSchema, type JsonSchema } from './json-schema.ts'
import { normalizedChat } from './wire/chat-stream.ts'
import { editedBody, wireProtocol, type Quirk, type Wire } from './wire/quirks.ts'

export type LanguageModel = ReturnType<ReturnType<(typeof import('@ai-sdk/openai'))['createOpenAI']>['chat']>
export type CallOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * Loads the provider's package and creates a model. OpenAI and Azure are called through the Responses API, or through
 * chat completions if the server does not have it.
 */
export async function loadModel(
  provider: ProviderConfig,
  model: string,
  quirks: ReadonlySet<Quirk>,
  send: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const { name, apiKey, kind } = provider
  const baseURL = baseUrlOf(provider)
  const wire = wireProtocol(provider, quirks)
  const fetch = adapted(wire, quirks, guarded(provider, send))
  const settings = { fetch, baseURL, ...(apiKey === undefined ? {} : { apiKey }) }
  const kindSettings = { ...settings, ...(kind === 'azure' ? azureSettings(apiKey, fetch) : {}) }
  if (wire === 'chat') {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const supportsStructuredOutputs = takesSchema(provider)
    return createOpenAICompatible({ name, ...kindSettings, includeUsage: true, supportsStructuredOutputs })(model)
  }
  switch (kind) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings)(model)
    default:
      return (await import('@ai-sdk/openai')).createOpenAI(kindSettings).responses(model)
  }
}

/** Azure speaks OpenAI's wire format. Its key has a header of its own; as a bearer it would pass for a token of Entra ID. */
function azureSettings(apiKey: string | undefined, fetch: typeof globalThis.fetch) {
  return {
    name: 'azure',
    headers: apiKey === undefined ? {} : { 'api-key': apiKey },
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      const headers = new Headers(init?.headers)
      headers.delete('authorization')
      return fetch(input, { ...init, headers })
    },
  }
}

function takesSchema(provider: ProviderConfig): boolean {
  return provider.structuredOutputs ?? provider.kind !== 'compatible'
}

/** Whether the schema can go with the request; else it is put into the prompt. */
export function canSendSchema(schema: JsonSchema, provider: ProviderConfig, quirks: ReadonlySet<Quirk>): boolean {
  return isObjectSchema(schema) && takesSchema(provider) && !quirks.has('response_format')
}

/** Removes features that its server refuses from each request, and normalizes replies of chat completions. */
function adapted(wire: Wire, quirks: ReadonlySet<Quirk>, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' && quirks.size > 0 ? tryParseJson(init.body) : undefined
    const edited = isObject(body) ? { ...init, body: JSON.stringify(editedBody(body, quirks)) } : init
    const response = await fetch(input, edited)
    return wire === 'chat' && !quirks.has('stream') ? normalizedChat(response) : response
  }
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>

/** Requests as the process sends them, without the 300 s that Node waits for headers and between chunks: the watchdog limits both. */
const WITHOUT_TIMEOUTS = {
  dispatch(options, handler) {
    const dispatcher = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as Dispatcher
    return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  },
} as Dispatcher

/**
 * A redirect would carry the key to wherever it points, so none is followed. A web page with status 200, as gateways
 * and sign-in portals send it, is refused here, since a stream parser finds no events in it and sees an empty answer.
 */
function guarded(provider: ProviderConfig, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual', dispatcher: WITHOUT_TIMEOUTS })
    if (!response.ok || !/\bhtml\b/i.test(response.headers.get('content-type') ?? '')) return bounded(response)
    await response.body?.cancel()
    const message = `sent a web page in place of an answer; check the address (${provider.source})`
    throw new TuttiError('ModelError', message, { retryable: true })
  }
}

/** Bytes of one answer; the SDK keeps an event in memory until its end. */
const MAX_BYTES = 16_000_000

function bounded(response: Response): Response {
  if (response.body === null) return response
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes <= MAX_BYTES) controller.enqueue(chunk)
      else controller.error(new TuttiError('ModelError', `sent more than ${MAX_BYTES / 1e6} MB`))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(count), { status, statusText, headers })
}
