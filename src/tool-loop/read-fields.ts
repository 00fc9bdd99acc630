import { mergedSchema } from '../domain/merged-schema.ts'
import { isObject, tryParseJson } from '../shared/json.ts'

interface Fields {
  /** The arguments with values of the declared types. */
  readonly input: unknown
  readonly known: readonly string[]
  /** Fields that the schema excludes. */
  readonly unknown: readonly string[]
}

/**
 * Parses the arguments of a call by the tool's schema. If the model wrote a number, boolean, list or object as a text,
 * it is converted, unless the field allows texts.
 */
export function readFields(schema: Readonly<Record<string, unknown>>, input: unknown): Fields {
  const properties = mergedSchema(schema, schema).properties as Readonly<Record<string, unknown>>
  const known = Object.keys(properties)
  if (!isObject(input) || known.length === 0) return { input, known, unknown: [] }
  const { additionalProperties = false } = schema
  const fields = Object.entries(input).map(([name, value]) => [name, readValue(properties[name], value)] as const)
  const unknown = additionalProperties === false ? Object.keys(input).filter((name) => !known.includes(name)) : []
  return { input: Object.fromEntries(fields), known, unknown }
}

function readValue(schema: unknown, value: unknown): unknown {
  const type = isObject(schema) ? schema['type'] : undefined
  if (typeof value !== 'string' || type === undefined || type === 'string') return value
  if (Array.isArray(type) && type.includes('string')) return value
  const read = tryParseJson(value.trim())
  return read === undefined || typeof read === 'string' ? value : read
}
