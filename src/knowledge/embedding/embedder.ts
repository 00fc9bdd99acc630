import type { EmbeddingModel } from 'ai'
import { sleep, type Clock } from '../../core/clock.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Embedder } from '../types.ts'
import type { EmbeddingConfig } from './config.ts'
import { embeddingError, waitBefore } from './errors.ts'

/** Texts of one request; providers allow from 100 up, and small ones keep a local server's memory low. */
const BATCH = 64

/** Characters of one text: OpenAI's 8,191 tokens, where a table may take a token for every two of them. */
const LONGEST = 16_000

const ATTEMPTS = 5

/** A model of the AI SDK, with the name that its vectors are kept under (`provider:model`). */
export interface GivenModel {
  readonly name: string
  readonly model: Exclude<EmbeddingModel, string>
}

export interface EmbedderDeps {
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
}

/**
 * Makes an embedder of a server with OpenAI's `/embeddings` or of any model of the AI SDK. Nothing is loaded or asked
 * before the first text. Requests are sent one after the other; one that meets a full or failing server is sent again,
 * when the server says or after 1, 2, 4 and 8 seconds.
 */
export function createEmbedder(of: EmbeddingConfig | GivenModel, { clock, fetch }: EmbedderDeps): Embedder {
  const name = 'url' in of ? `${of.provider}:${of.model}` : of.name
  let loaded: Promise<GivenModel['model']> | undefined
  const load = (): Promise<GivenModel['model']> =>
    (loaded ??= 'url' in of ? loadCompatible(of, fetch) : Promise.resolve(of.model))

  async function embedBatch(values: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return checked(await request(await load(), values, signal), values.length, name)
      } catch (thrown) {
        signal?.throwIfAborted()
        const error = await embeddingError(thrown, name)
        if (!error.retryable || attempt === ATTEMPTS) throw error
        await sleep(clock, waitBefore(attempt, thrown, clock.now()), signal)
      }
    }
  }

  return {
    model: name,
    async embed(texts, purpose, signal) {
      const prefix = prefixOf(name, purpose)
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted()
        // Servers refuse empty texts.
        const batch = texts.slice(at, at + BATCH).map((text) => prefix + (text.trim().slice(0, LONGEST) || '-'))
        vectors.push(...(await embedBatch(batch, signal)))
      }
      return vectors
    },
  }
}

async function loadCompatible(
  { provider, model, url, key }: EmbeddingConfig,
  fetch: typeof globalThis.fetch,
): Promise<GivenModel['model']> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: provider,
    baseURL: url,
    ...(key === undefined ? {} : { apiKey: key }),
    // A redirect would carry the key to wherever it points.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  }).embeddingModel(model)
}

async function request(
  model: GivenModel['model'],
  values: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number[][]> {
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
  if (embeddings.length === wanted && size > 0 && embeddings.every((vector) => vector.length === size)) {
    return embeddings.map((vector) => Float32Array.from(vector))
  }
  throw new TuttiError(
    'ModelError',
    `The embedding model ${name} did not give one vector of equal length for each text.`,
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
