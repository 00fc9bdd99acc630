/** When a process of these tests is killed. */
import { writeSync } from 'node:fs'
import type { RunStore } from '../../src/domain/store.ts'

/** Before or after the nth append to the log (counted from 1), or around the sending of the mail. */
export type Death = { readonly append: number; readonly when: 'before' | 'after' } | 'before mail' | 'after mail'

export function die(where: string): void {
  writeSync(1, `died at ${where}\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** A store whose process dies during its appends. @param count number of appends so far */
export function dyingStore(store: RunStore, dieAt: Death, count: { appends: number }): RunStore {
  return {
    async append(batch, options) {
      const nth = ++count.appends
      const isLast = typeof dieAt === 'object' && dieAt.append === nth
      if (isLast && dieAt.when === 'before') die(`before append ${nth}`)
      const outcomes = await store.append(batch, options)
      if (isLast && dieAt.when === 'after') die(`after append ${nth}`)
      return outcomes
    },
    read: (...args) => store.read(...args),
    run: (...args) => store.run(...args),
    runs: (...args) => store.runs(...args),
    parts: (...args) => store.parts(...args),
    approvals: (...args) => store.approvals(...args),
    revokeApproval: (...args) => store.revokeApproval(...args),
    claim: (...args) => store.claim(...args),
    renew: (...args) => store.renew(...args),
    release: (...args) => store.release(...args),
    remove: (...args) => store.remove(...args),
    feed: store.feed,
    close: () => store.close(),
  }
}
