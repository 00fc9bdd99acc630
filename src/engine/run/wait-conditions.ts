import type { RunState } from '../../domain/state.ts'
import type { LiveRun } from './live-run.ts'
import type { RunId } from '../../domain/events.ts'
import type { RunLog } from '../log/run-log.ts'

interface Wait {
  readonly isDone: (state: RunState) => boolean
  readonly resolve: () => void
}

interface Host extends Pick<LiveRun, 'state' | 'clock'> {
  checkWaiting(): void
  /** Records that an approval timed out, unless it was decided; false if the write failed. */
  expire(approvalId: string): Promise<boolean>
}

/** Waits for users' decisions, for the jobs of a run, and expires approvals that time out. */
export class WaitConditions {
  private readonly host: Host
  private readonly expired = new Set<string>()
  private waits: Wait[] = []
  private cancelExpiry: (() => void) | undefined

  constructor(host: Host) {
    this.host = host
  }

  until(isDone: (state: RunState) => boolean): Promise<void> {
    if (isDone(this.host.state)) return Promise.resolve()
    return new Promise((resolve) => {
      this.waits.push({ isDone, resolve })
      this.watchExpiry()
      this.host.checkWaiting()
    })
  }

  /** Resumes all jobs whose wait is over. */
  wake(): void {
    this.expireDue()
    if (this.waits.length === 0) return
    const { state } = this.host
    const fulfilled = this.waits.filter((wait) => wait.isDone(state))
    if (fulfilled.length === 0) return
    this.waits = this.waits.filter((wait) => !fulfilled.includes(wait))
    for (const wait of fulfilled) wait.resolve()
  }

  hasNews(): boolean {
    return this.waits.some((wait) => wait.isDone(this.host.state))
  }

  /** When the next open approval runs out, in milliseconds since the epoch. */
  nextExpiry(): number | undefined {
    let next: number | undefined
    for (const approval of this.host.state.openApprovals.values()) {
      if (this.expired.has(approval.approvalId)) continue
      if (next === undefined || approval.expiresAt < next) next = approval.expiresAt
    }
    return next
  }

  clear(): void {
    this.cancelExpiry?.()
    this.waits = []
  }

  private watchExpiry(): void {
    this.cancelExpiry?.()
    const next = this.nextExpiry()
    if (next === undefined) return
    this.cancelExpiry = this.host.clock.timer(Math.max(0, next - this.host.clock.now()), () => this.wake())
  }

  private expireDue(): void {
    const { state, clock } = this.host
    if (state.openApprovals.size === 0) return
    const now = clock.now()
    for (const { approvalId, expiresAt } of state.openApprovals.values()) {
      if (expiresAt > now || this.expired.has(approvalId)) continue
      this.expired.add(approvalId)
      // If the write failed, the next check tries again.
      void this.host.expire(approvalId).then((isWritten) => isWritten || this.expired.delete(approvalId))
    }
    this.watchExpiry()
  }
}

interface EvictionHost {
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
