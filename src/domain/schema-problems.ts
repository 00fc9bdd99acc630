import { z } from 'zod'
import { nearest } from '../shared/nearest.ts'

/** A problem of a value, and its path. */
export interface SchemaProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** All problems of a value, worded for the user who wrote it. */
export function problemsIn(error: z.ZodError, schema: z.ZodType): SchemaProblem[] {
  // Few mistakes need it.
  let known: JsonSchema | undefined
  return error.issues.flatMap((issue) => problemsOf(issue, () => (known ??= jsonSchemaOf(schema))))
}

/** The same as texts. @param whole the name of a problem's place if it is the value itself */
export function problemTexts(error: z.ZodError, schema: z.ZodType, whole: string): string[] {
  return problemsIn(error, schema).map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`)
}

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** The problems of a schema issue; one per unknown field, with the known fields. */
function problemsOf(issue: z.core.$ZodIssue, schema: () => JsonSchema): SchemaProblem[] {
  if (issue.code === 'invalid_union') {
    const fields = fieldsAt(schema(), issue.path)
    const inner = issue.errors.flat().map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
    const unknown = inner.find(
      (one) => one.code === 'unrecognized_keys' && one.keys.some((key) => !fields.includes(key)),
    )
    const [first] = issue.errors.map((branch) => branch[0]).toSorted((a, b) => closeness(b) - closeness(a))
    if (unknown !== undefined) return problemsOf(unknown as z.core.$ZodIssue, schema)
    if (first !== undefined)
      return problemsOf({ ...first, path: [...issue.path, ...first.path] } as z.core.$ZodIssue, schema)
  }
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: describeIssue(issue) }]
  const fields = fieldsAt(schema(), issue.path)
  const unknown = issue.keys.filter((key) => !fields.includes(key))
  if (unknown.length === 0)
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'does not go with the other fields here' }))
  return unknown.map((key) => {
    if (fields.length === 0) return { path: [...issue.path, key], message: 'there is no such field; none goes here' }
    const near = nearest(key, fields)
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`
    const message = `there is no such field${suggestion} Allowed are: ${fields.join(', ')}`
    return {
      path: [...issue.path, key],
      message: suggestion === '' ? message.replace(' Allowed', '. Allowed') : message,
    }
  })
}

/** The branch of a union that a value was meant for is wrong deep inside, or not in its type. */
function closeness(issue: z.core.$ZodIssue | undefined): number {
  return (issue?.path.length ?? 0) + (issue?.code === 'invalid_type' ? 0 : 0.5)
}

/** Without the schema's own terms. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return sizeInWords('at least', issue.origin, Number(issue.minimum), issue.message)
  if (issue.code === 'too_big') return sizeInWords('at most', issue.origin, Number(issue.maximum), issue.message)
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be a URL, such as https://host/path'
  if (issue.code !== 'invalid_type') return issue.message.replace(/^Invalid input: /, '')
  const expected = KINDS[issue.expected] ?? issue.expected
  if (issue.input === undefined) return 'is missing'
  const actual = Array.isArray(issue.input) ? 'array' : issue.input === null ? 'null' : typeof issue.input
  const kind = KINDS[actual] ?? actual
  // Text that was coerced to a number arrives as NaN, which has the type number.
  return kind === expected ? `must be ${expected}` : `must be ${expected}, not ${kind}`
}

/** Words a size problem. A custom message of the schema is kept. */
function sizeInWords(bound: 'at least' | 'at most', origin: string, size: number, message: string): string {
  if (!/^Too (?:small|big)/.test(message)) return message
  if (origin === 'string' && size === 1 && bound === 'at least') return 'must not be empty'
  const units = { string: ['character', 'characters'], array: ['entry', 'entries'] }[origin]
  if (units === undefined) return `must be ${bound} ${size}`
  return `must have ${bound} ${size} ${units[size === 1 ? 0 : 1]}`
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
