import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** After so many days each file was among the first. */
const TURNS = 3
const DAY_MS = 86_400_000

/** Where time may be over before all is tried: what stands beside the sources first, then a third of the rest, each day another one. */
export class InTurns extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    const files = Array.from(sorted, ({ moduleId }) => relative(process.cwd(), moduleId))
    const turns = turnsOf(files, Date.now())
    return sorted
      .map((specification, at) => ({ specification, turn: turns[at] ?? 0 }))
      .sort((one, other) => one.turn - other.turn)
      .map(({ specification }) => specification)
  }
}

/** Which files come first (0), after them (1), and so on. */
export function turnsOf(files: readonly string[], now: number): number[] {
  const rest = files.filter((file) => !file.startsWith('src/')).sort()
  const day = Math.floor(now / DAY_MS)
  return files.map((file) => (file.startsWith('src/') ? 0 : 1 + ((rest.indexOf(file) + day) % TURNS)))
}
