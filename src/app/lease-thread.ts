import type { Lease } from '../domain/store.ts'
import { serveCalls } from '../processes/serve.ts'
import { openLeaseConnection, type LeasePlace } from '../storage/lease-renewal.ts'

/** Times in milliseconds. */
export interface LeaseOrder {
  readonly place: LeasePlace
  readonly leaseMs: number
  /** How often the main thread reports its leases. */
  readonly pulseMs: number
  /** A main thread that was silent for longer counts as stopped; its leases run out. */
  readonly maxSilenceMs: number
}

/** Renews leases while the main thread is silent. Until then it opens no connection. */
serveCalls(({ place, leaseMs, pulseMs, maxSilenceMs }: LeaseOrder) => {
  let leases: readonly Lease[] = []
  let heardAt = 0
  let renewAll: Awaited<ReturnType<typeof openLeaseConnection>> | undefined
  const renew = async (): Promise<void> => {
    const silentMs = performance.now() - heardAt
    if (leases.length > 0 && silentMs > 2 * pulseMs && silentMs <= maxSilenceMs) {
      try {
        renewAll ??= await openLeaseConnection(place)
        await renewAll(leases, Date.now() + leaseMs)
      } catch {
        // The store is unreachable for the moment; the next pulse tries again.
      }
    }
    setTimeout(renew, pulseMs)
  }
  setTimeout(renew, pulseMs)
  return (held: readonly Lease[]) => {
    leases = held
    heardAt = performance.now()
  }
})
