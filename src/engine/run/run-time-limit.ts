import type { Clock } from '../../shared/clock.ts'
import { limitLabel, howToRaise } from '../../domain/limits.ts'
import type { RunState } from '../../domain/state.ts'

/** The wall-clock limit of a run, as its driver sees it. */
export class RunTimeLimit {
  private readonly state: RunState
  private readonly clock: Clock
  private readonly onEnd: (message: string) => void
  /** Milliseconds since the epoch. */
  private deadline: number | undefined
  private cancelTimer: (() => void) | undefined

  constructor(state: RunState, clock: Clock, onEnd: (message: string) => void) {
    this.state = state
    this.clock = clock
    this.onEnd = onEnd
  }

  /** For a worker that has just claimed the run. */
  start(isResumeInLog: boolean): void {
    const { activeMs, lastAt, sessionStart, request, exhausted } = this.state
    const { maxTimeMs } = request.budget
    if (maxTimeMs === undefined || exhausted !== undefined) return
    const lastSession = isResumeInLog ? 0 : Math.max(0, Date.parse(lastAt) - Date.parse(sessionStart))
    this.endAt(this.clock.now() + Math.max(0, maxTimeMs - activeMs - lastSession))
  }

  /** Remaining time in milliseconds; undefined without a limit. */
  left(): number | undefined {
    return this.deadline === undefined ? undefined : Math.max(0, this.deadline - this.clock.now())
  }

  /** Other time was used up than passes here: a nested run worked while this one was on disk. */
  take(ms: number): void {
    if (this.deadline !== undefined && ms > 0) this.endAt(this.deadline - ms)
  }

  cancel(): void {
    this.cancelTimer?.()
  }

  private endAt(deadline: number): void {
    this.cancel()
    this.deadline = deadline
    const limit = limitLabel('maxTimeMs', this.state.request.budget.maxTimeMs ?? 0)
    this.cancelTimer = this.clock.timer(Math.max(0, deadline - this.clock.now()), () =>
      this.onEnd(`The ${limit} is reached; ${howToRaise('maxTimeMs')}.`),
    )
  }
}
