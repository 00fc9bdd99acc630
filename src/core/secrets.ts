import type { RunRequest } from './request.ts'

/**
 * What a secret is, for all of Tutti: by the name it is kept under, by the value that somebody declared, by its place in a
 * URL, by the shape of a well-known token. Whoever shows, logs or keeps something asks here.
 */

/** Stands for what must not be seen. */
export const MASK = '***'

/** Shorter values would be found in half of all texts. */
const MIN_LENGTH = 4

/** A value that is encrypted where it is kept; see `storage/sealing.ts`. Whoever cannot open it sees `***`. */
export const SEALED = /⟦sealed:1:([0-9a-f]{8}):([\w-]+)⟧/g

/** The file of a TLS key is no secret; a keyboard and a secretary are neither. */
const SECRET_NAME =
  /passw|passphrase|pwd|secret(?!ar)|token|credential|authori[sz]ation|cookie|signature|apikey|jwt|session[-_]?(?:id|key)|(?:^|[^a-z])(?:sig|auth)$|(?<!ssl)keys?\d*(?:$|[^a-z])/
/** Names that mean nothing else, even where `key` and `token` are everyday words: the input of a tool. */
const SURE_NAME =
  /passw|passphrase|pwd|secret(?!ar)|credential|authori[sz]ation|cookie|(?:api|access|private|secret)[-_]?key|(?:access|refresh|id|auth|bearer|session)[-_]?token|jwt/

/** Whether what is kept under this name is a secret: a key of the context, a variable, a header, a parameter of a URL. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(separated(name))
}

/** `clientSecret` and `client_secret` are one name. */
function separated(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}

const SCHEME = String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/`

/** Each finds secrets as whole matches; what must stand around them is looked at only. */
const PATTERNS: readonly RegExp[] = [
  SEALED,
  // The password of a URL. A port is none.
  new RegExp(String.raw`(?<=${SCHEME}[^\s:@/?#"'<>]{0,100}:)(?!\d{1,5}(?:[/?#\s"'<>]|$))[^\s"'<>]{1,300}(?=@)`, 'gi'),
  /(?<=\b(?:Bearer|Basic)\s{1,4})(?=[\w.~+/=-]{0,200}[\d=])[\w.~+/=-]{8,}/gi,
  // Keys of OpenAI, Anthropic, Stripe, AWS, GitHub, GitLab, Slack, Google, Tavily, Mailgun, npm, Hugging Face, SendGrid.
  /\b(?:sk-(?=[\w*.-]{0,60}[\d*])[\w*.-]{6,}|sk-(?:proj|ant)-[\w*.-]{6,}|[spr]k_(?:live|test)_\w{8,})/g,
  /\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,})/g,
  /\b(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|tvly-[\w-]{8,}|key-[0-9a-f]{32}|npm_\w{30,}|hf_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  /\beyJ[\w-]{4,}\.[\w-]{2,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
]
/** What is in every text with one of them, and in few others: most texts need no closer look. */
const HINT =
  /⟦sealed:|:\/\/|[?&][\w.~%+-]+=|\b(?:bearer|basic)\s|sk-|[spr]k_|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|AIza|ya29\.|tvly-|key-|npm_|hf_|SG\.|eyJ|PRIVATE KEY/i
const PARAMETER = /([?&])([\w.~%+-]{1,64})=([^&#\s"'<>]+)/g

/** What is put in the place of a secret. A number is told from a text that looks like it. */
type Change = (secret: string, kind: 'text' | 'number') => string

/** From where to where in a text. */
type Span = readonly [from: number, to: number]

/** Finds what must not be seen, and puts something else in its place. */
export interface Secrets {
  /** A text with its secrets replaced: by `***`, or by what `change` makes of each. */
  text(text: string, change?: Change): string
  /** The same for every text, and every number that is a secret, at any depth. What holds none is given back as it is. */
  value<T>(value: T, change?: Change): T
  /** Which characters of a text are secret. */
  spans(text: string): readonly Span[]
  /** How many characters at the end of a text may be the beginning of a secret that goes on. */
  openEnd(text: string): number
  /** How many characters at the beginning and at the end of a piece of text may belong to a known secret cut in two. */
  edges(text: string): readonly [start: number, end: number]
  /** As `text`, for a piece of a longer text: such edges count as secrets, too. */
  piece(text: string, change: Change): string
}

/** @param values what is known to be secret, in addition to what shows by itself */
export function createSecrets(values: Iterable<string> = []): Secrets {
  const known = [...new Set([...values].flatMap(spellings))].filter((value) => value.length >= MIN_LENGTH)
  const numbers = new Set(known.filter((value) => Number.isFinite(Number(value))))
  const anyKnown = new RegExp(known.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|') || '(?!)')
  const spans = (text: string): readonly Span[] =>
    merged([...(anyKnown.test(text) ? knownSpans(text, known) : []), ...shapeSpans(text)])
  const edges = (text: string): readonly [number, number] => [
    Math.max(0, ...known.map((value) => (value.includes(text) ? text.length : overlap(value, text)))),
    Math.max(0, ...known.map((value) => overlap(text, value))),
  ]
  const replace = (text: string, change: Change): string =>
    text.length < MIN_LENGTH ? text : replaced(text, spans(text), change)
  return {
    text: (text, change = toMask) => replace(text, change),
    value: (value, change = toMask) =>
      mapLeaves(value, (leaf) => {
        if (typeof leaf === 'string') return replace(leaf, change)
        return typeof leaf === 'number' && numbers.has(String(leaf)) ? change(String(leaf), 'number') : leaf
      }),
    spans,
    openEnd: (text) => Math.max(openShape(text), edges(text)[1]),
    edges,
    piece(text, change) {
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

function toMask(): string {
  return MASK
}

/** As it is, and as a URL writes it. */
function spellings(value: string): string[] {
  try {
    return [value, encodeURIComponent(value)]
  } catch {
    return [value] // half a character has no such spelling
  }
}

function* knownSpans(text: string, known: readonly string[]): Generator<Span> {
  for (const value of known) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) yield [at, at + value.length]
  }
}

function* shapeSpans(text: string): Generator<Span> {
  if (!HINT.test(text)) return
  for (const pattern of PATTERNS) {
    for (const { index, 0: found } of text.matchAll(pattern)) yield [index, index + found.length]
  }
  for (const { index, 0: found, 2: name = '', 3: value = '' } of text.matchAll(PARAMETER)) {
    if (isSecretName(name)) yield [index + found.length - value.length, index + found.length]
  }
}

function merged(spans: Span[]): Span[] {
  const whole: [number, number][] = []
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = whole.at(-1)
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to)
    else whole.push([from, to])
  }
  return whole
}

/** The longest end of the one that the other begins with, and goes on after. */
function overlap(first: string, second: string): number {
  for (let length = Math.min(second.length - 1, first.length); length > 0; length--) {
    if (first.endsWith(second.slice(0, length))) return length
  }
  return 0
}

/** Shapes hold no space, except after the word that names a sign-in. */
function openShape(text: string): number {
  const end = text.slice(-1_000)
  const run = /(?:\b(?:Bearer|Basic)\s{1,4})?[\x21-\x7e]*$/i.exec(end)
  return run?.[0].length ?? 0
}

/** A copy with every leaf and every name changed; the value itself where nothing is. */
export function mapLeaves<T>(value: T, change: (leaf: unknown) => unknown): T {
  return mapped(value, change) as T
}

function mapped(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const copy = value.map((inner) => mapped(inner, change))
    return copy.some((inner, i) => inner !== value[i]) ? copy : value
  }
  if (typeof value !== 'object' || value === null) return change(value)
  let isChanged = false
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    // A plain word is the name of a field more likely than a secret, and whoever reads the value needs it.
    const entry: [string, unknown] = [/^[a-z]+$/i.test(name) ? name : String(change(name)), mapped(inner, change)]
    isChanged ||= entry[0] !== name || entry[1] !== inner
    return entry
  })
  return isChanged ? Object.fromEntries(entries) : value
}

/** Replaces these values and nothing else, in what jobs work with: services like to echo what they were sent. */
export function redact(text: string, values: Iterable<string>): string {
  const known = [...values].filter((value) => value.length >= MIN_LENGTH)
  return replaced(text, merged([...knownSpans(text, known)]), toMask)
}

/** A value with everything under secret names replaced, at any depth. */
export function maskNamed<T>(value: T, isSecret: (name: string) => boolean = isSecretName): T {
  if (Array.isArray(value)) return value.map((inner) => maskNamed(inner, isSecret)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (isSecret(name) && inner !== null && typeof inner !== 'boolean') return [name, MASK]
      return [name, maskNamed(inner, /headers$/i.test(name) ? isSecretName : isSecret)]
    }),
  ) as T
}

/** The same for what programs exchange, where a `key` may be any key. */
export function maskSurelyNamed<T>(value: T): T {
  return maskNamed(value, (name) => SURE_NAME.test(separated(name)))
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
    for (const [from, to] of merged([...shapeSpans(value)])) {
      const found = value.slice(from, to)
      yield found
      yield decoded(found)
    }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // no percent-encoding, so it is meant as it stands
  }
}

/** What an event says is secret from there on; the start of a run by its context, and by what shows itself in its texts. */
export function declaredBy(event: { readonly secrets?: readonly string[]; readonly request?: RunRequest }): string[] {
  const { secrets = [], request } = event
  if (request === undefined) return [...secrets]
  const { context, question, systemPrompt } = request
  return [...secrets, ...secretsIn({ context, question, systemPrompt })]
}

/** Where an event stands. A secret such as "2026" or "sql" must not tear the log apart. */
const PLACE: ReadonlySet<string> = new Set(['type', 'runId', 'seq', 'at', 'v', 'key', 'path', 'approvalId', 'childId'])

/** An event with all that it tells changed. */
export function changeTold<E extends object>(event: E, change: (told: object) => object): E {
  const entries = Object.entries(event)
  const told = Object.fromEntries(entries.filter(([name]) => !PLACE.has(name)))
  const changed = change(told)
  if (changed === told) return event
  return { ...Object.fromEntries(entries.filter(([name]) => PLACE.has(name))), ...changed } as E
}
