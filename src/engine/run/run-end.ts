import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { isTerminal, type BudgetLimit, type EventBody, type RunEvent } from '../../domain/events.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { endUnfinished, isOver, reopen, type RunState } from '../../domain/state.ts'
import type { Finish } from '../../domain/strategy.ts'
import type { AnswerStream } from '../calls/answer-stream.ts'
import type { Children, LiveRun } from './live-run.ts'
import type { RunLog } from '../log/run-log.ts'
import type { RunningJobs } from './running-jobs.ts'

interface Host extends Pick<LiveRun, 'state' | 'push' | 'flush'> {
  readonly log: RunLog
  /** Whether runs that wait are woken through a queue. */
  readonly queued: boolean
  /** Nothing more is done with the run here. */
  readonly isLeft: boolean
  /** Called when the last event is on disk. */
  over(): void
}

interface Parts {
  readonly jobs: RunningJobs
  readonly answer: Pick<AnswerStream, 'flush'>
  readonly cancel: Children['cancel']
}

/** Ends a run, or some of its jobs, together with their nested runs and approvals. */
export class RunEnd {
  private readonly host: Host
  private readonly parts: Parts

  constructor(host: Host, parts: Parts) {
    this.host = host
    this.parts = parts
  }

  finish(how: Finish): void {
    const { jobs } = this.parts
    if (jobs.size > 0) {
      jobs.abandon(new TuttiError('Cancelled', 'The run is over.'))
      void this.cancelChildren()
    }
    const error = how.error ?? { type: 'Internal', message: 'The run ended without an answer.' }
    this.close(how.finish === 'answered' ? { type: 'run.finished' } : { type: 'run.failed', error })
  }

  cancelAll(): void {
    const { jobs } = this.parts
    jobs.abandon(new TuttiError('Cancelled', 'The run was cancelled.'))
    if (jobs.size > 0) return
    if (this.host.state.children.size === 0) this.close({ type: 'run.cancelled' })
    else void this.cancelChildren().then(() => this.close({ type: 'run.cancelled' }))
  }

  /** Ends outdated jobs that no process is running, and expires their approvals. */
  endOutdated(): void {
    const { state } = this.host
    const { jobs, children } = state
    for (const event of outdatedEnds(state)) {
      this.expireApprovals((key) => 'key' in event && key === event.key)
      this.host.push(event)
    }
    // Settled jobs as well: the previous process may have died before it cancelled their runs.
    const outdated = [...jobs.values()].flatMap(({ key, isOutdated }) => (isOutdated === true ? [key] : []))
    if (outdated.length > 0 && children.size > 0) void this.cancelChildren(outdated)
  }

  /** Of jobs at work that a change of the plan has left without a task. */
  cancelOutdated(): void {
    const { plan, children } = this.host.state
    if (plan?.retired === undefined) return
    const keys = this.parts.jobs.abandonOutdated()
    if (keys.length > 0 && children.size > 0) void this.cancelChildren(keys)
  }

  /** Expires approvals of jobs that are over. */
  expireApprovals(isConcerned: (key: string) => boolean): void {
    for (const { approvalId, key } of this.host.state.openApprovals.values()) {
      if (isConcerned(key)) this.host.push({ type: 'approval.decided', approvalId, decision: 'expired', by: 'engine' })
    }
  }

  exhaust(limit: BudgetLimit, message: string): void {
    const { state } = this.host
    if (state.exhausted === undefined) this.host.push({ type: 'budget.exhausted', limit, message })
  }

  endAtTimeLimit(message: string): void {
    if (this.host.isLeft) return // its last event may still be on its way to the disk
    this.exhaust('time', message)
    const reason = new TuttiError('BudgetExceeded', this.host.state.exhausted!.message)
    for (const call of this.parts.jobs.values()) call.endAtLimit(reason)
  }

  /** Whether events of other processes still change the run, even while its end is being written. */
  accepts({ type }: RunEvent): boolean {
    const { log, state } = this.host
    if (!isOver(state)) return true
    if (type === 'run.cancelling') endAsCancelled(log, state)
    return type === 'plan.set' && this.parts.jobs.size === 0 && continuesAfterChange(log, state)
  }

  private async cancelChildren(jobs?: readonly string[]): Promise<void> {
    for (const note of await cancelChildren(this.host.state, this.parts.cancel, jobs)) this.host.push(note)
  }

  /** The last event; the run is over once it is on disk. */
  private close(event: EventBody): void {
    const { host } = this
    const { log, state } = host
    this.parts.answer.flush()
    this.expireApprovals(() => true)
    host.push(event)
    log.status = state.status
    if (state.parent !== undefined && host.queued) log.wakes.push({ runId: state.parent.runId })
    host.flush().then(
      () => host.over(),
      () => undefined, // onLost was called
    )
  }
}

/** Handles a cancel request that was accepted while the end of the run was being written. */
function endAsCancelled(log: RunLog, state: RunState): void {
  const end = log.events.findIndex((event) => isTerminal(event.type))
  if (end === -1) return
  const cancelled = { type: 'run.cancelled', at: log.events[end]!.at } as const
  log.events[end] = cancelled
  endUnfinished(state, cancelled)
  log.status = state.status
}

/** The plan was changed while the end of the run was on its way to the log: there is more to do. False for a run that failed. */
function continuesAfterChange(log: RunLog, state: RunState): boolean {
  const end = log.events.findIndex((event) => event.type === 'run.finished')
  if (end === -1) return false
  log.events.splice(end, 1)
  log.status = 'running'
  reopen(state)
  return true
}

/** A note that the expiry of an approval could not be written. */
export function expiryFailedNote(thrown: unknown): EventBody {
  const message = `An approval could not be ended at its time: ${toTuttiError(thrown).message}`
  return { type: 'note', kind: 'ERROR', message }
}

export const PLAN_CHANGED = 'The plan was changed while this was at work.'

const CUT_OFF = 'It was interrupted and may have taken place. The plan was changed, so it is not continued.'

/** The end events of outdated jobs that no process is running. */
function outdatedEnds({ jobs, effects }: RunState): EventBody[] {
  return [...jobs.values()].flatMap(({ key, isOutdated, result, effects: paths = [] }): EventBody[] => {
    if (isOutdated !== true || result !== undefined) return []
    const cutOff = paths.flatMap((path): EventBody[] => {
      const { state, origin } = effects.get(path)!
      return state === 'intended' ? [{ type: 'effect.unknown', key, path, tool: origin.tool, reason: CUT_OFF }] : []
    })
    const error = { type: 'Cancelled', message: PLAN_CHANGED } as const
    const ended = { status: 'skipped', error, provenance: BY_USER, latencyMs: 0 } as const
    return [...cutOff, { type: 'job.settled', key, result: ended }]
  })
}

/** Cancels the nested runs of this run, or of some of its jobs; returns a note for each failure. */
async function cancelChildren(
  { cancelling, children }: RunState,
  cancel: Children['cancel'],
  jobs?: readonly string[],
): Promise<EventBody[]> {
  const by = cancelling?.by ?? (jobs === undefined ? 'the end of the parent run' : 'a change of the plan')
  const isConcerned = (path: string): boolean =>
    jobs === undefined || jobs.some((key) => path.startsWith(`${key}/`) || path.startsWith(`${key}@`))
  const ids = [...children].flatMap(([path, id]) => (isConcerned(path) ? [id] : []))
  const outcomes = await Promise.allSettled(ids.map((id) => cancel(id, by)))
  return outcomes.flatMap((outcome, i): EventBody[] => {
    if (outcome.status === 'fulfilled') return []
    const message = `Child run ${ids[i]} could not be cancelled: ${toTuttiError(outcome.reason).message}`
    return [{ type: 'note', kind: 'ERROR', message }]
  })
}
