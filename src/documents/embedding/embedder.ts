import type { EmbeddingModel } from 'ai'
import { sleep, type Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Embedder } from '../types.ts'
import type { EmbeddingConfig } from './config.ts'
import { embeddingError, httpStatus, waitBefore } from './errors.ts'
import { meanOf, splitText, windowOf } from './window.ts'

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
    `The embedding model ${name} did not give one vector of equal length, with other numbers than 0, for each text.`,
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
