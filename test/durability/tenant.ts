/**
 * A process that shares a store with others, each perhaps in a PID namespace of its own. Settings come as JSON in the first
 * argument. The holder starts a run and sends its mail once the file `go` exists; the neighbour tries to take the run up.
 */
import { existsSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/shared/clock.ts'
import { toTuttiError } from '../../src/domain/errors.ts'
import { openStorage } from '../../src/storage/index.ts'
import { storeWith } from '../support/watched-store.ts'
import { officeRequest, openOffice } from './office.ts'

export interface TenantSettings {
  readonly storage: { readonly dataDir?: string; readonly databaseUrl?: string }
  readonly modelUrl: string
  readonly outbox: string
  readonly runId: string
  readonly role: 'holder' | 'neighbour'
  readonly go: string
  /** Stops itself with SIGSTOP right after the intent to send is in the log. */
  readonly freezes?: true
  readonly leaseMs?: number
}

const settings = JSON.parse(process.argv[2]!) as TenantSettings
const { storage: where, modelUrl, outbox, runId, role, go, freezes, leaseMs } = settings
const say = (what: string): void => void writeSync(1, `${what}\n`)

const storage = await openStorage({ ...where, clock: systemClock, onError: (error) => console.error(error) })
const store = storeWith(storage.store, {
  async append(batch, options) {
    const outcomes = await storage.store.append(batch, options)
    const isIntent = batch.some(({ events }) => events.some((event) => event.type === 'effect.intended'))
    if (isIntent && freezes === true) {
      say('frozen')
      process.kill(process.pid, 'SIGSTOP')
      say('thawed')
    }
    return outcomes
  },
})
const engine = openOffice({
  store,
  modelUrl,
  outbox,
  isTrusting: true,
  ...(leaseMs === undefined ? {} : { leaseMs }),
  async aroundMail(when) {
    if (when !== 'before mail' || role !== 'holder' || freezes === true) return
    say('sending')
    while (!existsSync(go)) await pause(20)
  },
})
try {
  if (role === 'holder') await engine.start(officeRequest(runId), { runId })
  else await engine.resume(runId)
  say((await engine.outcome(runId)).status)
} catch (thrown) {
  say(toTuttiError(thrown).code)
}
await engine.close()
await storage.close()
