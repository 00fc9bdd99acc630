import { systemClock } from '../shared/clock.ts'
import type { LeaseKeeper } from '../domain/store.ts'
import { LEASE_MS, HEARTBEAT_MS } from '../engine/run/lease.ts'
import { Helper } from '../processes/helper.ts'
import { startThread } from '../processes/thread.ts'
import type { LeasePlace } from '../storage/lease-renewal.ts'
import type { Settings } from './check-options.ts'
import type { LeaseOrder } from './lease-thread.ts'
import { leasePlaceOf } from './storage.ts'

const MAX_SILENCE_MS = 60_000
/** Variables that `pg` reads. NODE_OPTIONS is excluded, because a thread rejects some of its flags. */
const VARIABLES = /^(?:PG[A-Z]+|HOME|USER|USERNAME|APPDATA)$/i

export interface OpenLeaseKeeper extends LeaseKeeper {
  close(): Promise<void>
}

/** Undefined where nothing is stored, and with an injected clock, which the thread cannot read. */
export function openLeaseKeeper(options: Settings): OpenLeaseKeeper | undefined {
  const place = leasePlaceOf(options)
  return place === undefined || options.clock !== systemClock ? undefined : createLeaseKeeper(place)
}

/** Renews leases from a thread, which runs while there are any. */
export function createLeaseKeeper(
  place: LeasePlace,
  { leaseMs = LEASE_MS, pulseMs = HEARTBEAT_MS, maxSilenceMs = MAX_SILENCE_MS }: Partial<LeaseOrder> = {},
): OpenLeaseKeeper {
  const order: LeaseOrder = { place, leaseMs, pulseMs, maxSilenceMs }
  const helper = new Helper({
    name: 'The lease keeper',
    start: (on) =>
      startThread(new URL('./lease-thread.ts', import.meta.url), on, {
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => VARIABLES.test(name))),
      }),
    order,
    lost: ({ how }) => new Error(how),
  })
  return {
    keep(leases) {
      const sent = leases.length === 0 ? helper.kill() : helper.call(leases)
      sent.catch(() => undefined) // the next pulse starts another thread
    },
    close: () => helper.kill(),
  }
}
