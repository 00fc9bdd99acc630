/**
 * A process that runs a tool loop and kills itself at a chosen moment. Settings come as JSON in the first argument; on its standard
 * output it says `died at …` right before, or `survived` when the run was over first.
 */
import { systemClock } from '../../src/shared/clock.ts'
import { openStorage } from '../../src/storage/index.ts'
import { die, dyingStore } from './dying-store.ts'
import { loopRequest, openLoopDesk } from './loop-desk.ts'
import { approveAll } from './office.ts'
import type { VictimSettings } from './victim.ts'

const { storage: where, modelUrl, outbox, runId, dieAt } = JSON.parse(process.argv[2]!) as VictimSettings
const storage = await openStorage({ ...where, clock: systemClock, onError: (error) => console.error(error) })
const store = dyingStore(storage.store, dieAt, { appends: 0 })
const aroundMail = (when: string): void => {
  if (dieAt === when) die(when)
}
const engine = openLoopDesk({ store, modelUrl, outbox, aroundMail })
await engine.start(loopRequest(), { runId })
await approveAll(engine, store, runId)
await engine.close()
await storage.close()
console.log('survived')
