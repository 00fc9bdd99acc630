/** Thrown inside linking when a question cannot be answered safely; `linkQuestion` turns it into a `LinkedRefusal`. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** A change over times that are not named; what can be asked instead is found by trying it. */
export class RefusedChange extends Refused {}

/** Stops with a reason that the person who asked will read. */
export function refuse(reason: string): never {
  throw new Refused(reason)
}

/** `a`, `a or b`, `a, b or c`. */
export function listed(items: readonly string[], conjunction: 'and' | 'or' = 'or'): string {
  const unique = [...new Set(items)]
  if (unique.length < 2) return unique.join('')
  return `${unique.slice(0, -1).join(', ')} ${conjunction} ${unique.at(-1)}`
}
