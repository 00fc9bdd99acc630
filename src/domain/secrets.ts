import { wordSet } from '../shared/word-set.ts'
import { KnownTexts } from '../shared/find-any-text.ts'
import { isFieldName, mapLeaves, someLeaf, decodePercent, tryParseJson } from '../shared/json.ts'
import type { RunRequest } from './request.ts'
import { isSecretName, isSurelySecretName } from '../shared/secret-names.ts'
import { secretSpellings } from '../shared/secret-spellings.ts'

/**
 * Redaction of secrets: defines what counts as one in all of Tutti, by its name, by a declared value, by its place in a
 * URL, or by the shape of a well-known token. Use it before you show, log or store a value.
 */

/** Replaces a secret. */
export const MASK = '***'

/** Shorter values would be found in half of all texts. */
const MIN_LENGTH = 4

/** The same for names of fields: "answer" and "total" are there in any run. */
const MIN_LENGTH_OF_NAME = 8
/** Without these no run could be read. */
const OWN_FIELDS: ReadonlySet<string> = wordSet('question systemPrompt conversationId strategy provenance')

/** A value that is encrypted at rest; see `storage/sealing.ts`. Without the key it reads as `***`. */
export const SEALED = /⟦sealed:1:([0-9a-f]{8}):([\w-]+)⟧/g

const SCHEME = String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/`

/** Each matches the secret only; required context is in lookarounds. */
const PATTERNS: readonly RegExp[] = [
  SEALED,
  // The password of a URL, but not a port.
  new RegExp(String.raw`(?<=${SCHEME}[^\s:@/?#"'<>]{0,100}:)(?!\d{1,5}(?:[/?#\s"'<>]|$))[^\s"'<>]{1,300}(?=@)`, 'gi'),
  /(?<=\b(?:Bearer|Basic)\s{1,4})(?=[\w.~+/=-]{0,200}[\d=])[\w.~+/=-]{8,}/gi,
  // Keys of OpenAI, Anthropic, Stripe, AWS, GitHub, GitLab, Slack, Google, Tavily, Mailgun, npm, Hugging Face, SendGrid.
  /\b(?:sk-(?=[\w*.-]{0,60}[\d*])[\w*.-]{6,}|sk-(?:proj|ant)-[\w*.-]{6,}|[spr]k_(?:live|test)_\w{8,})/g,
  /\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,})/g,
  /\b(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|tvly-[\w-]{8,}|key-[0-9a-f]{32}|npm_\w{30,}|hf_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  /\beyJ[\w-]{4,}\.[\w-]{2,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|(?=-----BEGIN )|$)/g,
]
/** Quick test: texts with a match of the patterns contain one of these, and few others do. */
const HINT =
  /⟦sealed:|:\/\/|[?&][\w.~%+-]+=|\b(?:bearer|basic)\s|sk-|[spr]k_|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|AIza|ya29\.|tvly-|key-|npm_|hf_|SG\.|eyJ|PRIVATE KEY/i
const PARAMETER = /([?&])([\w.~%+-]{1,64})=([^&#\s"'<>]+)/g
/**
 * `Password=…` of a connection string, a line of variables or a program, quoted or not. References to other values are
 * excluded.
 */
const ASSIGNMENT = {
  name: /(?<![\w.%+-])([\w.-]{2,64})(?==)/g,
  value: /=(?!\$[{(]|\$\d|\*{3})(?:"([^"\r\n]{1,500})|'([^'\r\n]{1,500})|([^\s;&"'<>]{1,500}))/dy,
}
/** A field of JSON in a text, and of JSON in JSON. */
const FIELD = {
  name: /(?<![\w.-])([\w.-]{2,64})(?=\\{0,9}["']:)/g,
  value: /(\\{0,9}["']):\s{0,9}(?:\1([^\r\n]{1,500}?)(?:(?<!\\)\1|$)|(\d{1,40}))/dy,
}
/** One of the two that continues at the end of a text. */
const OPEN_VALUE = /(?<![\w.-])([\w.-]{2,64})(?=(?:=|\\{0,9}["']:\s{0,9})(?:(\\{0,9}["'])(?:(?!\2)[^\r\n]){0,500})?$)/g
/** Between a name and its value, and in a URL. */
const NAMES_VALUE = /[=:]/
/** Characters of the shortest secret that shows without one of these: `sk-` and six more. */
const MIN_SHAPE_CHARS = 9
const NO_SPANS: readonly Span[] = []
/** Occurs in every name that surely belongs to a secret. */
const SURE_HINT = /pass|pwd|pw|secret|credential|key|token|auth|cookie|jwt|bearer|mnemonic|otp|string|code|phrase/i

/** Returns the replacement of a secret. `kind` distinguishes a number from a text that looks like it. */
type Change = (secret: string, kind: 'text' | 'number') => string

/** From where to where in a text. */
type Span = readonly [from: number, to: number]

/** Finds secrets and replaces them. */
export interface Secrets {
  /** A text with its secrets replaced: by `***`, or by the result of `change` for each. */
  text(text: string, change?: Change): string
  /**
   * The same for all texts, and all numbers that are secrets, at any depth. A value without secrets is returned
   * unchanged.
   */
  value<T>(value: T, change?: Change): T
  /** Which characters of a text are secret. */
  spans(text: string): readonly Span[]
  /** How many characters at the end of a text may be the beginning of a secret that continues. */
  openEnd(text: string): number
  /** How many characters at the beginning and at the end of a piece of text may belong to a known secret cut in two. */
  edges(text: string): readonly [start: number, end: number]
  /** As `text`, for a piece of a longer text: such edges count as secrets, too. */
  piece(text: string, change?: Change): string
}

/** @param values known secrets, in addition to those recognized by name or shape */
export function createSecrets(values: Iterable<string> = []): Secrets {
  const declared = [...new Set(values)].filter((value) => value.length >= MIN_LENGTH)
  const known = [...new Set(declared.flatMap(secretSpellings))]
  const numbers = new Set(declared.filter((value) => Number.isFinite(Number(value))))
  const names = declared.filter((value) => value.length >= MIN_LENGTH_OF_NAME && /^[a-z]+$/i.test(value))
  const knownTexts = new KnownTexts(known)
  const spans = (text: string): readonly Span[] => {
    if (text.length < MIN_LENGTH) return NO_SPANS
    return merged([...knownTexts.spansIn(text), ...(mayShowSecret(text) ? shapeSpans(text) : [])])
  }
  const edges = (text: string): readonly [number, number] => [
    Math.max(0, ...known.map((value) => (value.includes(text) ? text.length : overlap(value, text)))),
    Math.max(0, ...known.map((value) => overlap(text, value))),
  ]
  const isSecret = (leaf: unknown): boolean => {
    if (typeof leaf === 'string') return spans(leaf).length > 0
    return typeof leaf === 'number' && numbers.has(String(leaf))
  }
  const isNamed = (name: string): boolean => !OWN_FIELDS.has(name) && names.some((secret) => name.includes(secret))
  const stays = names.length === 0 ? isFieldName : (name: string) => isFieldName(name) && !isNamed(name)
  return {
    text: (text, change = maskText) => replaced(text, spans(text), change),
    value(value, change = maskText) {
      if (!someLeaf(value, isSecret, stays)) return value
      const replaceLeaf = (leaf: unknown): unknown => {
        if (!isSecret(leaf)) return leaf
        return typeof leaf === 'string' ? replaced(leaf, spans(leaf), change) : change(String(leaf), 'number')
      }
      return mapLeaves(value, replaceLeaf, stays)
    },
    spans,
    openEnd: (text) => Math.max(openShape(text), edges(text)[1]),
    edges,
    piece(text, change = maskText) {
      const [start, end] = edges(text)
      const cut: Span[] = [
        [0, start],
        [text.length - end, text.length],
      ]
      // One character is no clue, and would be found in every second piece.
      return replaced(text, merged([...spans(text), ...cut.filter(([from, to]) => to - from > 1)]), change)
    },
  }
}

function replaced(text: string, spans: readonly Span[], change: Change): string {
  if (spans.length === 0) return text
  let shown = ''
  let at = 0
  for (const [from, to] of spans) {
    shown += text.slice(at, from) + change(text.slice(from, to), 'text')
    at = to
  }
  return shown + text.slice(at)
}

function maskText(): string {
  return MASK
}

/** A quick test, since most texts contain no secret. */
function mayShowSecret(text: string): boolean {
  return text.length < MIN_SHAPE_CHARS ? NAMES_VALUE.test(text) : HINT.test(text) || NAMES_VALUE.test(text)
}

function* shapeSpans(text: string): Generator<Span> {
  if (NAMES_VALUE.test(text) && SURE_HINT.test(text)) {
    yield* namedSpans(text, ASSIGNMENT, 1)
    yield* namedSpans(text, FIELD, 2)
  }
  if (!HINT.test(text)) return
  for (const pattern of PATTERNS) {
    for (const { index, 0: found } of text.matchAll(pattern)) yield [index, index + found.length]
  }
  for (const { index, 0: found, 2: name = '', 3: value = '' } of text.matchAll(PARAMETER)) {
    if (isSecretName(name)) yield [index + found.length - value.length, index + found.length]
  }
}

/**
 * Searches for values only after names of secrets, which are few.
 * @param first index of the groups that hold the value
 */
function* namedSpans(text: string, { name, value }: typeof ASSIGNMENT, first: number): Generator<Span> {
  for (const { index, 1: found = '' } of text.matchAll(name)) {
    if (!isSureInText(found)) continue
    value.lastIndex = index + found.length
    const span = value
      .exec(text)
      ?.indices!.slice(first)
      .find((one) => one !== undefined)
    if (span !== undefined) yield span
  }
}

function merged(spans: Span[]): Span[] {
  const result: [number, number][] = []
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** The longest end of the first text that is a beginning of the second one. */
function overlap(first: string, second: string): number {
  const end = first.charCodeAt(first.length - 1)
  for (let length = Math.min(second.length - 1, first.length); length > 0; length--) {
    // Most places are out at the first look, which is far cheaper.
    if (second.charCodeAt(length - 1) !== end) continue
    if (first.endsWith(second.slice(0, length))) return length
  }
  return 0
}

/** Token shapes contain no space, except after the word `Bearer` or `Basic`. */
function openShape(text: string): number {
  const end = text.slice(-1_000)
  const run = /(?:\b(?:Bearer|Basic)\s{1,4})?[\x21-\x7e]*$/i.exec(end)
  const open = [...end.matchAll(OPEN_VALUE)].find(([name]) => isSureInText(name))
  return Math.max(run?.[0].length ?? 0, open === undefined ? 0 : end.length - open.index)
}

/** `PWD` is the working folder of a shell, and the password of a database. */
function isSureInText(name: string): boolean {
  return SURE_HINT.test(name) && (isSurelySecretName(name) || name === 'PWD')
}

/** Replaces these values, in any encoding, and nothing else. Used for tool outputs, since services echo their input. */
export function redact(text: string, values: Iterable<string>): string {
  const known = [...values].filter((value) => value.length >= MIN_LENGTH).flatMap(secretSpellings)
  return replaced(text, merged([...new KnownTexts(known).spansIn(text)]), maskText)
}

/** A value with everything under secret names replaced, at any depth. */
export function maskNamedSecrets<T>(value: T, isSecret: (name: string) => boolean = isSecretName): T {
  if (Array.isArray(value)) return value.map((inner) => maskNamedSecrets(inner, isSecret)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (isSecret(name) && inner !== null && typeof inner !== 'boolean') return [name, MASK]
      return [name, maskNamedSecrets(inner, /headers$/i.test(name) ? isSecretName : isSecret)]
    }),
  ) as T
}

/** The same for data of programs, in which a field `key` may be any key. */
export function maskLikelyNamedSecrets<T>(value: T): T {
  return maskNamedSecrets(value, isSurelySecretName)
}

/** The values that a context, a configuration or an environment declares as secret: by their names, or in their URLs. */
export function* secretsIn(value: unknown, isSecret = false): Generator<string> {
  if (Array.isArray(value)) {
    for (const inner of value) yield* secretsIn(inner, isSecret)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* secretsIn(inner, isSecret || isSecretName(name))
  } else if (isSecret && (typeof value === 'string' || typeof value === 'number')) {
    const text = String(value)
    yield text
    // A header's value, and the token in it.
    const token = /^(?:Bearer|Basic|Token)\s+(\S+)$/i.exec(text)?.[1]
    if (token !== undefined) yield token
  } else if (typeof value === 'string') {
    if (/^\s*[[{]/.test(value)) yield* secretsIn(tryParseJson(value))
    for (const [from, to] of merged([...shapeSpans(value)])) {
      const found = value.slice(from, to)
      yield found
      yield decodePercent(found)
    }
  }
}

/**
 * The secrets that an event declares. For the start of a run: those of its context, and those recognizable in its
 * texts.
 */
export function declaredBy(event: { readonly secrets?: readonly string[]; readonly request?: RunRequest }): string[] {
  const { secrets = [], request } = event
  if (request === undefined) return [...secrets]
  const { context, question, systemPrompt } = request
  return [...secrets, ...secretsIn({ context, question, systemPrompt })]
}

/**
 * Structural fields of an event. They are not masked, so that a secret such as "2026" or "sql" cannot break the log.
 */
const PLACE: ReadonlySet<string> = new Set(['type', 'runId', 'seq', 'at', 'v', 'key', 'path', 'approvalId', 'childId'])

/** Applies a change to all content of an event, but not to the event's own field names. */
export function mapEventContent<E extends object>(event: E, change: (original: unknown) => unknown): E {
  let copy = event
  for (const name in event) {
    if (PLACE.has(name)) continue
    const changedContent = change(event[name])
    if (changedContent === event[name]) continue
    if (copy === event) copy = { ...event }
    copy[name] = changedContent as E[typeof name]
  }
  return copy
}
