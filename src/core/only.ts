/** The one there is; undefined where there is none, or more than one. */
export function onlyOf<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined
}
