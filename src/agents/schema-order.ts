import { isObject } from '../core/outside.ts'

type Schema = Readonly<Record<string, unknown>>

const MAX_DEPTH = 8

/** A JSON Schema with its references resolved and its alternatives merged: all properties and values that it names. */
export function mergedSchema(schema: unknown, root: unknown, depth = 0): Schema {
  if (!isObject(schema) || depth > MAX_DEPTH) return {}
  const { $ref, anyOf, oneOf, allOf, ...own } = schema
  const merge = (part: unknown): Schema => mergedSchema(part, root, depth + 1)
  const parts = [typeof $ref === 'string' ? pointed($ref, root) : undefined, ...listIn(allOf)].map(merge)
  // What one alternative requires, another one may not.
  const alternatives = [...listIn(anyOf), ...listIn(oneOf)].map(merge).map(({ required: _, ...rest }) => rest)
  return [...parts, ...alternatives].reduce<Schema>(
    (all, part) => ({
      ...part,
      ...all,
      properties: { ...objectIn(part['properties']), ...objectIn(all['properties']) },
      required: [...listIn(all['required']), ...listIn(part['required'])],
      enum: [...listIn(all['enum']), ...listIn(part['enum'])],
    }),
    own,
  )
}

function pointed(ref: string, root: unknown): unknown {
  const steps = ref.split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), root)
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function objectIn(value: unknown): Schema {
  return isObject(value) ? value : {}
}

/** Fields in the order in which a JSON schema names them, so that a plan says nothing by their order; all others follow. */
export function inOrderOf(schema: unknown, value: unknown, root = schema): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties } = mergedSchema(schema, root)
  if (Array.isArray(value)) return value.map((inner) => inOrderOf(items, inner, root))
  const [known, given] = [objectIn(properties), value as Schema]
  const names = [...Object.keys(known).filter((name) => Object.hasOwn(given, name)), ...Object.keys(given)]
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      inOrderOf(Object.hasOwn(known, name) ? known[name] : {}, given[name], root),
    ]),
  )
}
