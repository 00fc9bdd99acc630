import type { RunId } from '../../domain/events.ts'
import type { RunLog } from '../log/run-log.ts'

export interface EvictionHost {
  readonly log: RunLog
  /** Whether runs that wait are woken through a queue, and therefore at a time written with the wait. */
  readonly queued: boolean
  readonly nextExpiry: number | undefined
  /** Whether all that the run does is wait. */
  isWaiting(): boolean
  flush(): Promise<void>
  /** Lets go of the run: it waits on disk. */
  leave(): void
}

/** Unloads a waiting run from memory: first its status is written; any event in between cancels the unloading. */
export class Eviction {
  private readonly host: EvictionHost
  private readonly runId: RunId
  private isDue = false

  constructor(host: EvictionHost) {
    this.host = host
    this.runId = host.log.runId
  }

  /** To be looked at after the turn, since jobs may be about to continue. */
  consider(): void {
    if (this.isDue) return
    this.isDue = true
    setImmediate(() => void this.try())
  }

  private async try(): Promise<void> {
    const { host } = this
    this.isDue = false
    if (!host.isWaiting()) return
    this.isDue = true
    const lastSeq = host.log.persistedSeq + host.log.events.length
    host.log.status = 'waiting'
    if (host.queued && host.nextExpiry !== undefined) {
      host.log.wakes.push({ runId: this.runId, at: host.nextExpiry })
    }
    try {
      await host.flush()
    } catch {
      return // the log has notified the driver
    }
    this.isDue = false
    // After news, jobs may be about to continue although their waits are over.
    const isUnchanged = host.log.persistedSeq === lastSeq && host.log.events.length === 0
    if (isUnchanged && host.isWaiting()) return host.leave()
    // Events in between may even have ended the run; its final status must not be overwritten.
    host.log.status ??= 'running'
    this.consider()
  }
}
