import type { RunId } from '../core/events.ts'
import type { RunLog } from './run-log.ts'

export interface DepartureHost {
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

/** How a run leaves memory: its wait is written first, and whatever comes in between makes it stay. */
export class Departure {
  private readonly host: DepartureHost
  private readonly runId: RunId
  /** Stands for one try; undefined when there is none, or news came. */
  private attempt: object | undefined
  private isDue = false

  constructor(host: DepartureHost) {
    this.host = host
    this.runId = host.log.runId
  }

  /** To be looked at after the turn, since jobs may be about to go on. */
  consider(): void {
    if (this.isDue || this.attempt !== undefined) return
    this.isDue = true
    setImmediate(() => {
      this.isDue = false
      void this.try()
    })
  }

  /** News came. */
  stay(): void {
    if (this.attempt === undefined) return
    this.attempt = undefined
    this.host.log.status = 'running'
  }

  private async try(): Promise<void> {
    const { host } = this
    if (this.attempt !== undefined || !host.isWaiting()) return
    const attempt = (this.attempt = {})
    host.log.status = 'waiting'
    if (host.queued && host.nextExpiry !== undefined) {
      host.log.wakes.push({ runId: this.runId, at: host.nextExpiry })
    }
    try {
      await host.flush()
    } catch {
      return // the driver has been told by its log
    }
    if (this.attempt !== attempt) return
    if (host.isWaiting()) host.leave()
    else this.stay()
  }
}
