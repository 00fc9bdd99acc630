import type { Clock } from '../../shared/clock.ts'
import type { EventBody, RunId } from '../../domain/events.ts'
import { isFinal, type Append, type RunRecord, type RunStore } from '../../domain/store.ts'
import { withTimestamp } from '../log/run-log.ts'
import { runNotFoundError } from './run-errors.ts'

/** Users' commands to a running run. */
type Command = Extract<EventBody, { type: 'run.cancelling' | 'approval.decided' | 'plan.set' | 'user.said' }>

interface CommandParts {
  readonly store: RunStore
  readonly clock: Clock
  /** Whether runs are woken through a queue. */
  readonly isQueued: boolean
  /** Notifies the driver of the run, if it is in this process. */
  readonly notifyDriver: (runId: RunId) => Promise<unknown>
}

/** Writes to the logs of runs as someone who is not their worker. */
export class RunCommands {
  private readonly parts: CommandParts

  constructor(parts: CommandParts) {
    this.parts = parts
  }

  /**
   * Adds an external event, such as a decision, to a run. It is always written to the log, even if this process drives
   * the run, because the log orders concurrent decisions. False if the run is over or the approval was decided
   * meanwhile.
   */
  async send(runId: RunId, event: Command): Promise<boolean> {
    for (;;) {
      // The position is read first: if the state has changed since, the append conflicts.
      const { status, lastSeq } = await this.record(runId)
      if (isFinal(status) || (event.type === 'approval.decided' && (await this.isDecided(runId, event)))) return false
      // The status tells recovering processes that a waiting run has news, without reading its log.
      const append: Append = {
        runId,
        afterSeq: lastSeq,
        events: withTimestamp(this.parts.clock, [event]),
        status: 'running',
      }
      const outcome = await this.append(append)
      if (outcome === 'conflict') continue
      if (outcome === 'lost') throw runNotFoundError(runId)
      await this.parts.notifyDriver(runId)
      return true
    }
  }

  private async isDecided(runId: RunId, { approvalId }: { readonly approvalId: string }): Promise<boolean> {
    const approvals = await this.parts.store.approvals({ runId, approvalId })
    return approvals.some(({ status }) => status !== 'pending')
  }

  /** Ends a run that another one has begun, unless it is over. */
  async cancelChild(childId: RunId, by: string): Promise<void> {
    const record = await this.parts.store.run(childId)
    if (record === undefined || isFinal(record.status)) return
    await this.send(childId, { type: 'run.cancelling', by })
  }

  async expire(runId: RunId, approvalId: string): Promise<void> {
    await this.send(runId, { type: 'approval.decided', approvalId, decision: 'timed_out', by: 'clock' })
  }

  /** Enqueues a run. False if another process appended to it first and therefore enqueued it. */
  async wake({ runId, lastSeq }: RunRecord): Promise<boolean> {
    return (await this.append({ runId, afterSeq: lastSeq, events: [] })) === 'appended'
  }

  /** Appends as someone who is not the run's worker; the run is woken by it. */
  async append(append: Append): Promise<'appended' | 'conflict' | 'lost'> {
    const wakes = this.parts.isQueued ? { wakes: [{ runId: append.runId }] } : {}
    const [outcome] = await this.parts.store.append([{ ...append, ...wakes }], { durable: true })
    return outcome!
  }

  /** @throws TuttiError `RunNotFound` */
  async record(runId: RunId): Promise<RunRecord> {
    const record = await this.parts.store.run(runId)
    if (record === undefined) throw runNotFoundError(runId)
    return record
  }
}
