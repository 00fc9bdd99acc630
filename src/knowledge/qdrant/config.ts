import { TuttiError } from '../../core/errors.ts'
import { readServerUrl } from '../../core/server-url.ts'

/** A Qdrant server that the operator named. */
export interface QdrantConfig {
  /** Base URL without a slash at its end. */
  readonly url: string
  readonly key?: string
}

/**
 * Reads `TUTTI_QDRANT_URL` and `TUTTI_QDRANT_KEY`; undefined when no server is named.
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong
 */
export function qdrantFromEnvironment(env: Readonly<Record<string, string | undefined>>): QdrantConfig | undefined {
  const text = env['TUTTI_QDRANT_URL']?.trim()
  const key = env['TUTTI_QDRANT_KEY']?.trim()
  if (!text) {
    if (key) throw wrong('TUTTI_QDRANT_KEY is set, but TUTTI_QDRANT_URL is not.')
    return undefined
  }
  const url = readServerUrl(text, 'TUTTI_QDRANT_URL')
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw wrong(
      'TUTTI_QDRANT_URL is no address of a Qdrant server; write it as http://host:6333, and its key into TUTTI_QDRANT_KEY.',
    )
  }
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), ...(key ? { key } : {}) }
}

/** Host and port, for the list of hosts that may be reached and for messages. */
export function qdrantHost({ url }: QdrantConfig): string {
  const { host, protocol, port } = new URL(url)
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', message)
}
