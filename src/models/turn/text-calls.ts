import { isObject, parsedJson } from '../../core/outside.ts'
import type { ToolCallPart, ToolDefinition } from '../../core/turn.ts'
import { readInput } from '../reply.ts'
import { resolveToolName } from './calls.ts'

/** Keys of a call as models write it. */
const CALL_KEYS = new Set(['id', 'type', 'name', 'arguments', 'parameters', 'input'])

/**
 * The calls that a model wrote as text because its server does not parse them: in the tags of its template (Hermes, Qwen,
 * Mistral, Llama), or as JSON that names a known tool. Undefined unless the text is nothing but calls.
 */
export function textCalls(text: string, tools: readonly ToolDefinition[]): ToolCallPart[] | undefined {
  const known = new Set(tools.map(({ name }) => name))
  const isKnown = (call: ToolCallPart): boolean => known.has(resolveToolName(call.name, tools))
  const tagged = taggedBodies(text.trim())
  const bodies = tagged ?? [/^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(text.trim())?.[1] ?? text.trim()]
  const calls = bodies.flatMap((body) => {
    const value = parsedJson(body.trim())
    return (Array.isArray(value) ? value : [value]).map(callOf)
  })
  if (calls.length === 0 || calls.includes(undefined)) return undefined
  const found = calls.filter((call) => call !== undefined)
  return tagged !== undefined || found.every(isKnown) ? found : undefined
}

/** What stands in a template's tags; undefined for a text that has none, or anything else beside them. */
function taggedBodies(text: string): string[] | undefined {
  if (text.startsWith('<tool_call>')) {
    const bodies = text.split('<tool_call>').slice(1)
    return bodies.map((body) => body.trim().replace(/<\/tool_call>$/, ''))
  }
  if (text.startsWith('[TOOL_CALLS]')) {
    return text
      .split('[TOOL_CALLS]')
      .slice(1)
      .map((body) => {
        const [, name, args] = /^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(body) ?? []
        return name === undefined ? body : JSON.stringify({ name, arguments: parsedJson(args!.trim()) ?? args })
      })
  }
  if (text.startsWith('<|python_tag|>')) {
    const body = text.slice('<|python_tag|>'.length).replace(/<\|(?:eom|eot)_id\|>\s*$/, '')
    return body.split(/;\s*(?=\{\s*")/)
  }
  return undefined
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
