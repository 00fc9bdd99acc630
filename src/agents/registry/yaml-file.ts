import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml'
import { z } from 'zod'
import { definitionSchema, fieldName, FIELDS, type Definition } from './definition.ts'
import type { Problem } from './problems.ts'

/** An agent as read from a file, with the lines that its parts stand in. */
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

type Yaml = typeof import('yaml')

/** Parts whose keys are ours; below others, such as a JSON schema, keys stay as they are. */
const OWN_PARTS = new Set(['model', 'prompt'])

/**
 * Reads a file that declares one agent, or several under `agents:` by their names, as the seed's registry does.
 * @param fallbackName the name of an agent that does not give one
 */
export async function readYamlFile(file: string, text: string, fallbackName: string): Promise<YamlFile> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = document.errors.map(({ message, pos }) => ({
    file,
    line: lines.linePos(pos[0]).line,
    message: sentence(message),
  }))
  if (broken.length > 0) return { declared: [], problems: broken }
  const root: unknown = document.contents
  if (!yaml.isMap(root)) {
    return {
      declared: [],
      problems: [{ file, line: 1, message: 'It must hold the fields of an agent, such as name and description.' }],
    }
  }
  const reader = { yaml, document, lines, file }
  const several = root.get('agents', true)
  if (!yaml.isMap(several)) return readAgent(reader, root as YAMLMap, fallbackName)
  const read = several.items.map((pair) =>
    yaml.isMap(pair.value)
      ? readAgent(reader, pair.value as YAMLMap, String(pair.key))
      : {
          declared: [],
          problems: [
            {
              file,
              line: lineOfNode(reader, pair.key),
              message: `"${String(pair.key)}" must hold the fields of an agent.`,
            },
          ],
        },
  )
  return { declared: read.flatMap(({ declared }) => declared), problems: read.flatMap(({ problems }) => problems) }
}

interface Reader {
  readonly yaml: Yaml
  readonly document: Document
  readonly lines: LineCounter
  readonly file: string
}

function readAgent(reader: Reader, map: YAMLMap, fallbackName: string): YamlFile {
  const { file } = reader
  const lineOf = (path: readonly PropertyKey[]): number => lineOfNode(reader, nodeAt(reader, map, path))
  const twice = repeatedFields(map)
  const problems: Problem[] = twice.map(({ key, name }) => ({
    file,
    line: lineOfNode(reader, key),
    message: `"${String(key)}" gives ${name} for the second time; leave one of them out.`,
  }))
  const parsed = definitionSchema.safeParse({ name: fallbackName, ...(plain(reader, map) as object) })
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap((issue) => told(issue, file, lineOf)))
  if (!parsed.success || problems.length > 0) return { declared: [], problems }
  return { declared: [{ file, definition: parsed.data, lineOf }], problems }
}

/** The value of a map, with its keys as `definitionSchema` spells them. */
function plain(reader: Reader, map: YAMLMap): Record<string, unknown> {
  const { yaml, document } = reader
  return Object.fromEntries(
    map.items.map(({ key, value }) => {
      const name = fieldName(String(key))
      const isOwn = yaml.isMap(value) && OWN_PARTS.has(name)
      return [name, isOwn ? plain(reader, value as YAMLMap) : yaml.isNode(value) ? value.toJS(document) : value]
    }),
  )
}

function repeatedFields(map: YAMLMap): { readonly key: unknown; readonly name: string }[] {
  const names = map.items.map(({ key }) => ({ key, name: fieldName(String(key)) }))
  return names.filter(({ name }, i) => names.findIndex((other) => other.name === name) < i)
}

/** One problem for each unknown field, else one for the issue. */
function told(issue: z.core.$ZodIssue, file: string, lineOf: Declared['lineOf']): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const where = issue.path.length === 0 ? '' : ` in ${issue.path.join('.')}`
      const known = issue.path.length === 0 ? ` There are: ${FIELDS.join(', ')}.` : ''
      return { file, line: lineOf([...issue.path, key]), message: `There is no field "${key}"${where}.${known}` }
    })
  }
  const inner = innermost(issue)
  const field = [...issue.path, ...inner.path].map(String).join('.')
  const isMissing =
    inner.code === 'invalid_type' && inner.input === undefined && /received undefined/.test(inner.message)
  const message = isMissing ? 'is missing.' : sentence(inner.message.replace(/^Invalid input: /, ''))
  return [
    {
      file,
      line: lineOf([...issue.path, ...inner.path]),
      message: `${field || 'The agent'} ${isMissing ? message : `is not valid: ${message}`}`,
    },
  ]
}

/** Of a union, the issue of the branch that came furthest. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return { ...issue, path: [] }
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1))
  const isDeeper = (a: z.core.$ZodIssue): number => (a.code === 'invalid_type' && a.path.length === 0 ? 0 : 1)
  const best = branches.toSorted((a, b) => isDeeper(b) - isDeeper(a))[0]
  return best ?? { ...issue, path: [] }
}

/** The node that a path leads to; of a field that is missing or unknown, the nearest one. */
function nodeAt({ yaml }: Reader, map: YAMLMap, path: readonly PropertyKey[]): unknown {
  let node: unknown = map
  let isBelowOwn = true
  for (const [i, step] of path.entries()) {
    if (yaml.isMap(node)) {
      const pair: Pair | undefined = node.items.find(
        ({ key }) => String(key) === String(step) || (isBelowOwn && fieldName(String(key)) === step),
      )
      if (pair === undefined) return node
      isBelowOwn = OWN_PARTS.has(String(step))
      node = i === path.length - 1 ? pair.key : pair.value
    } else if (yaml.isSeq(node) && typeof step === 'number') node = node.items[step] ?? node
    else return node
  }
  return node
}

function lineOfNode({ lines }: Reader, node: unknown): number {
  const range = (node as Node | null)?.range
  return range === null || range === undefined ? 1 : lines.linePos(range[0]).line
}

function sentence(text: string): string {
  const first = text.split('\n', 1)[0]!.trim()
  return /[.!?]$/.test(first) ? first : `${first}.`
}
