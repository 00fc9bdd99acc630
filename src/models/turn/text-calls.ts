import { isObject, tryParseJson } from '../../shared/json.ts'
import type { ToolCallPart, ToolDefinition } from '../../domain/turn.ts'
import { readInput } from '../reply.ts'
import { resolveToolName } from './calls.ts'

/** Keys of a call as models write it: its name, its arguments and others. */
const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'action'] as const
const ARGUMENT_KEYS = ['arguments', 'parameters', 'input', 'args', 'params', 'action_input'] as const
const CALL_KEYS: ReadonlySet<string> = new Set(['id', 'type', ...NAME_KEYS, ...ARGUMENT_KEYS])

/** Marks that begin calls in templates of Hermes and Qwen, Mistral, and Llama. */
const MARKS = ['<tool_call>', '[TOOL_CALLS]', '<|python_tag|>', '<function='] as const
/** The JSON that a text ends with, in a block of code or alone. */
const FENCED = /```(?:json|tool_call)?[ \t]*\n((?:(?!```)[\s\S])*?)\n?```\s*$/

interface TextCalls {
  readonly calls: readonly ToolCallPart[]
  /** The text before them. */
  readonly text: string
}

/**
 * The calls that a model wrote as text because its server does not parse them: behind a mark of its template, or as JSON that
 * names a known tool and is the whole text or a block of code at its end. Undefined without any.
 */
export function textCalls(text: string, tools: readonly ToolDefinition[]): TextCalls | undefined {
  const known = new Set(tools.map(({ name }) => name))
  const isKnown = (call: ToolCallPart): boolean => known.has(resolveToolName(call.name, tools))
  const [first] = MARKS.map((one) => [text.indexOf(one), one] as const)
    .filter(([at]) => at >= 0)
    .toSorted(([a], [b]) => a - b)
  const fenced = first === undefined ? FENCED.exec(text) : null
  const start = first?.[0] ?? fenced?.index ?? 0
  const tagged = first === undefined ? undefined : taggedBodies(text.slice(start).trim(), first[1])
  const bodies = tagged ?? [fenced?.[1] ?? text]
  const calls = bodies.flatMap((body) => {
    const value = tryParseJson(body.trim())
    return (Array.isArray(value) ? value : [value]).map(callOf)
  })
  if (calls.length === 0 || calls.includes(undefined)) return undefined
  const found = calls.filter((call) => call !== undefined)
  if (tagged === undefined && !found.every(isKnown)) return undefined
  return { calls: found, text: text.slice(0, start).trim() }
}

/** The contents of a template's tags. */
function taggedBodies(text: string, mark: (typeof MARKS)[number]): readonly string[] {
  const bodies = text.split(mark).slice(1)
  if (mark === '<tool_call>') {
    return bodies
      .map((body) => body.split('</tool_call>')[0]!)
      .map((body) => (/^\s*<function=/.test(body) ? functionBody(body) : body))
  }
  if (mark === '<function=') return bodies.map((body) => functionBody(mark + body))
  if (mark === '<|python_tag|>') {
    return bodies.flatMap((body) => body.replace(/<\|(?:eom|eot)_id\|>\s*$/, '').split(/;\s*(?=\{\s*")/))
  }
  return bodies.map((body) => {
    const [, name, args] = /^\s*([\w.-]+)\s*(?:\[ARGS\]\s*)?(\{[\s\S]*)$/.exec(body) ?? []
    return name === undefined ? body : JSON.stringify({ name, arguments: tryParseJson(args!.trim()) ?? args })
  })
}

/** `<function=name>` with JSON, or with a tag for each parameter; as JSON. */
function functionBody(body: string): string {
  const [, name, content = ''] = /<function=([\w.:-]+)>([\s\S]*?)(?:<\/function>|$)/.exec(body) ?? []
  const fields = Array.from(
    content.matchAll(/<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g),
    ([, key, value]) => [key!, tryParseJson(value!) ?? value!],
  )
  const args = fields.length > 0 ? Object.fromEntries(fields) : (tryParseJson(content.trim() || '{}') ?? content)
  return JSON.stringify({ name, arguments: args })
}

function callOf(value: unknown): ToolCallPart | undefined {
  const call = isObject(value) && isObject(value['function']) ? value['function'] : value
  if (!isObject(call) || Object.keys(call).some((key) => !CALL_KEYS.has(key))) return undefined
  const name = NAME_KEYS.map((key) => call[key]).find((one) => typeof one === 'string')
  const args = ARGUMENT_KEYS.map((key) => call[key]).find((one) => one !== undefined)
  if (name === undefined) return undefined
  if (!isObject(args) && typeof args !== 'string') return undefined
  const input = typeof args === 'string' ? args : JSON.stringify(args)
  return { type: 'tool-call', id: '', name, ...readInput(input) }
}
