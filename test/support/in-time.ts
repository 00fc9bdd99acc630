import { test, TestRunner, type RunnerTestCase } from 'vitest'

/** When tests are to end, in seconds since 1970. `.ci/run` says it; without it all are run, however long that takes. */
const UNTIL = Number(process.env['TUTTI_TEST_UNTIL'] ?? Number.POSITIVE_INFINITY)

/** Begins no test any more once the time is over, and marks those that it left out. */
export default class InTime extends TestRunner {
  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup' || !isOver()) return super.importFile(file, source)
    return test.skip('for want of time', { meta: { leftOut: true } })
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
  return Date.now() / 1000 > UNTIL
}

declare module 'vitest' {
  interface TaskMeta {
    /** It was not run, for want of time. */
    leftOut?: boolean
  }
}
