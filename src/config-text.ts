import type { z } from 'zod'

/** A configuration as it was read, and where its parts stand. */
export interface ConfigText {
  readonly value: unknown
  /** The line of a field, from 1; undefined where nobody knows, as in a program. */
  lineOf(path: readonly PropertyKey[]): number | undefined
}

/** What is wrong with a configuration, and where. */
export interface ConfigProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Reads YAML or JSON. @throws Error with the line of what cannot be read */
export async function readYaml(text: string): Promise<ConfigText> {
  const { LineCounter, parseDocument, isNode, isMap, isSeq } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken !== undefined) throw new Error(`line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  return {
    value: document.toJS() ?? {},
    lineOf(path) {
      let node: unknown = document.contents
      let named: unknown = node
      for (const step of path) {
        const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined
        if (pair !== undefined) [named, node] = [pair.key, pair.value]
        else if (isSeq(node) && typeof step === 'number') named = node = node.items[step] ?? node
        else break
      }
      return isNode(named) && named.range ? lines.linePos(named.range[0]).line : 1
    },
  }
}

/**
 * The value with `${NAME}` in each of its texts replaced by that environment variable; `$${NAME}` stays as `${NAME}`.
 * Values that are no plain data, such as agents, are left as they are.
 * @param onUnset told of each variable that is not set
 */
export function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  onUnset: (problem: ConfigProblem) => void,
  path: readonly PropertyKey[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((inner, i) => withVariables(inner, env, onUnset, [...path, i]))
  if (typeof value === 'object' && value !== null && isPlain(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withVariables(inner, env, onUnset, [...path, key])]),
    )
  }
  if (typeof value !== 'string') return value
  return value.replace(/\$(\$?)\{([A-Za-z_]\w*)\}/g, (whole, isEscaped: string, name: string) => {
    if (isEscaped !== '') return whole.slice(1)
    const found = env[name]
    if (found === undefined || found === '') {
      onUnset({ path, message: `needs the environment variable ${name}, which is not set` })
    }
    return found ?? ''
  })
}

/**
 * Variables are texts. Where a number or a switch is wanted and the text is one variable and nothing else, it becomes what it
 * says.
 * @param value as `withVariables` gave it; changed
 * @returns whether anything was changed
 */
export function setNumbers(written: unknown, value: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  let isChanged = false
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || !/^\$\{[A-Za-z_]\w*\}$/.test(String(at(written, issue.path)))) continue
    const parent = at(value, issue.path.slice(0, -1))
    const text = String(issue.input).trim()
    const said = /^(?:true|false)$/.test(text) ? text === 'true' : text === '' ? Number.NaN : Number(text)
    const wanted = issue.expected === 'int' ? 'number' : issue.expected
    if (typeof parent !== 'object' || parent === null || Number.isNaN(said) || typeof said !== wanted) continue
    Reflect.set(parent, issue.path.at(-1)!, said)
    isChanged = true
  }
  return isChanged
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, step) => (Object(inner) as Record<PropertyKey, unknown>)[step], value)
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !('run' in value)
}

/** What an issue of the schema says, one problem for each unknown field, with the fields that there are. */
export function problemsOf(issue: z.core.$ZodIssue, schema: JsonSchema): ConfigProblem[] {
  if (issue.code === 'invalid_union') {
    const fields = fieldsAt(schema, issue.path)
    const inner = issue.errors.flat().map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
    const unknown = inner.find(
      (one) => one.code === 'unrecognized_keys' && one.keys.some((key) => !fields.includes(key)),
    )
    const [first] = issue.errors
      .map((branch) => branch[0])
      .toSorted((a, b) => (b?.path.length ?? 0) - (a?.path.length ?? 0))
    if (unknown !== undefined) return problemsOf(unknown as z.core.$ZodIssue, schema)
    if (first !== undefined)
      return problemsOf({ ...first, path: [...issue.path, ...first.path] } as z.core.$ZodIssue, schema)
  }
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: inWords(issue) }]
  const fields = fieldsAt(schema, issue.path)
  return issue.keys
    .filter((key) => !fields.includes(key))
    .map((key) => {
      const near = nearest(key, fields)
      const meant = near === undefined ? '' : `; did you mean "${near}"?`
      const message = `there is no such field${meant} Allowed are: ${fields.join(', ')}`
      return { path: [...issue.path, key], message: meant === '' ? message.replace(' Allowed', '. Allowed') : message }
    })
}

/** Without the schema's own terms. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin === 'number') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big' && issue.origin === 'number') return `must be at most ${issue.maximum}`
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
  if (issue.code !== 'invalid_type') return issue.message
  const wanted = KINDS[issue.expected] ?? issue.expected
  if (issue.input === undefined) return 'is missing'
  const given = Array.isArray(issue.input) ? 'array' : issue.input === null ? 'null' : typeof issue.input
  return `${issue.path.length === 0 ? 'the configuration ' : ''}must be ${wanted}, not ${KINDS[given] ?? given}`
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  record: 'a map of fields',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'empty',
}

/** As much of a JSON schema as its fields need. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

function fieldsAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  let places = [schema]
  for (const step of path) {
    places = places.flatMap((place) => {
      const { properties, items, additionalProperties, anyOf = [] } = place
      const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
      const own = typeof step === 'number' ? items : (properties?.[String(step)] ?? rest)
      return [...(own === undefined ? [] : [own]), ...anyOf.flatMap((one) => one.properties?.[String(step)] ?? [])]
    })
  }
  const fields = places.flatMap(({ properties = {}, anyOf = [] }) => [
    ...Object.keys(properties),
    ...anyOf.flatMap((one) => Object.keys(one.properties ?? {})),
  ])
  return [...new Set(fields)].filter((field) => field !== '$schema')
}

/** The known word with the fewest letters to change, where that is less than half of them. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((one) => ({ one, distance: distance(word.toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance * 2 < Math.max(word.length, 3) ? best.one : undefined
}

/** Levenshtein's. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
