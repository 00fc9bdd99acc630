import { useSyncExternalStore } from 'react'

/** Stores whether the server is reachable, as last reported by the connection check, and how often it came back. */
export class Reachability {
  #isLost = false
  #returns = 0
  readonly #listeners = new Set<() => void>()
  readonly #seen = new WeakMap<Error, number>()

  get isLost(): boolean {
    return this.#isLost
  }

  /** @returns whether the server became reachable with this call */
  set(isLost: boolean): boolean {
    if (isLost === this.#isLost) return false
    this.#isLost = isLost
    if (!isLost) this.#returns++
    for (const notify of this.#listeners) notify()
    return !isLost
  }

  /** Returns whether an error was a lost connection that has been restored since this method first saw the error. */
  isOver(error: Error): boolean {
    if (!(error instanceof TypeError)) return false
    const at = this.#seen.get(error) ?? this.#returns
    this.#seen.set(error, at)
    return at < this.#returns
  }

  readonly listen = (notify: () => void): (() => void) => {
    this.#listeners.add(notify)
    return () => this.#listeners.delete(notify)
  }
}

/** The instance of this window. */
export const reachability = new Reachability()

export function useIsOffline(): boolean {
  return useSyncExternalStore(reachability.listen, () => reachability.isLost)
}

/**
 * Returns whether an error is a lost connection, which the notice below every page already shows, or one that has been
 * restored.
 */
export function useIsConnectionError(error: Error | null): boolean {
  const isResolved = useIsResolved(error)
  return useIsOffline() ? error instanceof TypeError : isResolved
}

/** Returns whether the connection has been restored since the error. Such an error is hidden. */
export function useIsResolved(error: Error | null): boolean {
  return useSyncExternalStore(reachability.listen, () => error !== null && reachability.isOver(error))
}
