import { omitUndefined } from '../../shared/json.ts'
import type { YAMLError, YAMLMap, Document, LineCounter, Node, Pair } from 'yaml'
import { definitionSchema, normalizeField, type Definition } from './definition.ts'
import type { Agent } from '../../domain/actor.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import { toolAgent, type ToolAgentOptions } from '../tool-agent/tool-agent.ts'
import { relative } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'

/** An agent as read from a file, with the line numbers of its parts. */
export interface Declared {
  readonly file: string
  readonly definition: Definition
  /** The line of a field, or of an entry of its list. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

export interface YamlFile {
  readonly declared: readonly Declared[]
  readonly problems: readonly Problem[]
}

const NO_AGENT = 'must hold the fields of an agent, such as name and description.'

/**
 * Reads a file that declares one agent, or several under `agents:` by their names.
 * @param fallbackName the name of an agent that does not give one
 */
export async function readYamlFile(file: string, text: string, fallbackName: string): Promise<YamlFile> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const wrong = (line: number, message: string): YamlFile => ({ declared: [], problems: [{ file, line, message }] })
  const [broken] = document.errors
  if (broken !== undefined) return wrong(lines.linePos(broken.pos[0]).line, reasonOf(broken))
  const root: unknown = document.contents
  if (!yaml.isMap(root)) return wrong(1, `It ${NO_AGENT}`)
  const source = { yaml, document, lines }
  const several = root.get('agents', true)
  if (!yaml.isMap(several)) return readAgent(source, file, root as YAMLMap, fallbackName)
  const read = several.items.map(({ key, value }) => {
    const name = String(key)
    if (yaml.isMap(value)) return readAgent(source, file, value as YAMLMap, name)
    return wrong(lineOfNode(source, key), `"${name}" ${NO_AGENT}`)
  })
  return { declared: read.flatMap(({ declared }) => declared), problems: read.flatMap(({ problems }) => problems) }
}

/** The parser's first error; it often causes the others. */
function reasonOf({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'It holds several documents. Leave out the line ---, or list them under agents:.'
  return sentence(message)
}

function readAgent(source: YamlSource, file: string, map: YAMLMap, fallbackName: string): YamlFile {
  const find = (path: readonly PropertyKey[]): Place => positionOf(source, map, path)
  let fields: Record<string, unknown>
  try {
    fields = plain(source, map)
  } catch (thrown) {
    // An alias without its anchor, or aliases that multiply: YAML finds them only when values are made.
    const message = sentence(thrown instanceof Error ? thrown.message : String(thrown))
    return { declared: [], problems: [{ file, line: lineOfNode(source, map), message }] }
  }
  const parsed = definitionSchema.safeParse({ name: fallbackName, ...fields }, { reportInput: true })
  if (parsed.success) {
    return { declared: [{ file, definition: parsed.data, lineOf: (path) => find(path).line }], problems: [] }
  }
  const problems = problemsIn(parsed.error, definitionSchema).map(({ path, message }): Problem => {
    const { line, spelled } = find(path)
    return { file, line, message: `${spelled}: ${sentence(message)}` }
  })
  return { declared: [], problems }
}

/** The value of a map, with its keys as `definitionSchema` spells them. */
function plain(source: YamlSource, map: YAMLMap): Record<string, unknown> {
  const { yaml, document } = source
  return Object.fromEntries(
    map.items.map(({ key, value }) => {
      const name = normalizeField(String(key))
      if (yaml.isMap(value) && OWN_PARTS.has(name)) return [name, plain(source, value as YAMLMap)]
      return [name, yaml.isNode(value) ? value.toJS(document) : value]
    }),
  )
}

function sentence(text: string): string {
  const first = text.split('\n', 1)[0]!.trim()
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** The agent that a file declares, with its tools. */
export function yamlAgent(
  definition: Definition,
  tools: Pick<ToolAgentOptions, 'tools' | 'openTools' | 'offline'>,
): Agent {
  const { name, description, capabilities, useCases, maxSteps, requiredContext, retries, timeout, model } = definition
  const temperature = definition.temperature ?? model?.temperature
  const maxOutputTokens = definition.maxOutputTokens ?? model?.maxOutputTokens
  const { instructions, output } = definition.prompt ?? {}
  return toolAgent({
    name,
    description,
    capabilities,
    useCases,
    keywords: (definition.keywords ?? capabilities).map((word) => word.toLowerCase().replaceAll('_', ' ')),
    ...tools,
    maxSteps,
    limits: {
      ...omitUndefined({ timeoutMs: timeout, retries }),
    },
    ...omitUndefined({ instructions, output }),
    ...(model?.name === undefined ? {} : { model: model.name }),
    ...omitUndefined({ temperature, maxOutputTokens, requiredContext }),
  })
}

/** A document that is being read, with the line numbers of its nodes. */
interface YamlSource {
  readonly yaml: typeof import('yaml')
  readonly document: Document
  readonly lines: LineCounter
}

/** The position of a value, and its path as the file spells it. */
interface Place {
  readonly line: number
  readonly spelled: string
}

/** Parts with Tutti's own keys; below others, such as a JSON schema, keys stay unchanged. */
const OWN_PARTS: ReadonlySet<string> = new Set(['model', 'prompt'])

/** Finds the key or entry that a path of fields leads to; of a field that is missing, the nearest one around it. */
function positionOf(source: YamlSource, map: YAMLMap, path: readonly PropertyKey[]): Place {
  const { yaml } = source
  const spelled: string[] = []
  let node: unknown = map
  let named: unknown = map
  let isOwn = true
  for (const step of path) {
    const pair = yaml.isMap(node) ? pairAt(node, step, isOwn) : undefined
    spelled.push(pair === undefined ? String(step) : String(pair.key))
    if (pair !== undefined) [named, node] = [pair.key, pair.value]
    else if (yaml.isSeq(node) && typeof step === 'number') named = node = node.items[step] ?? node
    isOwn = OWN_PARTS.has(String(step))
  }
  return { line: lineOfNode(source, named), spelled: spelled.join('.') }
}

function pairAt(map: YAMLMap, step: PropertyKey, isOwn: boolean): Pair | undefined {
  return map.items.find(({ key }) => String(key) === String(step) || (isOwn && normalizeField(String(key)) === step))
}

/** From 1. */
function lineOfNode({ lines }: Pick<YamlSource, 'lines'>, node: unknown): number {
  const range = (node as Node | null)?.range
  return range === null || range === undefined ? 1 : lines.linePos(range[0]).line
}

/** Something wrong in a file that declares an agent. */
export interface Problem {
  readonly file: string
  /** From 1; absent for a problem of the whole file. */
  readonly line?: number
  readonly message: string
}

/** Maximum number of problems on one line; the first ones often cause the others. */
const MAX_PROBLEMS = 12

/** All problems as one error, each with file and line as editors and terminals understand them. */
export function problemsError(problems: readonly Problem[], cwd: string): TuttiError {
  const lines = problems.map(
    ({ file, line, message }) => `${displayPath(file, cwd)}${line === undefined ? '' : `:${line}`}: ${message}`,
  )
  const more = lines.length > MAX_PROBLEMS ? [`And ${lines.length - MAX_PROBLEMS} more.`] : []
  return new TuttiError('ConfigurationError', [...lines.slice(0, MAX_PROBLEMS), ...more].join(' '))
}

/** The path relative to this folder, as a user would type it. */
export function displayPath(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return path === '' || path.startsWith('..') ? file : path
}
