import type { Source } from '../domain/result.ts'
import type { LoopTool } from '../domain/tool.ts'

const MAX_DETAIL = 1_000
const MAX_EXCERPT = 600
const KINDS: readonly string[] = [
  'database',
  'api',
  'computation',
  'document',
  'mail',
  'web',
  'mcp',
] satisfies Source['kind'][]

/** The sources that a call's output names itself, which may be none; otherwise the tool with its input. */
export function toolSources({ tool, source, show }: LoopTool, input: unknown, output: unknown): readonly Source[] {
  const own = ownSources(output)
  // A change that is confirmed in a sentence returned nothing that an answer rests on.
  if (own !== undefined || (tool.effect !== 'read' && show !== undefined)) return own ?? []
  const text = outputText(output)
  return [
    {
      ...source,
      detail: `${tool.name} ${JSON.stringify(input)}`.slice(0, MAX_DETAIL),
      ...(text === undefined ? {} : { excerpt: text.slice(0, MAX_EXCERPT) }),
    },
  ]
}

/** The text of a tool's output, if it is text. */
export function outputText(output: unknown): string | undefined {
  if (typeof output === 'string') return output
  if (typeof output !== 'object' || output === null || !('text' in output)) return undefined
  return typeof output.text === 'string' ? output.text : undefined
}

function ownSources(output: unknown): readonly Source[] | undefined {
  if (typeof output !== 'object' || output === null || !('sources' in output)) return undefined
  return Array.isArray(output.sources) ? output.sources.filter(isSource) : undefined
}

function isSource(value: unknown): value is Source {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('name' in value)) return false
  return typeof value.name === 'string' && typeof value.kind === 'string' && KINDS.includes(value.kind)
}
