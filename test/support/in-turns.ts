import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { turnsOf } from './turns.ts'

/** The order of files where time may be over before all are tried. */
export class InTurns extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    const { root } = this.ctx.config
    const turns = turnsOf(
      Array.from(sorted, ({ moduleId }) => relative(root, moduleId)),
      Date.now(),
    )
    return sorted
      .map((specification, at) => ({ specification, turn: turns[at] ?? 0 }))
      .sort((one, other) => one.turn - other.turn)
      .map(({ specification }) => specification)
  }
}
