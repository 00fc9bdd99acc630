/** A server that takes traces as OTLP over HTTP, in JSON. */
export interface Receiver {
  /** Langfuse is told more, in attributes of its own. */
  readonly kind: 'otlp' | 'langfuse'
  /** Where spans are posted to, whole. */
  readonly url: string
  /** Such as those that sign in. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of one request, in milliseconds; 10 s when absent. */
  readonly timeoutMs?: number
}

/** Where traces of runs go, and what is told in them. */
export interface TracingConfig {
  readonly receivers: readonly Receiver[]
  /** What this installation is called there; `tutti` when absent. */
  readonly serviceName?: string
  /** More that is said of this installation, such as `deployment.environment.name`. */
  readonly resource?: Readonly<Record<string, string>>
  /** Tell questions, answers, inputs and outputs of calls and messages of errors, too, with their secrets masked. */
  readonly content?: boolean
}
