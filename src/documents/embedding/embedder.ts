import type { EmbeddingModel } from 'ai'
import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Embedder } from '../types.ts'
import type { EmbeddingConfig } from './config.ts'
import { errorText } from '../../domain/error-text.ts'

/** The user waits for the vector of a question, and the search by words works without it. */
const QUESTION_MS = 4_000
/** Statuses of servers to which a batch or a text is too long. */
const TOO_MUCH = new Set([400, 413, 422])
/** Characters of a text that every model takes. */
const MIN_CHARS = 200
const MAX_RETRIES = 4

interface EmbedderDeps {
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
}

/**
 * Makes an embedder of a server with OpenAI's `/embeddings`. Nothing is loaded or asked before the first text. A full or
 * failing server is asked again by the AI SDK. A question has four seconds and one try.
 */
export function createEmbedder(config: EmbeddingConfig, { clock, fetch }: EmbedderDeps): Embedder {
  const name = `${config.provider}:${config.model}`
  let loaded: Promise<Model> | undefined
  const load = (): Promise<Model> => (loaded ??= loadModel(config, fetch))

  async function embedAll(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    if (texts.length === 0) return []
    const { embedMany } = await import('ai')
    const prefix = prefixOf(name, purpose)
    try {
      const { embeddings } = await embedMany({
        model: await load(),
        // Servers refuse empty texts.
        values: texts.map((text) => prefix + (text.trim() || '-')),
        maxRetries: purpose === 'query' ? 0 : MAX_RETRIES,
        ...(signal === undefined ? {} : { abortSignal: signal }),
      })
      return checked(embeddings, texts.length, name)
    } catch (thrown) {
      signal?.throwIfAborted()
      const { APICallError } = await import('ai')
      const isTooMuch = APICallError.isInstance(thrown) && TOO_MUCH.has(thrown.statusCode ?? 0)
      const middle = texts.length >> 1
      if (isTooMuch && middle > 0) {
        const first = await embedAll(texts.slice(0, middle), purpose, signal)
        return [...first, ...(await embedAll(texts.slice(middle), purpose, signal))]
      }
      // A passage that is longer than the model's window is embedded by its beginning.
      const [text] = texts
      if (isTooMuch && text!.length > MIN_CHARS) return embedAll([text!.slice(0, text!.length >> 1)], purpose, signal)
      throw await embeddingError(thrown, name, config.key)
    }
  }

  return {
    model: name,
    async embed(texts, purpose, signal) {
      if (purpose === 'passage') return embedAll(texts, purpose, signal)
      const late = new AbortController()
      const cancel = clock.timer(QUESTION_MS, () =>
        late.abort(
          new TuttiError('ModelUnavailable', `The embedding model ${name} did not answer in ${QUESTION_MS / 1000} s.`, {
            retryable: true,
          }),
        ),
      )
      const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
      return embedAll(texts, purpose, either).finally(cancel)
    },
  }
}

type Model = Exclude<EmbeddingModel, string>

async function loadModel(
  { provider, model, url, key }: EmbeddingConfig,
  fetch: typeof globalThis.fetch,
): Promise<Model> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: provider,
    baseURL: url,
    ...(key === undefined ? {} : { apiKey: key }),
    // A redirect could send the key to another host.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  }).embeddingModel(model)
}

function checked(embeddings: readonly (readonly number[])[], wanted: number, name: string): Float32Array[] {
  const size = embeddings[0]?.length ?? 0
  const vectors = embeddings.map((vector) => Float32Array.from(vector))
  // Reject numbers beyond 32 bits.
  const isVector = (vector: Float32Array): boolean =>
    vector.length === size && vector.every(Number.isFinite) && vector.some((value) => value !== 0)
  if (vectors.length === wanted && size > 0 && vectors.every(isVector)) return vectors
  throw new TuttiError(
    'ModelError',
    `The embedding model ${name} did not return one non-zero vector of equal length for each text.`,
  )
}

/** What widely used open models want before a text, by their model cards; they find less without it. */
const PREFIXES: readonly (readonly [RegExp, Readonly<Record<'query' | 'passage', string>>])[] = [
  [/nomic-embed-text/i, { query: 'search_query: ', passage: 'search_document: ' }],
  [/(?:^|[/:-])(?:multilingual-)?e5-(?!.*instruct)/i, { query: 'query: ', passage: 'passage: ' }],
  [
    /mxbai-embed-large|bge-(?:small|base|large)-en/i,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
]

function prefixOf(name: string, purpose: 'query' | 'passage'): string {
  return PREFIXES.find(([pattern]) => pattern.test(name))?.[1][purpose] ?? ''
}

/** Turns an error of the AI SDK into one sentence that says what to do. */
async function embeddingError(thrown: unknown, name: string, key?: string): Promise<TuttiError> {
  if (TuttiError.isInstance(thrown)) return thrown
  const { APICallError, RetryError } = await import('ai')
  if (RetryError.isInstance(thrown)) return embeddingError(thrown.lastError, name, key)
  const message = errorText(thrown instanceof Error ? thrown.message : String(thrown), key)
  if (!APICallError.isInstance(thrown)) {
    return new TuttiError('ModelError', `The embedding model ${name} failed: ${message}.`, { cause: thrown })
  }
  const { statusCode: status } = thrown
  if (status === undefined) {
    return unavailable(`The embedding model ${name} does not answer (${message}). Check that its server runs.`, thrown)
  }
  if (status === 429 || status === 408 || status >= 500) {
    return unavailable(`The embedding model ${name} is overloaded or unavailable (status ${status}).`, thrown)
  }
  const advice =
    status === 401 || status === 403
      ? 'Check its key.'
      : status === 404 || (status >= 300 && status < 400)
        ? 'Check the URL and the name of the model.'
        : `It says: ${message}.`
  return new TuttiError('ModelError', `The embedding model ${name} refused the request (status ${status}). ${advice}`, {
    cause: thrown,
  })
}

function unavailable(message: string, cause: unknown): TuttiError {
  return new TuttiError('ModelUnavailable', message, { retryable: true, cause })
}
