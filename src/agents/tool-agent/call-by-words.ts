import { ruleText } from '../../core/rule-text.ts'
import { isObject } from '../../core/outside.ts'
import type { ToolInfo } from '../../core/tool.ts'
import { stem, wordsOf } from '../../language/tokens.ts'
import { plainName, toolsNamed } from '../tool-names.ts'
import type { BoundTool } from './tools.ts'

/** The call that a text says in so many words, or why there is none. */
export type SaidCall =
  | { readonly bound: BoundTool; readonly input: Readonly<Record<string, unknown>> }
  | { readonly why: string }

type Kind = 'path' | 'url' | 'text' | 'number'

/** A value that stands in a text as it is. */
interface Literal {
  readonly kind: Kind
  readonly value: string
}

/** What a value looks like, in the order in which it is looked for; found ones are taken out of the text. */
const LITERALS: readonly (readonly [Kind, RegExp])[] = [
  ['text', /"([^"]*)"|“([^”]*)”|«([^»]*)»|`([^`\n]*)`|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu],
  ['url', /\b([a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)])/gi],
  [
    'path',
    /(?<![\p{L}\p{N}])((?:~|\.{1,2})?[/\\][^\s"'<>,;?!]*[^\s"'<>,;:?!.)]|[\p{L}\p{N}_.-]+(?:[/\\][\p{L}\p{N}_.-]+)*(?:\.\p{L}[\p{L}\p{N}]{0,7}|[/\\]))(?![\p{L}\p{N}])/gu,
  ],
  ['number', /(?<![\p{L}\p{N}.,])(-?\d+(?:\.\d+)?)(?![\p{L}\p{N}]|[.,]\d)/gu],
]
const LOOKS_LIKE_PATH = /^(?:[^\s]*[/\\]|[^.,;:!?]+\.\p{L}[\p{L}\p{N}]{0,7}$)/u
const TEXT_FILE = /\.(?:txt|md|csv|json|ya?ml|log|html?|xml|ts|js|py|sql)$/i
/** Of the name of a tool, what people do not say. */
const UNSAID = new Set(['get', 'fetch', 'do', 'the', 'a', 'an', 'of', 'to', 'by', 'for'])
const MOST_NAMED = 6
const SYNONYMS: Readonly<Record<string, string>> = { folder: 'directory' }

/** What is said before a call that is not wanted, or not yet. */
const NO_CALL =
  /(?:\b(?:not|never|without|avoid|if|when|unless|instead of|rather than|what would|what happens)\b|n['’]t\b)[^.!?\n]*$/i
const NO_CALL_AT_ALL = /^\s*(?:please\s+)?(?:do not|don['’]t|never|what would|what happens)\b/i

/**
 * The call that a text speaks of by itself: all words of the tool's name are said, or its name as it is; fields are written
 * as `name=value`, and each other value in the text can be of one field alone. With two such calls there is none: nothing is guessed.
 */
export function callByWords(whole: string, tools: readonly BoundTool[]): SaidCall {
  const text = ruleText(whole)
  const named = toolsNamed(
    text,
    tools.map(({ tool }) => tool.name),
  )
  const exact = tools.filter(({ tool }) => named.some(({ name }) => name === tool.name))
  const unnamed = named.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  )
  const said = saidWords(unnamed)
  const candidates =
    exact.length > 0 ? exact : tools.filter((bound) => wordsOfName(bound).every((word) => said.has(word)))
  const before = named.length === 0 ? text : text.slice(0, Math.min(...named.map(({ start }) => start)))
  if ((named.length === 0 ? NO_CALL_AT_ALL : NO_CALL).test(before)) {
    return { why: 'whether something is to be called is not clear; say “call” and the name of the tool' }
  }
  if (candidates.length === 0)
    return { why: `the question must say which tool to call: ${someNames(tools.map(({ tool }) => tool))}` }
  const filled = candidates.flatMap((bound) => {
    const input = inputOf(bound.inputSchema, unnamed)
    return input === undefined ? [] : [{ bound, input }]
  })
  const scoreOf = (bound: BoundTool): number => wordsOfName(bound).reduce((sum, word) => sum + (said.get(word) ?? 0), 0)
  const best = Math.max(...filled.map(({ bound }) => scoreOf(bound)))
  const [first, ...others] = filled.filter(({ bound }) => scoreOf(bound) === best)
  const names = (those: readonly { readonly bound: BoundTool }[]): string =>
    those.map(({ bound }) => plainName(bound.tool.name)).join(', ')
  if (first === undefined) {
    return {
      why: `it is not clear what to give to ${names(candidates.slice(0, 3).map((bound) => ({ bound })))}; write each field as name=value, with quotation marks around several words`,
    }
  }
  return others.length === 0 ? first : { why: `several tools may be meant: ${names([first, ...others])}; name one` }
}

/** Those that only read come first. */
export function someNames(tools: readonly Pick<ToolInfo, 'name' | 'effect'>[]): string {
  const reading = tools.filter(({ effect }) => effect === 'read')
  const names = [...new Set([...reading, ...tools])].map(({ name }) => plainName(name))
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` or one of ${more} more` : ''}`
}

function wordsOfName(bound: BoundTool): string[] {
  const words = wordsOf(plainName(bound.tool.name))
  const needed = words.filter((word) => !UNSAID.has(word))
  return (needed.length === 0 ? words : needed).map(stem)
}

/** What is said in words counts whole, what a value says by its looks counts half. */
function saidWords(text: string): ReadonlyMap<string, number> {
  const { literals, rest } = literalsIn(text)
  const paths = literals.filter(({ kind }) => kind === 'path').map(({ value }) => value)
  const implied = paths.flatMap((path) =>
    /[/\\]$/.test(path) ? ['directory'] : ['file', ...(TEXT_FILE.test(path) ? ['text'] : [])],
  )
  const spoken = wordsOf(rest).map((word) => stem(SYNONYMS[word] ?? word))
  return new Map([...implied.map((word) => [stem(word), 0.5] as const), ...spoken.map((word) => [word, 1] as const)])
}

function literalsIn(text: string): { readonly literals: readonly Literal[]; readonly rest: string } {
  let rest = text
  const found: (Literal & { readonly at: number })[] = []
  for (const [kind, pattern] of LITERALS) {
    rest = rest.replace(pattern, (whole: string, ...groups: unknown[]) => {
      const value = groups.slice(0, -2).find((group): group is string => typeof group === 'string') ?? ''
      const at = groups.findLast((group): group is number => typeof group === 'number')!
      found.push({ kind: kind === 'text' && LOOKS_LIKE_PATH.test(value) ? 'path' : kind, value, at })
      // Positions of what is found later stay what they are.
      return ' '.repeat(whole.length)
    })
  }
  return { literals: found.sort((a, b) => a.at - b.at), rest }
}

interface Field {
  readonly name: string
  readonly kind: Kind
  readonly isList: boolean
}

/** Undefined when a needed field stays open, or a value has no place. */
function inputOf(schema: BoundTool['inputSchema'], text: string): Readonly<Record<string, unknown>> | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const needed = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const { input, left, isOpen } = writtenFields(text, properties)
  if (isOpen) return undefined
  const { literals, rest } = literalsIn(left)
  const fields: Field[] = []
  for (const name of needed) {
    if (Object.hasOwn(input, name)) continue
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!isObject(field)) return undefined
    const listed = Array.isArray(field['enum']) ? field['enum'].filter((value) => isSaid(rest, String(value))) : []
    if (listed.length === 1) {
      input[name] = listed[0]
      continue
    }
    const isList = field['type'] === 'array'
    const kind = Array.isArray(field['enum']) ? undefined : kindOf(name, isList ? field['items'] : field)
    if (kind === undefined) return undefined
    fields.push({ name, kind, isList })
  }
  const isOne = fields.length === 1 && fields[0]!.kind !== 'number'
  for (const kind of ['path', 'url', 'text', 'number'] as const) {
    const wanted = fields.filter((field) => field.kind === kind)
    // One text and one value: that value, whatever it looks like.
    const values = literals.filter((one) => (isOne && one.kind !== 'number' ? fields[0]!.kind : one.kind) === kind)
    const given = values.map(({ value }) => (kind === 'number' ? Number(value) : value))
    const [only] = wanted
    if (only?.isList === true && wanted.length === 1 && given.length > 0) input[only.name] = given
    else if (given.length !== wanted.length || given.length > 1 || only?.isList === true) return undefined
    else if (only !== undefined) input[only.name] = given[0]
  }
  return input
}

/** What may stand behind a value; a word of its own may belong to it. */
const GOES_ON =
  /^[ \t]+(?!(?:and|then|or|to|in|into|on|of|from|with|using|by|for|via|at|as|please)\b|[\p{L}_][\p{L}\p{N}_-]*\s*[=:])[\p{L}\p{N}]/iu

/**
 * Fields of the tool that are written as `name=value` or `name: value`, and the text without them. It is open what is meant where a
 * field is said twice, is none of the tool, or a bare text has words behind it.
 */
export function writtenFields(
  text: string,
  properties: Readonly<Record<string, unknown>>,
): { readonly input: Record<string, unknown>; readonly left: string; readonly isOpen: boolean } {
  const input: Record<string, unknown> = {}
  let isOpen = false
  const left = text.replace(
    /(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]{0,63})\s*([=:])\s*(?:"([^"]*)"|“([^”]*)”|«([^»]*)»|`([^`]*)`|'([^'\n]*)'(?![\p{L}\p{N}])|(-?[^\s"“«`'<>,;][^\s"<>,;]*(?<![.?!])|[^\s"“«`'<>,;.?!]|(?<==[ \t]*)\.{1,2}(?=[\s,;]|$)))/gu,
    (whole: string, name: string, sign: string, ...found: unknown[]) => {
      const [at] = found.slice(6) as [number]
      const quoted = found.slice(0, 5).find((one): one is string => typeof one === 'string')
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      const type = isObject(field) ? field['type'] : undefined
      const value = isObject(field) ? typed(quoted ?? (found[5] as string | undefined) ?? '', type) : undefined
      if (value === undefined) {
        isOpen ||= sign === '='
        return whole
      }
      const goesOn = quoted === undefined && type === 'string' && GOES_ON.test(text.slice(at + whole.length))
      isOpen ||= goesOn || Object.hasOwn(input, name)
      input[name] = value
      return ' '.repeat(whole.length)
    },
  )
  return { input, left, isOpen }
}

function typed(text: string, type: unknown): unknown {
  if (type === 'string') return text
  if (type === 'boolean') return /^(?:true|false)$/.test(text) ? text === 'true' : undefined
  const isNumber = (type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text)
  return isNumber ? Number(text) : undefined
}

function kindOf(name: string, schema: unknown): Kind | undefined {
  const { type } = isObject(schema) ? schema : {}
  if (type === 'number' || type === 'integer') return 'number'
  if (type !== 'string') return undefined
  if (/ur[il]|link/i.test(name)) return 'url'
  return /path|file|dir|folder|source|destination/i.test(name) ? 'path' : 'text'
}

function isSaid(text: string, word: string): boolean {
  return ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(word).join(' ')} `)
}
