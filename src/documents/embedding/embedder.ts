import type { EmbeddingModel } from 'ai'
import { type Clock, sleep } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Embedder } from '../types.ts'
import type { EmbeddingConfig } from './config.ts'
import { errorText } from '../../domain/error-text.ts'
import { retryAfterMs } from '../../shared/retry-after.ts'

/** Texts of one request; providers allow from 100 up, and small ones keep a local server's memory low. */
const BATCH = 64

const ATTEMPTS = 5

/** The user waits for the vector of a question, and the search by words works without it. */
const QUESTION_MS = 4_000

/** What a server says to more than it takes at once. */
const TOO_MUCH = new Set([400, 413, 422])
/** A text that short is not refused for its length. */
const SHORT = 500

interface EmbedderDeps {
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
}

/**
 * Makes an embedder of a server with OpenAI's `/embeddings`. Nothing is loaded or asked before the first text. Requests
 * are sent one after the other; one that meets a full or failing server is sent again, when the server says or after 1,
 * 2, 4 and 8 seconds, and one that holds too much in halves. A question has four seconds and one try.
 */
export function createEmbedder(config: EmbeddingConfig, { clock, fetch }: EmbedderDeps): Embedder {
  const name = `${config.provider}:${config.model}`
  let loaded: Promise<Model> | undefined
  const load = (): Promise<Model> => (loaded ??= loadModel(config, fetch))

  async function embedBatch(
    values: readonly string[],
    attempts: number,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return checked(await request(await load(), values, signal), values.length, name)
      } catch (thrown) {
        signal?.throwIfAborted()
        const smaller = TOO_MUCH.has(httpStatus(thrown) ?? 0) ? halves(values) : undefined
        if (smaller !== undefined) {
          const [first, second] = [
            await embedBatch(smaller[0], attempts, signal),
            await embedBatch(smaller[1], attempts, signal),
          ]
          return values.length > 1 ? [...first, ...second] : [meanOf([...first, ...second])]
        }
        const error = await embeddingError(thrown, name, config.key)
        if (!error.retryable || attempt === attempts) throw error
        await sleep(clock, waitBefore(attempt, thrown, clock.now()), signal)
      }
    }
  }

  async function embedAll(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const prefix = prefixOf(name, purpose)
    const max = windowOf(name, config.window) - prefix.length
    // Servers refuse empty texts.
    const parts = texts.map((text) => splitText(text.trim() || '-', max).map((part) => prefix + part))
    const values = parts.flat()
    const vectors: Float32Array[] = []
    for (let at = 0; at < values.length; at += BATCH) {
      signal?.throwIfAborted()
      vectors.push(...(await embedBatch(values.slice(at, at + BATCH), purpose === 'query' ? 1 : ATTEMPTS, signal)))
    }
    let at = 0
    return parts.map(({ length }) => meanOf(vectors.slice(at, (at += length))))
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

/** Splits a request that was too large: the texts into halves, or the only text. */
function halves(values: readonly string[]): [string[], string[]] | undefined {
  const middle = Math.ceil(values.length / 2)
  if (values.length > 1) return [values.slice(0, middle), values.slice(middle)]
  const [only = ''] = values
  if (only.length <= SHORT) return undefined
  const [first = '', ...rest] = splitText(only, Math.ceil(only.length / 2))
  return [[first], [rest.join(' ')]]
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

async function request(model: Model, values: readonly string[], signal: AbortSignal | undefined): Promise<number[][]> {
  const { embedMany } = await import('ai')
  const { embeddings } = await embedMany({
    model,
    values: [...values],
    maxRetries: 0,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  })
  return embeddings
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

const FIRST_WAIT_MS = 1_000
/** A server that asks to wait longer counts as unreachable: the caller continues without vectors. */
const MAX_WAIT_MS = 60_000

/** What the AI SDK throws when a server answers with an error, or not at all. */
interface CallError {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** The status that a server answered with. */
function httpStatus(thrown: unknown): number | undefined {
  return (thrown as CallError | undefined)?.statusCode
}

/** Turns an error of the AI SDK into one sentence that says what to do. */
async function embeddingError(thrown: unknown, name: string, key?: string): Promise<TuttiError> {
  if (TuttiError.isInstance(thrown)) return thrown
  const { APICallError } = await import('ai')
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

/** Delay in milliseconds after a number of attempts: as requested by the server, else 1, 2, 4, … s. */
function waitBefore(attempt: number, thrown: unknown, nowMs: number): number {
  const retryAfter = retryAfterMs((thrown as CallError | undefined)?.responseHeaders, nowMs)
  return Math.min(retryAfter ?? FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS)
}

/**
 * Maximum input tokens of widely used open models, from their model cards. Servers reject longer texts or truncate them
 * silently.
 */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/all-minilm/i, 256],
  [
    /(?:^|[/:-])(?:multilingual-)?e5-(?!mistral)|mxbai-embed-large|bge-(?:small|base|large)|gte-(?:small|base|large)(?!.*1\.5)|paraphrase-|snowflake-arctic-embed(?!.*(?:2|long))/i,
    512,
  ],
  [/nomic-embed-text/i, 2048],
]
/** OpenAI's; others of today take as much. */
const USUAL = 8191

/** Where a table may take a token for every two characters. */
const CHARS_PER_TOKEN = 2

/** Characters of one text that a model takes for sure. */
function windowOf(name: string, tokens: number | undefined): number {
  return (tokens ?? WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? USUAL) * CHARS_PER_TOKEN
}

/** Splits a text into parts of limited length, between words if possible. */
function splitText(text: string, max: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== '';) {
    const window = rest.length <= max ? rest : rest.slice(0, max).replace(/\p{Cs}$/u, '')
    const part = window === rest ? rest : window.replace(/(?<=\S)\s+\S*$/, '')
    parts.push(part)
    rest = rest.slice(part.length).trimStart()
  }
  return parts
}

/** One vector for the parts of a text: their mean, each part as long as the others. */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors
  if (vectors.length === 1) return first!
  const sum = new Float32Array(first!.length)
  for (const vector of vectors) {
    const length = Math.hypot(...vector)
    for (const [i, value] of vector.entries()) sum[i]! += value / length / vectors.length
  }
  return sum
}
