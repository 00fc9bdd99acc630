import type { RunState } from '../../domain/state.ts'
import type { LiveRun } from './live-run.ts'

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
    const done = this.waits.filter((wait) => wait.isDone(state))
    if (done.length === 0) return
    this.waits = this.waits.filter((wait) => !done.includes(wait))
    for (const wait of done) wait.resolve()
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
