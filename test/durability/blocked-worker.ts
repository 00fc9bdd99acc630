/** A process whose main thread is blocked in the middle of a run. Settings come as JSON in the first argument. */
import { join } from 'node:path'
import { createLeaseKeeper } from '../../src/app/lease-keeper.ts'
import type { LeaseOrder } from '../../src/app/lease-thread.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { openStorage } from '../../src/storage/index.ts'
import { agent, engineFor, request } from '../support/engine-world.ts'

export interface BlockedSettings {
  readonly storage: { readonly dataDir?: string; readonly databaseUrl?: string }
  readonly runId: string
  readonly blockMs: number
  readonly lease: Pick<LeaseOrder, 'leaseMs' | 'pulseMs' | 'maxSilenceMs'>
}

const { storage: where, runId, blockMs, lease } = JSON.parse(process.argv[2]!) as BlockedSettings
const { dataDir, databaseUrl = '' } = where
const storage = await openStorage({ ...where, clock: systemClock, onError: (error) => console.error(error) })
const leaseKeeper = createLeaseKeeper(
  dataDir === undefined ? { databaseUrl } : { file: join(dataDir, 'tutti.db') },
  lease,
)
const busy = agent('busy', async () => {
  console.log('blocked')
  for (const until = Date.now() + blockMs; Date.now() < until;);
  return { answer: 'kept' }
})
const engine = engineFor([busy], { store: storage.store, clock: systemClock, leaseMs: lease.leaseMs, leaseKeeper })
await engine.start(request(['busy']), { runId })
await engine.outcome(runId)
await engine.close()
await leaseKeeper.close()
await storage.close()
