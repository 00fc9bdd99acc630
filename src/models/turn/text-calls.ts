import { isObject, parsedJson } from '../../core/outside.ts'
import type { ToolCallPart, ToolDefinition } from '../../core/turn.ts'
import { readInput } from '../reply.ts'
import { resolveToolName } from './calls.ts'

/** Keys of a call as models write it. */
const CALL_KEYS = new Set(['id', 'type', 'name', 'arguments', 'parameters', 'input'])

/** Marks with which templates begin a call: Hermes and Qwen, Mistral, Llama. */
const MARKS = ['<tool_call>', '[TOOL_CALLS]', '<|python_tag|>'] as const

interface TextCalls {
  readonly calls: readonly ToolCallPart[]
  /** What stands before them. */
  readonly text: string
}

/**
 * The calls that a model wrote as text because its server does not parse them: behind a mark of its template, or as a text that
 * is nothing but JSON that names a known tool. Undefined without any.
 */
export function textCalls(text: string, tools: readonly ToolDefinition[]): TextCalls | undefined {
  const known = new Set(tools.map(({ name }) => name))
  const isKnown = (call: ToolCallPart): boolean => known.has(resolveToolName(call.name, tools))
  const [start, mark] = MARKS.map((one) => [text.indexOf(one), one] as const)
    .filter(([at]) => at >= 0)
    .toSorted(([a], [b]) => a - b)[0] ?? [0]
  const tagged = mark === undefined ? undefined : taggedBodies(text.slice(start).trim(), mark)
  const bodies = tagged ?? [/^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(text.trim())?.[1] ?? text.trim()]
  const calls = bodies.flatMap((body) => {
    const value = parsedJson(body.trim())
    return (Array.isArray(value) ? value : [value]).map(callOf)
  })
  if (calls.length === 0 || calls.includes(undefined)) return undefined
  const found = calls.filter((call) => call !== undefined)
  if (tagged === undefined && !found.every(isKnown)) return undefined
  return { calls: found, text: text.slice(0, start).trim() }
}

/** What stands in a template's tags. */
function taggedBodies(text: string, mark: (typeof MARKS)[number]): readonly string[] {
  const bodies = text.split(mark).slice(1)
  if (mark === '<tool_call>') return bodies.map((body) => body.split('</tool_call>')[0]!)
  if (mark === '<|python_tag|>') {
    return bodies.flatMap((body) => body.replace(/<\|(?:eom|eot)_id\|>\s*$/, '').split(/;\s*(?=\{\s*")/))
  }
  return bodies.map((body) => {
    const [, name, args] = /^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(body) ?? []
    return name === undefined ? body : JSON.stringify({ name, arguments: parsedJson(args!.trim()) ?? args })
  })
}

function callOf(value: unknown): ToolCallPart | undefined {
  const call = isObject(value) && isObject(value['function']) ? value['function'] : value
  if (!isObject(call) || typeof call['name'] !== 'string') return undefined
  if (Object.keys(call).some((key) => !CALL_KEYS.has(key))) return undefined
  const args = call['arguments'] ?? call['parameters'] ?? call['input']
  if (!isObject(args) && typeof args !== 'string') return undefined
  const input = typeof args === 'string' ? args : JSON.stringify(args)
  return { type: 'tool-call', id: '', name: call['name'], ...readInput(input) }
}
