import { TuttiError } from '../../domain/errors.ts'
import type { Job } from '../../domain/job.ts'
import type { RunState } from '../../domain/state.ts'
import { isFinish, MAX_JOBS, type Finish, type Strategy } from '../../domain/strategy.ts'
import { loggedError } from '../log/plain-json.ts'
import type { RunEnd } from './run-end.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { WaitConditions } from './wait-conditions.ts'

/** A callback on it runs right after the present turn; `queueMicrotask` does the same at a multiple of the cost. */
const SETTLED = Promise.resolve()

interface Host {
  readonly state: RunState
  /** Nothing more is done with the run here. */
  readonly isLeft: boolean
  checkWaiting(): void
}

interface Parts {
  readonly jobs: RunningJobs
  readonly ending: RunEnd
  readonly waits: WaitConditions
}

/** Asks the strategy of a run for due jobs and begins them, until it says that the run is finished. */
export class Activation {
  private readonly host: Host
  private readonly strategy: Strategy
  private readonly parts: Parts
  private isDue = false
  /** A job that is due has found no slot. */
  private isFull = false

  constructor(host: Host, strategy: Strategy, parts: Parts) {
    this.host = host
    this.strategy = strategy
    this.parts = parts
  }

  /** Jobs that settle at the same time cause one check for due jobs, not one each. */
  soon(): void {
    if (this.isDue) return
    this.isDue = true
    void SETTLED.then(() => this.run())
  }

  onFreeSlot(): void {
    if (this.isFull) this.soon()
  }

  run(): void {
    const { state } = this.host
    const { jobs, ending, waits } = this.parts
    this.isDue = false
    this.isFull = false
    if (this.host.isLeft) return
    if (state.cancelling !== undefined) return ending.cancelAll()
    ending.cancelOutdated()
    waits.wake()
    let decision: readonly Job[] | Finish
    try {
      decision = this.strategy.next(state)
      if (!isFinish(decision)) {
        const sizeBefore = jobs.size
        this.isFull = !jobs.begin(decision)
        if (decision.length >= MAX_JOBS && !this.isFull && jobs.size > sizeBefore) this.soon()
        // Skipped jobs have settled already; another check is due.
        if (jobs.size === 0 && !this.isDue)
          throw new TuttiError('Internal', `Strategy "${this.strategy.name}" has nothing due.`)
      }
    } catch (thrown) {
      return ending.finish({ finish: 'failed', error: loggedError(thrown) })
    }
    if (isFinish(decision)) ending.finish(decision)
    else this.host.checkWaiting()
  }
}
