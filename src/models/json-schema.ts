import { wordSet } from '../shared/word-set.ts'
import { z } from 'zod'

export type JsonSchema = { readonly [key: string]: unknown }

/**
 * The JSON schema of a prompt's output type, for the model. Objects are closed, so that a model does not add fields.
 * Types that JSON cannot express (a transform, a date) are left open and validated by zod afterwards.
 */
export function outputJsonSchema(type: z.ZodType): JsonSchema {
  const { $schema: _draft, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties ??= false
      // zod spells out the bounds of a safe integer; to a model that is noise.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return schema
}

/** A response format must be an object at its root; other schemas go into the prompt's text. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object'
}

const STRICT_KEYWORDS = wordSet(
  'type properties required additionalProperties items enum const anyOf $ref $defs definitions title description pattern format minimum maximum multipleOf minItems maxItems',
)
const STRICT_FORMATS = wordSet('date-time time date duration email hostname ipv4 ipv6 uuid')

/**
 * Whether OpenAI accepts the schema in strict mode. Strict mode guarantees a matching answer, but rejects (400)
 * unsupported schemas: every field must be required, no open objects, a short list of keywords.
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function isStrictSchema(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const node = schema as JsonSchema
  if (Object.keys(node).length === 0 || Object.keys(node).some((key) => !STRICT_KEYWORDS.has(key))) return false
  if (typeof node['format'] === 'string' && !STRICT_FORMATS.has(node['format'])) return false
  if (node['type'] === 'object' && !isStrictObject(node)) return false
  return subschemas(node).every(isStrictSchema)
}

function isStrictObject(node: JsonSchema): boolean {
  const keys = Object.keys((node['properties'] as JsonSchema | undefined) ?? {})
  const required = new Set((node['required'] as string[] | undefined) ?? [])
  return node['additionalProperties'] === false && keys.every((key) => required.has(key))
}

function subschemas(node: JsonSchema): unknown[] {
  const maps = ['properties', '$defs', 'definitions'].flatMap((key) => Object.values((node[key] as JsonSchema) ?? {}))
  const lists = [node['items'] ?? [], node['anyOf'] ?? []].flat()
  return [...maps, ...lists]
}
