/** A seeded source of random choices: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  /** True with the given probability (0 to 1). */
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Picks with a probability proportional to each item's weight. */
  weighted<T>(items: readonly T[], weight: (item: T) => number): T
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, integer arithmetic only, hence exact everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const weighted = <T>(items: readonly T[], weight: (item: T) => number): T => {
    let rest = next() * items.reduce((sum, item) => sum + weight(item), 0)
    for (const item of items) {
      rest -= weight(item)
      if (rest < 0) return item
    }
    return last(items)
  }
  return {
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => weighted(items, () => 1),
    weighted,
  }
}

function last<T>(items: readonly T[]): T {
  const item = items.at(-1)
  if (item === undefined) throw new RangeError('Cannot pick from an empty list.')
  return item
}
