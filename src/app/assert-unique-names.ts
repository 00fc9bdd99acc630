import { TuttiError } from '../domain/errors.ts'

/** @throws TuttiError `ConfigurationError` for a name that one before it, or Tutti itself, has */
export function assertUniqueNames<T extends { readonly name: string }>(
  those: readonly T[],
  reserved: readonly string[],
): readonly T[] {
  const taken = new Set(reserved)
  for (const { name } of those) {
    if (taken.has(name)) {
      throw new TuttiError('ConfigurationError', `The name "${name}" is taken already; give yours another one.`)
    }
    taken.add(name)
  }
  return those
}
