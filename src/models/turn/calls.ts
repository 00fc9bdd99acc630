import type { AssistantMessage, ToolCallPart, ToolDefinition, TranscriptMessage } from '../../domain/turn.ts'
import { callId } from './prompt.ts'

type Part = AssistantMessage['parts'][number]

/** Calls of a reply under names of the tool list where that is unambiguous, and under ids that occur once in the transcript. */
export function namedCalls(
  parts: readonly Part[],
  tools: readonly ToolDefinition[],
  before: readonly TranscriptMessage[],
): readonly Part[] {
  const used = new Set(before.flatMap((message) => (message.role === 'assistant' ? message.parts.map(idOf) : [])))
  return parts.map((part, at): Part => {
    if (part.type !== 'tool-call') return part
    const id = part.id !== '' && !used.has(part.id) ? part.id : callId(`${before.length} ${at} ${part.id}`)
    used.add(id)
    return { ...part, id, name: resolveToolName(part.name, tools) }
  })
}

function idOf(part: Part): string | undefined {
  return (part as Partial<ToolCallPart>).id
}

/** The tool that a model means: by its name, by the name without its namespace, or by the end of exactly one name. */
export function resolveToolName(name: string, tools: readonly ToolDefinition[]): string {
  const names = tools.map((tool) => tool.name)
  if (names.includes(name)) return name
  const comparableName = comparable(name)
  const short = comparable(name.slice(name.search(/[^.:/]*$/)))
  const tests: ((candidate: string) => boolean)[] = [
    (candidate) => candidate === comparableName,
    (candidate) => candidate === short,
    (candidate) => candidate.endsWith(`_${short}`),
  ]
  for (const isMeant of short === '' ? [] : tests) {
    const [only, ...others] = names.filter((candidate) => isMeant(comparable(candidate)))
    if (only !== undefined && others.length === 0) return only
  }
  return name
}

function comparable(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_')
}
