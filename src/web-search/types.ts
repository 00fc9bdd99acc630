/** How to search: the web, recent news, or thoroughly with the text of the pages where the provider gives it. */
export type SearchKind = 'basic' | 'news' | 'deep'

export interface SearchRequest {
  readonly query: string
  readonly kind: SearchKind
  /** Results wanted, at most. */
  readonly limit: number
  readonly signal?: AbortSignal
}

export interface SearchHit {
  readonly title: string
  /** http or https, without fragment. */
  readonly url: string
  readonly snippet: string
  /** Text of the page, where the provider read it. */
  readonly content?: string
  /** 0 to 1, comparable within one search. */
  readonly score: number
  /** As the provider gives it. */
  readonly publishedAt?: string
}

export interface SearchReply {
  /** The provider's own short answer, where it gives one. */
  readonly answer?: string
  /** Best first. */
  readonly results: readonly SearchHit[]
}

/** A web search service. All that comes from it was written by strangers. */
export interface WebSearch {
  /** What people call it. */
  readonly name: string
  /** @throws TuttiError `HttpError`, `HttpRequestError`, or `ConfigurationError` when its settings are not accepted */
  search(request: SearchRequest): Promise<SearchReply>
}
