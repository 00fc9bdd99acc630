import { parseExactJson } from './exact-number.ts'

// These functions accept untrusted values of any shape and never throw.

/** A JSON object, rather than a list, null or a plain value. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; undefined for invalid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * As above, but numbers that a double cannot represent exactly become texts: for data that is shown, stored or sent on.
 */
export function tryParseExactJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** Decodes percent-encoding; an invalid encoding is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The beginning of a text, with a mark if it was cut off. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Cut at a word's end, with a mark that it continues. */
export function truncateAtWord(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/\s+\S*$/, '')} …` : text
}

/**
 * Shortens texts to at most `max` characters in total (at least one character each). Short texts are kept; the others
 * are cut to the same length.
 */
export function truncateTogether(texts: readonly string[], max: number): string[] {
  let remaining = max
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b)
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(remaining / (lengths.length - i))
    if (length > share)
      return texts.map((text) => (text.length > share ? truncate(text, Math.max(0, share - 1)) : text))
    remaining -= length
  }
  return [...texts]
}

/** Values as trees: leaves are texts, numbers and other scalars; names of fields can be changed like leaves. */

/** A plain word is more likely the name of a field than a secret, and readers of the value need it. */
export function isFieldName(name: string): boolean {
  return /^[a-z]+$/i.test(name)
}

/** A copy with every leaf and every name changed, except for names that are to stay. */
export function mapLeaves<T>(value: T, change: (leaf: unknown) => unknown, stays = isFieldName): T {
  if (Array.isArray(value)) return value.map((inner) => mapLeaves<unknown>(inner, change, stays)) as T
  if (typeof value !== 'object' || value === null) return change(value) as T
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    return [stays(name) ? name : String(change(name)), mapLeaves<unknown>(inner, change, stays)]
  })
  return Object.fromEntries(entries) as T
}

/** Whether there is such a leaf or name. Called for every event, and rarely true, so it copies nothing. */
export function someLeaf(value: unknown, is: (leaf: unknown) => boolean, stays = isFieldName): boolean {
  if (typeof value !== 'object' || value === null) return is(value)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (someLeaf(value[i], is, stays)) return true
    return false
  }
  for (const name in value) {
    if (someLeaf((value as Record<string, unknown>)[name], is, stays) || (!stays(name) && is(name))) return true
  }
  return false
}

/** Removes fields with the value `undefined`, so that optional fields are absent. */
export function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** The named fields of an object, without those that are undefined. */
export function pickDefined<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return omitUndefined(Object.fromEntries(names.map((name) => [name, from[name]]))) as Pick<T, K>
}

/** JSON in which the order of object keys does not matter. */
export function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? 'undefined'
  )
}
