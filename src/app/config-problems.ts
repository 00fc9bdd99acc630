import { z } from 'zod'
import { nearest } from '../core/nearest.ts'

/** What is wrong with a configuration, and where. */
export interface ConfigProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** All that is wrong with a value, in words for the person who wrote it. */
export function problemsIn(error: z.ZodError, schema: z.ZodType): ConfigProblem[] {
  const fields = jsonSchemaOf(schema)
  return error.issues.flatMap((issue) => problemsOf(issue, fields))
}

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** What an issue of the schema says, one problem for each unknown field, with the fields that there are. */
function problemsOf(issue: z.core.$ZodIssue, schema: JsonSchema): ConfigProblem[] {
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
