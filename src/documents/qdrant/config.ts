/** A Qdrant server that the operator named. */
export interface QdrantConfig {
  /** Base URL without a slash at its end. */
  readonly url: string
  readonly key?: string
}
