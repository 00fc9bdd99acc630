import { storableText } from '../shared/plain-name.ts'

/** Thrown for a value that is too deep or too large. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/**
 * A copy of a JSON value that databases can store: no NUL, no lone surrogates, no `__proto__` keys.
 * @throws TooMuch if it is nested deeper than `depth` or contains more than `values` values
 */
export function cleanJson(value: unknown, depth: number, values: number): unknown {
  let left = values
  const clean = (inner: unknown, room: number): unknown => {
    if (--left < 0) throw new TooMuch(`more than ${values} values`)
    if (typeof inner === 'string') return storableText(inner)
    if (typeof inner !== 'object' || inner === null) return inner
    if (room === 0) throw new TooMuch(`nested deeper than ${depth} levels`)
    if (Array.isArray(inner)) return inner.map((item) => clean(item, room - 1))
    return Object.fromEntries(
      Object.entries(inner).flatMap(([key, item]) =>
        key === '__proto__' ? [] : [[storableText(key), clean(item, room - 1)]],
      ),
    )
  }
  return clean(value, depth)
}
