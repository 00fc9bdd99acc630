/**
 * A process that starts a run and kills itself at a chosen moment. Settings come as JSON in the first argument; on its
 * standard output it says `died at …` right before, or `survived` when the run was over first.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../src/core/clock.ts'
import type { RunStore } from '../../src/core/store.ts'
import { openStorage } from '../../src/storage/index.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { approveAll, approveFamily, officeRequest, openOffice, WITHOUT_MAIL } from './office.ts'

export interface VictimSettings {
  readonly storage: { readonly dataDir?: string; readonly databaseUrl?: string }
  readonly modelUrl: string
  readonly outbox: string
  readonly runId: string
  readonly dieAt: Death
  /** `pipeline` when absent. */
  readonly strategy?: string
  /** The plan is changed while the mail is under way, and appends are counted from there. */
  readonly replans?: boolean
  /** Approvals of the runs that the run starts are given, too. */
  readonly hasFamily?: boolean
}

/** Before or after the nth append to the log (counted from 1), or around the sending of the mail. */
export type Death = { readonly append: number; readonly when: 'before' | 'after' } | 'before mail' | 'after mail'

function die(where: string): void {
  writeSync(1, `died at ${where}\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** Dies in the midst of its appends. */
function fatal(store: RunStore, dieAt: Death): RunStore {
  return {
    async append(batch, options) {
      appends++
      const isLast = typeof dieAt === 'object' && dieAt.append === appends
      if (isLast && dieAt.when === 'before') die(`before append ${appends}`)
      const outcomes = await store.append(batch, options)
      if (isLast && dieAt.when === 'after') die(`after append ${appends}`)
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

const {
  storage: where,
  modelUrl,
  outbox,
  runId,
  dieAt,
  strategy,
  replans,
  hasFamily,
} = JSON.parse(process.argv[2]!) as VictimSettings
let appends = replans === true ? -Infinity : 0
const storage = await openStorage({ ...where, clock: systemClock, onError: (error) => console.error(error) })
const store = fatal(storage.store, dieAt)
const engine: Engine = openOffice({
  store,
  modelUrl,
  outbox,
  async aroundMail(when) {
    if (replans === true && when === 'before mail') {
      appends = 0
      await engine.replan(runId, WITHOUT_MAIL, 'the test')
    }
    if (dieAt === when) die(when)
  },
})
await engine.start(officeRequest(runId, strategy), { runId })
await (hasFamily === true ? approveFamily : approveAll)(engine, store, runId)
await engine.close()
await storage.close()
console.log('survived')
