/** A Qdrant server that the operator named. */
export interface QdrantConfig {
  /** Base URL without a slash at its end. */
  readonly url: string
  readonly key?: string
}

/** Host and port, for the list of hosts that may be reached and for messages. */
export function qdrantHost({ url }: QdrantConfig): string {
  const { host, protocol, port } = new URL(url)
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}
