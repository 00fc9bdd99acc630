import { isObject, omitUndefined } from '../../shared/json.ts'
import { definitionSchema, normalizeField, type Definition } from './definition.ts'
import type { Agent } from '../../domain/actor.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import { toolAgent, type ToolAgentOptions } from '../tool-agent/tool-agent.ts'
import { relative } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'

/** An agent as read from a file. */
export interface Declared {
  readonly file: string
  readonly definition: Definition
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
  const { parse } = await import('yaml')
  const wrong = (message: string): YamlFile => ({ declared: [], problems: [{ file, message }] })
  let root: unknown
  try {
    root = parse(text, { logLevel: 'error' })
  } catch (thrown) {
    return wrong(reasonOf(thrown as Error))
  }
  if (!isObject(root)) return wrong(`It ${NO_AGENT}`)
  const several = root['agents']
  if (!isObject(several)) return readAgent(file, root, fallbackName)
  const read = Object.entries(several).map(([name, value]) =>
    isObject(value) ? readAgent(file, value, name, ['agents', name]) : wrong(`"${name}" ${NO_AGENT}`),
  )
  return { declared: read.flatMap(({ declared }) => declared), problems: read.flatMap(({ problems }) => problems) }
}

/** The parser's first error; it often causes the others. */
function reasonOf(error: Error): string {
  if ('code' in error && error.code === 'MULTIPLE_DOCS')
    return 'It holds several documents. Leave out the line ---, or list them under agents:.'
  return sentence(error.message)
}

type Fields = Readonly<Record<string, unknown>>

/** @param place path of the agent in the file */
function readAgent(file: string, given: Fields, fallbackName: string, place: readonly string[] = []): YamlFile {
  const fields = normalized(given)
  const parsed = definitionSchema.safeParse({ name: fallbackName, ...fields })
  if (parsed.success) return { declared: [{ file, definition: parsed.data }], problems: [] }
  const problems = problemsIn(parsed.error).map(({ path, message }): Problem => {
    return { file, message: `${[...place, ...path].join('.')}: ${sentence(message)}` }
  })
  return { declared: [], problems }
}

/** The fields with their names as `definitionSchema` spells them. */
function normalized(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const name = normalizeField(key)
      return [name, isObject(value) && OWN_PARTS.has(name) ? normalized(value) : value]
    }),
  )
}

function sentence(text: string): string {
  const first = text.split('\n', 1)[0]!.trim().replace(/:$/, '')
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

/** Parts with Tutti's own keys; below others, such as a JSON schema, keys stay unchanged. */
const OWN_PARTS: ReadonlySet<string> = new Set(['model', 'prompt'])

/** Something wrong in a file that declares an agent. */
export interface Problem {
  readonly file: string
  readonly message: string
}

/** Maximum number of problems in one error; the first ones often cause the others. */
const MAX_PROBLEMS = 12

/** All problems as one error, each with its file. */
export function problemsError(problems: readonly Problem[], cwd: string): TuttiError {
  const lines = problems.map(({ file, message }) => `${displayPath(file, cwd)}: ${message}`)
  const more = lines.length > MAX_PROBLEMS ? [`And ${lines.length - MAX_PROBLEMS} more.`] : []
  return new TuttiError('ConfigurationError', [...lines.slice(0, MAX_PROBLEMS), ...more].join(' '))
}

/** The path relative to this folder, as a user would type it. */
export function displayPath(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return path === '' || path.startsWith('..') ? file : path
}
