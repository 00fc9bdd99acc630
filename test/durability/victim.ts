/**
 * A process that starts a run and kills itself at a chosen moment. Settings come as JSON in the first argument; on its
 * standard output it says `died at …` right before, or `survived` when the run was over first.
 */
import { systemClock } from '../../src/shared/clock.ts'
import { openStorage } from '../../src/storage/index.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { die, dyingStore, type Death } from './dying-store.ts'
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
  /** Approves requests of nested runs, too. */
  readonly hasFamily?: boolean
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
const count = { appends: replans === true ? -Infinity : 0 }
const storage = await openStorage({ ...where, clock: systemClock, onError: (error) => console.error(error) })
const store = dyingStore(storage.store, dieAt, count)
const engine: Engine = openOffice({
  store,
  modelUrl,
  outbox,
  async aroundMail(when) {
    if (replans === true && when === 'before mail') {
      count.appends = 0
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
