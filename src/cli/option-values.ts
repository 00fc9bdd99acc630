import { InvalidArgumentError } from 'commander'
import { isKnownLocale } from '../shared/locale.ts'
import type { RequestInput } from '../domain/request.ts'
import { omitUndefined } from '../shared/json.ts'

export interface NamedDatabase {
  readonly url: string
  readonly name?: string
}

type Texts = Readonly<Record<string, string>>
type Context = Readonly<Record<string, string | Texts>>

/** `URL` or `name=URL`; may be repeated. */
export function parseDatabase(text: string, earlier: readonly NamedDatabase[] = []): NamedDatabase[] {
  // A scheme's colon comes before any `=` of a URL's query, so a name never swallows part of one.
  const [, name, url = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  if (url.trim() === '') throw new InvalidArgumentError('Write a URL, such as sqlite:shop.db, or name=URL.')
  return [...earlier, { url, ...omitUndefined({ name }) }]
}

export interface NamedApi {
  readonly catalogue: string
  readonly name?: string
}

/** A file or URL of an OpenAPI document or catalogue, or `name=` and one; may be repeated. */
export function parseApi(text: string, earlier: readonly NamedApi[] = []): NamedApi[] {
  const [, name, catalogue = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  if (catalogue.trim() === '') throw new InvalidArgumentError('Write a file or URL, such as openapi.yaml.')
  return [...earlier, { catalogue, ...omitUndefined({ name }) }]
}

/** What a run may ask, and where it may go. */
export interface SourceOptions {
  readonly db?: readonly NamedDatabase[]
  readonly api?: readonly NamedApi[]
  readonly apiKey?: string
  readonly allowHost?: readonly string[]
  readonly docs?: readonly string[]
  readonly mcp?: readonly string[]
}

/** The options as the app takes them. */
export function sourceOptions({ db = [], api = [], apiKey, allowHost = [], docs = [], mcp = [] }: SourceOptions) {
  return {
    databases: db,
    apis: api,
    allowHosts: allowHost,
    documents: docs,
    mcpFiles: mcp,
    ...omitUndefined({ apiKey }),
  }
}

/** `key=value`; may be repeated. */
export function parseContext(text: string, earlier: Context = {}): Context {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write key=value.')
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1)]
  return { ...earlier, [key]: key === 'api_headers' ? { ...(earlier[key] as object), ...headerIn(value) } : value }
}

function headerIn(text: string): Texts {
  const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('Write api_headers=Name: value; repeat it for another header.')
  return { [name]: value! }
}

/** `provider:model` for all, or `actor=provider:model` for one; may be repeated. */
export function parseModel(text: string, earlier: Texts = {}): Texts {
  const [, actor = 'default', model = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  if (!/^[^:\s]+(?::.+)?$/.test(model)) {
    throw new InvalidArgumentError('Write provider:model, or actor=provider:model.')
  }
  return { ...earlier, [actor]: model }
}

/** A path or pattern; may be repeated. */
export function parsePaths(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, parsePath(text)]
}

/** Names, separated by commas or given one by one. */
export function parseNames(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(',')]
}

/** Returns a parser of whole numbers. */
function wholeNumber(min: number, max: number, hint: string) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(hint)
    return value
  }
}

export const parseWholeNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Write a whole number above 0.')
export const parseCount = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Write a whole number, 0 or more.')
export const parsePort = wholeNumber(0, 65_535, 'Write a number from 0 to 65535.')

export function parseAmount(text: string): number {
  const value = Number(text)
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(text) || value <= 0) throw new InvalidArgumentError('Write a number above 0.')
  return value
}

/** An empty path, as an unset variable gives, would mean the working directory. */
export function parsePath(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Write a path.')
  return text
}

export function parseLocale(text: string): string {
  if (isKnownLocale(text)) return text
  throw new InvalidArgumentError('Write a language and a country, such as en-US or de-DE.')
}

/** What the options of `tutti ask` are parsed into. */
export interface AskOptions extends SourceOptions {
  readonly strategy?: NonNullable<RequestInput['strategy']>
  readonly collection?: readonly string[]
  readonly prefer?: readonly string[]
  readonly disable?: readonly string[]
  readonly context?: Context
  readonly systemPrompt?: string
  readonly model?: Texts
  readonly locale?: string
  readonly maxCost?: number
  readonly maxTokens?: number
  readonly maxCalls?: number
  readonly maxTurns?: number
  /** In seconds. */
  readonly timeout?: number
  /** Id, the beginning of one, or `last`. */
  readonly conversation?: string
  /** False with `--no-approvals`. */
  readonly approvals?: boolean
  /** False with `--no-memory`. */
  readonly memory?: boolean
  /** False with `--no-data`. */
  readonly data: boolean
  readonly trace?: boolean
  readonly json?: boolean
}

/** Options of what continues a run. */
export interface OutcomeOptions extends SourceOptions {
  readonly json?: boolean
  readonly trace?: boolean
}

/** The request that the options describe. */
export function requestOf(question: string, options: AskOptions): RequestInput {
  const { strategy, collection, prefer, disable, context, systemPrompt, model, locale, maxTurns } = options
  const { maxCost, maxTokens, maxCalls, timeout } = options
  const maxTimeMs = timeout === undefined ? undefined : Math.ceil(timeout * 1_000)
  return {
    question,
    includeData: options.data,
    trace: options.trace ?? false,
    budget: omitUndefined({ maxCostUsd: maxCost, maxTokens, maxCalls, maxTimeMs }),
    ...omitUndefined({
      memory: options.memory === false ? false : undefined,
      interactive: options.approvals === false ? false : undefined,
      strategy,
      collections: collection && [...collection],
      preferAgents: prefer && [...prefer],
      disableAgents: disable && [...disable],
      context,
      systemPrompt,
      models: model,
      locale,
      maxTurns,
    }),
  }
}
