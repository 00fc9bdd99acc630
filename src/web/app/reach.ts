import { useSyncExternalStore } from 'react'

/** Whether the server can be reached, as whoever looks out for it last said, and how often it was there again. */
export class Reach {
  #isLost = false
  #returns = 0
  readonly #told = new Set<() => void>()
  readonly #seen = new WeakMap<Error, number>()

  get isLost(): boolean {
    return this.#isLost
  }

  /** @returns whether it is back with this */
  set(isLost: boolean): boolean {
    if (isLost === this.#isLost) return false
    this.#isLost = isLost
    if (!isLost) this.#returns++
    for (const tell of this.#told) tell()
    return !isLost
  }

  /** Whether an error says no more than that nobody was reached, and that is over since it was first looked at. */
  isOver(error: Error): boolean {
    if (!(error instanceof TypeError)) return false
    const at = this.#seen.get(error) ?? this.#returns
    this.#seen.set(error, at)
    return at < this.#returns
  }

  readonly listen = (tell: () => void): (() => void) => {
    this.#told.add(tell)
    return () => this.#told.delete(tell)
  }
}

/** That of this window. */
export const reach = new Reach()

export function useIsLost(): boolean {
  return useSyncExternalStore(reach.listen, () => reach.isLost)
}

/** Whether an error says no more than what is said below every page for as long as it lasts, or what is over since. */
export function useIsUnreached(error: Error | null): boolean {
  const isOver = useSyncExternalStore(reach.listen, () => error !== null && reach.isOver(error))
  return useIsLost() ? error instanceof TypeError : isOver
}

/** Whether what an error tells is over, as the connection is back since: then nobody is shown it any more. */
export function useIsOver(error: Error): boolean {
  return useSyncExternalStore(reach.listen, () => reach.isOver(error))
}
