import { isObject } from '../shared/json.ts'

type Schema = Readonly<Record<string, unknown>>

interface MergedSchema {
  readonly properties: Schema
  readonly required: readonly unknown[]
  readonly enum: readonly unknown[]
  readonly items?: unknown
  readonly type?: unknown
  readonly default?: unknown
  readonly format?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
}

/** Keywords taken from the first part that has them. */
const SINGLE = ['items', 'type', 'default', 'format', 'minimum', 'maximum'] as const

/** A JSON Schema with its references resolved and its alternatives but null merged: all properties and values that it names. */
export function mergedSchema(schema: unknown, root: unknown): MergedSchema {
  const properties = Object.create(null) as Record<string, unknown>
  const [required, values]: [unknown[], unknown[]] = [[], []]
  const first: { [key in (typeof SINGLE)[number]]?: unknown } = {}
  // Each part once: a foreign schema may refer to itself.
  const seen = new Set<unknown>()
  const parts: { readonly part: unknown; readonly isAlternative: boolean }[] = [{ part: schema, isAlternative: false }]
  for (const { part, isAlternative } of parts) {
    if (!isObject(part) || part['type'] === 'null' || seen.has(part)) continue
    seen.add(part)
    const { $ref, allOf, anyOf, oneOf } = part
    for (const key of SINGLE) first[key] ??= part[key]
    for (const [name, inner] of Object.entries(objectIn(part['properties']))) properties[name] ??= inner
    values.push(...listIn(part['enum']), ...('const' in part ? [part['const']] : []))
    // A field that one alternative requires may be optional in another.
    if (!isAlternative) required.push(...listIn(part['required']))
    const referred = typeof $ref === 'string' ? [pointed($ref, root)] : []
    for (const one of [...referred, ...listIn(allOf)]) parts.push({ part: one, isAlternative })
    for (const one of [...listIn(anyOf), ...listIn(oneOf)]) parts.push({ part: one, isAlternative: true })
  }
  return { ...first, properties, required, enum: values }
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

/**
 * Sorts fields by their order in a JSON schema, unknown ones last, so that a plan's field order carries no information.
 */
export function sortBySchema(schema: unknown, value: unknown, root = schema): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties } = mergedSchema(schema, root)
  if (Array.isArray(value)) return value.map((inner) => sortBySchema(items, inner, root))
  const fields = value as Schema
  const names = [...Object.keys(properties).filter((name) => Object.hasOwn(fields, name)), ...Object.keys(fields)]
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      sortBySchema(Object.hasOwn(properties, name) ? properties[name] : {}, fields[name], root),
    ]),
  )
}
