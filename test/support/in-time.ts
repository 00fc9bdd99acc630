import { test, TestRunner, type RunnerTestCase } from 'vitest'

/** That of the machine, whatever time a test makes it. */
const { now } = Date

/**
 * Begins no test any more once the time is over, and marks those that it left out. `TUTTI_TEST_UNTIL` says when, in seconds
 * since 1970, as `.ci/run` does; without it all are run, however long that takes.
 */
export default class InTime extends TestRunner {
  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup' || !isOver()) return super.importFile(file, source)
    // oxlint-disable-next-line vitest/expect-expect -- nothing is run
    return test('for want of time', { skip: true, meta: { leftOut: true } })
  }

  override async onBeforeRunTask(one: RunnerTestCase): Promise<void> {
    if (isOver() && one.mode === 'run') {
      one.mode = 'skip'
      one.result = { state: 'skip' }
      one.meta.leftOut = true
    }
    await super.onBeforeRunTask(one)
  }
}

function isOver(): boolean {
  return now() / 1000 > Number(process.env['TUTTI_TEST_UNTIL'] ?? Number.POSITIVE_INFINITY)
}

declare module 'vitest' {
  interface TaskMeta {
    /** It was not run, for want of time. */
    leftOut?: boolean
  }
}
