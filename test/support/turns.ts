/** After so many days each file was among the first. */
const TURNS = 3
const DAY_MS = 86_400_000

/** What stands beside the sources is tried however little time there is. @param file below the project's folder */
export function isAlwaysTried(file: string): boolean {
  return file.startsWith('src/')
}

/** Which files come first (0), after them (1), and last (2): of those that time may not reach a third each, other ones each day. */
export function turnsOf(files: readonly string[], now: number): number[] {
  const others = files.filter((file) => !isAlwaysTried(file)).sort()
  const day = Math.floor(now / DAY_MS)
  return files.map((file) => (isAlwaysTried(file) ? 0 : (others.indexOf(file) + day) % TURNS))
}
