import { isObject, tryParseJson } from '../../shared/json.ts'
import { exceedsRuleText } from '../../shared/rule-text.ts'
import type { LoopTool, ToolInfo } from '../../domain/tool.ts'
import { wordSet } from '../../shared/word-set.ts'
import { requestsCall } from './asks-for.ts'
import { plainName, toolsNamed } from './tool-names.ts'
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

/** Reads a call: the name of a tool, with fields as `name=value` or JSON. No guesses. */
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
  const candidates = tools.filter(({ tool }) => namedTools.some(({ name }) => name === tool.name))
  if (candidates.length === 0) {
    return { why: `the question must say which tool to call: ${exampleNames(tools.map(({ tool }) => tool))}` }
  }
  const calls = candidates.flatMap((bound) => callOf(bound, text, namedTools[0]!.start) ?? [])
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

/** @param start where a tool is named */
function callOf(bound: LoopTool, text: string, start: number): Exclude<WrittenCall, { why: string }> | undefined {
  const { inputSchema: schema, tool } = bound
  if (tool.effect !== 'read' && !requestsCall(text, start)) return undefined
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const bare = toolsNamed(text, [tool.name]).reduce(
    (left, named) => left.slice(0, named.start) + ' '.repeat(named.end - named.start) + left.slice(named.end),
    text,
  )
  const json = /\{.*\}/s.exec(bare)?.[0]
  const jsonInput = json === undefined ? undefined : tryParseJson(json)
  const written = writtenFields(isObject(jsonInput) ? bare.replace(json!, ' ') : bare, properties)
  const input = { ...(isObject(jsonInput) ? jsonInput : {}), ...written.input }
  const isUnknown = Object.keys(input).some((name) => !Object.hasOwn(properties, name))
  if (written.isOpen || isUnknown || required.some((name) => !Object.hasOwn(input, name))) return undefined
  const words = written.left.match(/[\p{L}\p{N}][^\s]*/gu) ?? []
  const first = words.findIndex((word) => !SMALL_WORDS.has(word.toLowerCase().replace(/[\s.?!,;:]+$/, '')))
  const isSaid = first >= 0
  // A change is called for nothing but itself.
  if (isSaid && tool.effect !== 'read') return undefined
  const rest = isSaid
    ? words
        .slice(first)
        .join(' ')
        .replace(/[.?!,;]+$/, '')
    : ''
  return { bound, input, rest }
}

/** Read-only tools come first. */
function exampleNames(tools: readonly Pick<ToolInfo, 'name' | 'effect'>[]): string {
  const reading = tools.filter(({ effect }) => effect === 'read')
  const names = [...new Set([...reading, ...tools])].map(({ name }) => plainName(name))
  const omittedCount = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${omittedCount > 0 ? ` or one of ${omittedCount} more` : ''}`
}
