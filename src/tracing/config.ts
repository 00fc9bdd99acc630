/** A server that accepts traces as OTLP over HTTP, in JSON. */
export interface Receiver {
  /** For Langfuse, additional attributes are set. */
  readonly kind: 'otlp' | 'langfuse'
  /** Complete URL for spans. */
  readonly url: string
  /** Additional headers, such as for authentication. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Receivers of traces, and what the traces contain. */
export interface TracingConfig {
  readonly receivers: readonly Receiver[]
  /** Name of this installation; default `tutti`. */
  readonly serviceName?: string
  /** Whether to include questions, answers, inputs and outputs of calls, and error messages, with secrets masked. */
  readonly content?: boolean
}
