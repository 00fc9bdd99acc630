import { isObject, tryParseJson } from '../../shared/json.ts'
import { exceedsRuleText } from '../../shared/rule-text.ts'
import type { LoopTool, ToolInfo } from '../../domain/tool.ts'
import { wordSet } from '../../shared/word-set.ts'
import { singular } from '../../databases/glossary/words.ts'
import { requestsCall } from './asks-for.ts'
import { plainName, toolsNamed, withoutNaming } from './tool-names.ts'
import { writtenFields } from '../../agents/tool-agent/written-fields.ts'

/** The call that a text writes out, or why there is none. */
export type WrittenCall =
  | {
      readonly bound: LoopTool
      readonly input: Readonly<Record<string, unknown>>
      /** Text in addition to the call; empty if there is none. */
      readonly rest: string
    }
  | { readonly why: string }

/** Words that a call is asked for with, and that limit nothing. */
const SMALL_WORDS = wordSet(
  'a an the and then now also please thanks call run use using invoke execute tool tools with of to me us show give get fetch print list display what is are result results output it that this by for do',
)
/** Before the name of a tool: a call that is not wanted, or not yet. */
const NO_CALL =
  /(?:\b(?:not|never|without|avoid|if|when|unless|instead of|rather than|what would|what happens)\b|n['’]t\b)[^.!?\n]*$/i
const MAX_NAMED = 6

/** Reads a call: a tool in full or all words of its name, with fields as `name=value` or JSON. No guesses. */
export function writtenCall(text: string, tools: readonly LoopTool[]): WrittenCall {
  if (exceedsRuleText(text)) return { why: 'the text is too long to be read' }
  const namedTools = toolsNamed(
    text,
    tools.map(({ tool }) => tool.name),
  )
  const before = namedTools.length === 0 ? text : text.slice(0, Math.min(...namedTools.map(({ start }) => start)))
  if (NO_CALL.test(before)) {
    return { why: 'whether something is to be called is not clear; say “call” and the name of the tool' }
  }
  const candidates = tools.filter(({ tool }) =>
    namedTools.length > 0 ? namedTools.some(({ name }) => name === tool.name) : isSpelledOut(tool.name, text),
  )
  if (candidates.length === 0) {
    return { why: `the question must say which tool to call: ${exampleNames(tools.map(({ tool }) => tool))}` }
  }
  const start = namedTools[0]?.start
  const calls = candidates.flatMap((bound) => callOf(bound, text, start) ?? [])
  const [first, ...others] = calls
  const names = (of: readonly { readonly bound: LoopTool }[]): string =>
    of.map(({ bound }) => plainName(bound.tool.name)).join(', ')
  if (first === undefined) {
    const nearest = names(candidates.slice(0, 3).map((bound) => ({ bound })))
    return {
      why: `it is not clear what to give to ${nearest}; write each field as name=value, with quotation marks around several words`,
    }
  }
  return others.length === 0 ? first : { why: `several tools may be meant: ${names(calls)}; name one` }
}

/** @param start where a tool is named; undefined where its name is only spelled out in words */
function callOf(
  bound: LoopTool,
  text: string,
  start: number | undefined,
): Exclude<WrittenCall, { why: string }> | undefined {
  const { inputSchema: schema, tool } = bound
  const isNamed = start !== undefined
  if (tool.effect !== 'read' && !requestsCall(text, start ?? text.search(firstOf(tool.name)))) return undefined
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const bare = isNamed ? withoutNaming(text, tool.name) : text
  const json = /\{.*\}/s.exec(bare)?.[0]
  const jsonInput = json === undefined ? undefined : tryParseJson(json)
  const written = writtenFields(isObject(jsonInput) ? bare.replace(json!, ' ') : bare, properties)
  const input = { ...(isObject(jsonInput) ? jsonInput : {}), ...written.input }
  const isUnknown = Object.keys(input).some((name) => !Object.hasOwn(properties, name))
  if (written.isOpen || isUnknown || required.some((name) => !Object.hasOwn(input, name))) return undefined
  const own = new Set(isNamed ? [] : wordsOf(plainName(tool.name)))
  const isSaid = wordsOf(written.left).some((word) => !SMALL_WORDS.has(word) && !own.has(word))
  // A name that is only spelled out in words, and a change, are called for nothing but themselves.
  if (isSaid && (!isNamed || tool.effect !== 'read')) return undefined
  const rest = written.left.replaceAll(/\s+/g, ' ').replace(/^[\s,;.:–-]*(?:and |then )?/i, '')
  return { bound, input, rest: isSaid ? rest.replace(/[\s.?!,;]+$/, '') : '' }
}

/** The first word of a name. */
function firstOf(name: string): RegExp {
  return new RegExp(String.raw`\b${wordsOf(plainName(name))[0] ?? '$'}`, 'i')
}

function isSpelledOut(name: string, text: string): boolean {
  const textWords = new Set(wordsOf(text))
  const words = wordsOf(plainName(name))
  const needed = words.filter((word) => !SMALL_WORDS.has(word))
  return (needed.length === 0 ? words : needed).every((word) => textWords.has(word)) && words.length > 0
}

function wordsOf(text: string): string[] {
  const parts = text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase()
  return (parts.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular)
}

/** Read-only tools come first. */
export function exampleNames(tools: readonly Pick<ToolInfo, 'name' | 'effect'>[]): string {
  const reading = tools.filter(({ effect }) => effect === 'read')
  const names = [...new Set([...reading, ...tools])].map(({ name }) => plainName(name))
  const omittedCount = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${omittedCount > 0 ? ` or one of ${omittedCount} more` : ''}`
}
