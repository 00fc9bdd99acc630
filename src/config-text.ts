import type { z } from 'zod'
import { nearest } from './core/nearest.ts'

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
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }]
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
