/** An embedding model behind OpenAI's wire format. */
export interface EmbeddingConfig {
  /** First part of the name under which vectors are kept, such as `openai`. */
  readonly provider: string
  readonly model: string
  /** Base URL, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly key?: string
}
