import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inTurns } from './turns.ts'

/** Largest first, as ever, but for what may not be reached. */
export class InTurns extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const sorted = await super.sort(specifications)
    return inTurns(sorted, ({ moduleId }) => relative(root, moduleId), Date.now())
  }
}
