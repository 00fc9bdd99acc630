import { relative } from 'node:path'
import { test, TestRunner, type RunnerTestCase } from 'vitest'
import { isAlwaysTried } from './turns.ts'

/** That of the machine, whatever time a test makes it. */
const { now } = Date

/**
 * Once the time is over it begins no test any more, but for those that are always tried, and marks what it left out.
 * `TUTTI_TEST_UNTIL` says when, in seconds since 1970, as `.ci/run` does; without it all are run, however long that takes.
 */
export default class InTime extends TestRunner {
  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup' || !this.#isOver(file)) return super.importFile(file, source)
    // oxlint-disable-next-line vitest/expect-expect -- nothing is run
    return test('for want of time', { skip: true, meta: { leftOut: true } })
  }

  override async onBeforeRunTask(one: RunnerTestCase): Promise<void> {
    if (one.mode === 'run' && this.#isOver(one.file.filepath)) {
      one.mode = 'skip'
      one.result = { state: 'skip' }
      one.meta.leftOut = true
    }
    await super.onBeforeRunTask(one)
  }

  #isOver(file: string): boolean {
    const until = Number(process.env['TUTTI_TEST_UNTIL'] || Number.POSITIVE_INFINITY)
    return now() / 1000 > until && !isAlwaysTried(relative(this.config.root, file))
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** It was not run, for want of time. */
    leftOut?: boolean
  }
}
