/** The type of a parameter, as far as requests need it; a subset of JSON Schema. */
export interface ParamType {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly (string | number | boolean)[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  /** Of a list's members. */
  readonly items?: ParamType
  /** Names of an object's fields. */
  readonly fields?: readonly string[]
}

/** The styles of OpenAPI; `json` is that of a parameter that has a media type in place of one. */
export const PARAM_STYLES = [
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
  'simple',
  'label',
  'matrix',
  'json',
] as const
export type ParamStyle = (typeof PARAM_STYLES)[number]

export interface Param {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly description: string
  readonly type: ParamType
  readonly style: ParamStyle
  /** Whether each member of a list or object is written on its own: `a=1&a=2`, not `a=1,2`. */
  readonly explode: boolean
}

/** JSON Schema with all references put in, down to a sensible depth. */
export type Schema = Readonly<Record<string, unknown>>

export interface Body {
  readonly required: boolean
  readonly mediaType: string
  readonly schema: Schema
}

/** Names of the sign-ins that are needed together. */
export type SecurityRequirement = readonly string[]

export interface Endpoint {
  /** Upper case. */
  readonly method: string
  /** With placeholders, such as `/orders/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly params: readonly Param[]
  /** Computed on demand, because a large specification has thousands. */
  readonly body: () => Body | undefined
  /** `read` calls are made at once; others need a user's approval of the exact request. */
  readonly effect: 'read' | 'irreversible'
  /** Any one of them is enough. Empty: none is needed. */
  readonly security: readonly SecurityRequirement[]
  /** The operation's own server, if it differs from the catalogue's. */
  readonly server?: string
}

/** How a service wants callers to sign in (OpenAPI security schemes). */
export type SecurityScheme =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** A piece of documentation that belongs to no single endpoint. */
export interface Snippet {
  readonly title: string
  readonly text: string
}

/** The description of one HTTP API, from any file format. */
export interface Catalogue {
  readonly name: string
  readonly description: string
  /** Base URLs, of which the first one is used. May be relative if the file came from a URL. */
  readonly servers: readonly string[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly endpoints: readonly Endpoint[]
  readonly snippets: readonly Snippet[]
}
