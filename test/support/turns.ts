/** After so many days each file was among the first. */
const TURNS = 3
const DAY_MS = 86_400_000
/** Beside sources tests wait for each other; those of the product as a whole work. */
const OF_SOURCES_BESIDE_ONE = 6

/** What stands beside the sources is tried however little time there is. @param file below the project's folder */
export function isAlwaysTried(file: string): boolean {
  return file.startsWith('src/')
}

/**
 * The order of tests where time may be over before all are tried: what is always tried, among it some of the others, and
 * then the rest of those; of them another third each day comes first. In itself each keeps the order that it has.
 */
export function inTurns<T>(all: readonly T[], fileOf: (one: T) => string, now: number): T[] {
  const always = all.filter((one) => isAlwaysTried(fileOf(one)))
  const names = Array.from(all, fileOf).sort()
  const turnOf = (one: T): number => (names.indexOf(fileOf(one)) + Math.floor(now / DAY_MS)) % TURNS
  const others = all.filter((one) => !isAlwaysTried(fileOf(one))).sort((one, other) => turnOf(one) - turnOf(other))
  const order: T[] = []
  while (always.length + others.length > 0) {
    order.push(...always.splice(0, OF_SOURCES_BESIDE_ONE), ...others.splice(0, 1))
  }
  return order
}
