import { isObject } from '../core/outside.ts'

/** Fields in the order in which a JSON schema names them, so that a plan says nothing by their order; all others follow. */
export function inOrderOf(schema: unknown, value: unknown): unknown {
  const { items, properties } = isObject(schema) ? schema : {}
  if (Array.isArray(value)) return value.map((inner) => inOrderOf(items, inner))
  if (!isObject(value)) return value
  const known = isObject(properties) ? properties : {}
  const names = [...Object.keys(known).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)]
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, inOrderOf(Object.hasOwn(known, name) ? known[name] : {}, value[name])]),
  )
}
