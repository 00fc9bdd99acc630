/**
 * A process that starts a run and kills itself at a chosen moment. Settings come as JSON in the first argument; on its
 * standard output it says `died at …` right before, or `survived` when the run was over first.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../src/shared/clock.ts'
import { openStorage } from '../../src/storage/index.ts'
import { storeWith } from '../support/watched-store.ts'
import { approveAll, officeRequest, openOffice, WITHOUT_MAIL } from './office.ts'

/** Before or after the nth append to the log (counted from 1), or around the sending of the mail. */
export type Death = { readonly append: number; readonly when: 'before' | 'after' } | 'before mail' | 'after mail'

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
}

const settings = JSON.parse(process.argv[2]!) as VictimSettings
const { storage: where, modelUrl, outbox, runId, dieAt, strategy, replans } = settings
let appends = replans === true ? -Infinity : 0
const storage = await openStorage({ ...where, clock: systemClock, onError: (error) => console.error(error) })
const store = storeWith(storage.store, {
  async append(batch, options) {
    const nth = ++appends
    const isLast = typeof dieAt === 'object' && dieAt.append === nth
    if (isLast && dieAt.when === 'before') die(`before append ${nth}`)
    const outcomes = await storage.store.append(batch, options)
    if (isLast && dieAt.when === 'after') die(`after append ${nth}`)
    return outcomes
  },
})
const engine = openOffice({
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
await approveAll(engine, store, runId)
await engine.close()
await storage.close()
console.log('survived')

function die(where: string): void {
  writeSync(1, `died at ${where}\n`)
  process.kill(process.pid, 'SIGKILL')
}
