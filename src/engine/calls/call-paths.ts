import { createHash } from 'node:crypto'

/**
 * Gives every call of a job a path that stays the same when the job runs again: job, attempt, name, digest of the
 * input, and an ordinal among equal ones. The digest keeps parallel chains of calls from getting each other's recorded
 * results. The ordinal separates equal calls, which are interchangeable.
 */
export class CallPaths {
  private ordinals: Map<string, number> | undefined

  /** `scope` is `key@attempt`, or the bare key for calls that must not be repeated by a later attempt either. */
  next(scope: string, name: string, input: unknown): string {
    const base = `${scope}/${name}:${digest(input)}`
    this.ordinals ??= new Map()
    const ordinal = (this.ordinals.get(base) ?? 0) + 1
    this.ordinals.set(base, ordinal)
    return ordinal === 1 ? base : `${base}#${ordinal}`
  }
}

/** A short digest of any JSON value; the order of object keys does not matter. */
export function digest(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('base64url').slice(0, 12)
}

function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? 'undefined'
  )
}
