import type { QdrantConfig } from '../../documents/qdrant/client.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { EmbeddingConfig } from '../../documents/embedding/config.ts'
import { configurationError, type Environment, serverAddress, variableReader } from './environment.ts'

const OLLAMA_URL = 'http://127.0.0.1:11434/v1'
const OPENAI_URL = 'https://api.openai.com/v1'

/**
 * Reads which embedding model to use; undefined when none is named. There is no default: a hosted model costs money,
 * and receives the texts.
 *
 * | variable | meaning |
 * |---|---|
 * | `TUTTI_EMBEDDING_URL` | any server with OpenAI's `/embeddings`: base URL |
 * | `TUTTI_EMBEDDING_KEY` | its key, if it needs one |
 * | `TUTTI_EMBEDDING_MODEL` | the model; without a URL `openai:…` (with `OPENAI_API_KEY`) or `ollama:…` |
 *
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong
 */
export function embeddingFromEnv(env: Environment): EmbeddingConfig | undefined {
  const read = variableReader(env)
  const url = read('TUTTI_EMBEDDING_URL')
  const named = read('TUTTI_EMBEDDING_MODEL')
  const key = read('TUTTI_EMBEDDING_KEY')
  if (url !== undefined) {
    if (named === undefined)
      throw configurationError('TUTTI_EMBEDDING_MODEL is not set; name the model that the server has.')
    return {
      provider: 'compatible',
      model: named,
      url: serverAddress('TUTTI_EMBEDDING_URL', url),
      ...omitUndefined({ key }),
    }
  }
  if (named === undefined) {
    if (key === undefined) return undefined
    throw configurationError('TUTTI_EMBEDDING_KEY is set, but TUTTI_EMBEDDING_URL or TUTTI_EMBEDDING_MODEL is not.')
  }
  const [provider, ...rest] = named.split(':')
  const model = rest.join(':')
  if (provider === 'openai' && model !== '') {
    const openaiKey = key ?? read('OPENAI_API_KEY')
    if (openaiKey === undefined)
      throw configurationError('TUTTI_EMBEDDING_MODEL names OpenAI; set OPENAI_API_KEY, too.')
    const url = serverAddress('OPENAI_BASE_URL', read('OPENAI_BASE_URL') ?? OPENAI_URL)
    return { provider, model, url, key: openaiKey }
  }
  if (provider === 'ollama' && model !== '') return { provider, model, url: ollamaUrl(read('TUTTI_OLLAMA')) }
  throw configurationError(
    `TUTTI_EMBEDDING_MODEL is "${named}"; write openai:model or ollama:model, or set TUTTI_EMBEDDING_URL for another server.`,
  )
}

/** `TUTTI_OLLAMA` is a URL, or any other value to use Ollama's default URL. */
function ollamaUrl(value: string | undefined): string {
  if (value === undefined || !/^https?:/.test(value)) return OLLAMA_URL
  const url = serverAddress('TUTTI_OLLAMA', value)
  return url.endsWith('/v1') ? url : `${url}/v1`
}

/**
 * Reads `TUTTI_QDRANT_URL` and `TUTTI_QDRANT_KEY`; undefined when no server is named.
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong
 */
export function qdrantFromEnv(env: Environment): QdrantConfig | undefined {
  const read = variableReader(env)
  const [url, key] = [read('TUTTI_QDRANT_URL'), read('TUTTI_QDRANT_KEY')]
  if (url !== undefined) return { url: serverAddress('TUTTI_QDRANT_URL', url), ...omitUndefined({ key }) }
  if (key !== undefined) throw configurationError('TUTTI_QDRANT_KEY is set, but TUTTI_QDRANT_URL is not.')
  return undefined
}
