import { TuttiError } from '../../core/errors.ts'
import { readServerUrl } from '../../core/server-url.ts'

/** An embedding model behind OpenAI's wire format. */
export interface EmbeddingConfig {
  /** First part of the name under which vectors are kept, such as `openai`. */
  readonly provider: string
  readonly model: string
  /** Base URL, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly key?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const OLLAMA_URL = 'http://127.0.0.1:11434/v1'
const OPENAI_URL = 'https://api.openai.com/v1'

/**
 * Reads which embedding model to use; undefined when none is named, since none is chosen silently: it costs money, or
 * fetches texts out of the house.
 *
 * | variable | meaning |
 * |---|---|
 * | `TUTTI_EMBEDDING_URL` | any server with OpenAI's `/embeddings`: base URL |
 * | `TUTTI_EMBEDDING_KEY` | its key, if it needs one |
 * | `TUTTI_EMBEDDING_MODEL` | the model; without a URL `openai:…` (with `OPENAI_API_KEY`) or `ollama:…` |
 *
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong
 */
export function embeddingFromEnvironment(env: Environment): EmbeddingConfig | undefined {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const url = read('TUTTI_EMBEDDING_URL')
  const named = read('TUTTI_EMBEDDING_MODEL')
  const key = read('TUTTI_EMBEDDING_KEY')
  if (url !== undefined) {
    if (named === undefined) throw wrong('TUTTI_EMBEDDING_MODEL is not set; name the model that the server has.')
    return { provider: 'compatible', model: named, url: checkedUrl(url, 'TUTTI_EMBEDDING_URL'), ...keyOf(key) }
  }
  if (named === undefined) {
    if (key === undefined) return undefined
    throw wrong('TUTTI_EMBEDDING_KEY is set, but TUTTI_EMBEDDING_URL or TUTTI_EMBEDDING_MODEL is not.')
  }
  const [provider, ...rest] = named.split(':')
  const model = rest.join(':')
  if (provider === 'openai' && model !== '') {
    const openaiKey = key ?? read('OPENAI_API_KEY')
    if (openaiKey === undefined) throw wrong('TUTTI_EMBEDDING_MODEL names OpenAI; set OPENAI_API_KEY, too.')
    const openaiUrl = read('OPENAI_BASE_URL') ?? OPENAI_URL
    return { provider, model, url: checkedUrl(openaiUrl, 'OPENAI_BASE_URL'), key: openaiKey }
  }
  if (provider === 'ollama' && model !== '') return { provider, model, url: ollamaUrl(read('TUTTI_OLLAMA')) }
  throw wrong(
    `TUTTI_EMBEDDING_MODEL is "${named}"; write openai:model or ollama:model, or set TUTTI_EMBEDDING_URL for another server.`,
  )
}

/** `TUTTI_OLLAMA` is a URL, or says only that Ollama is there. */
function ollamaUrl(value: string | undefined): string {
  if (value === undefined || !/^https?:/.test(value)) return OLLAMA_URL
  const url = checkedUrl(value, 'TUTTI_OLLAMA')
  return url.endsWith('/v1') ? url : `${url}/v1`
}

function checkedUrl(value: string, variable: string): string {
  if (/^https?:$/.test(readServerUrl(value, variable)?.protocol ?? '')) return value.replace(/\/+$/, '')
  throw wrong(`${variable} is not a URL; it looks like https://host/v1.`)
}

function keyOf(key: string | undefined): { key?: string } {
  return key === undefined ? {} : { key }
}

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', message)
}
