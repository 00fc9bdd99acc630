import { isObject } from '../shared/json.ts'
import type { Leaving } from '../domain/tool.ts'
import { listIn, mergedSchema } from '../domain/merged-schema.ts'

/** An empty list or an empty object. */
const NESTED = 2

type Parts = Required<Pick<Leaving, 'listed' | 'fields'>> & { readonly parts: readonly unknown[] }

/**
 * The parts of an input that a JSON schema leaves open: values that it does not list, names that it does not declare,
 * and the information in the choice among declared ones (see `Leaving`).
 */
export function openParts(schema: unknown, value: unknown): Parts {
  const parts: unknown[] = []
  const listed: number[] = []
  const fields: number[] = []
  const visit = (inner: unknown, within: unknown, isNested: boolean): void => {
    const { items, properties, required, ...rest } = mergedSchema(within, schema)
    if (!Array.isArray(inner) && !isObject(inner)) {
      const among = inner === null ? undefined : listedValues(rest, String(inner))
      if (among === undefined) parts.push(inner)
      else listed.push(among)
      return
    }
    if (isNested || Object.keys(inner).length === 0) listed.push(NESTED)
    if (Array.isArray(inner)) {
      for (const one of inner) visit(one, items, true)
      return
    }
    for (const [name, one] of Object.entries(inner)) {
      const isKnown = Object.hasOwn(properties, name)
      if (!isKnown) parts.push(name)
      else if (!required.includes(name)) fields.push(Object.keys(properties).length)
      visit(one, isKnown ? properties[name] : {}, true)
    }
  }
  visit(value, schema, false)
  return { parts, listed, fields }
}

interface ValueSchema {
  readonly type?: unknown
  readonly enum?: unknown
  readonly default?: unknown
}

/** The number of values that the schema lists, if this is one of them; undefined otherwise. */
export function listedValues({ type, enum: values, default: usual }: ValueSchema, text: string): number | undefined {
  const listed = new Set(listIn(values).map(String))
  if ([type].flat().includes('boolean')) for (const one of ['true', 'false']) listed.add(one)
  if (usual !== undefined && typeof usual !== 'object') listed.add(String(usual))
  return listed.has(text) ? listed.size : undefined
}
