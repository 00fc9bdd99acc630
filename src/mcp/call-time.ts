import type { Clock } from '../shared/clock.ts'
import { TimeLimit } from '../shared/time-limit.ts'

/** Progress extends the time limit of a call, at most to ten times its length. */
const LENGTHENED = 10

/** Time limit of a call. It is suspended while a person is asked something. */
export class CallTime {
  readonly #ms: number
  readonly #late = new AbortController()
  readonly #next: TimeLimit
  readonly #whole: TimeLimit
  #stops = 1

  constructor(clock: Clock, ms: number) {
    const onEnd = (): void => this.#late.abort('no answer in time')
    this.#ms = ms
    this.#next = new TimeLimit(clock, ms, onEnd)
    this.#whole = new TimeLimit(clock, ms * LENGTHENED, onEnd)
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Resumes the time, which is suspended at first. Needs one call per `stop`. */
  start(): void {
    if (--this.#stops > 0) return
    this.#next.start()
    this.#whole.start()
  }

  stop(): void {
    this.#stops++
    this.#next.stop()
    this.#whole.stop()
  }

  /** Extends the time limit, after the server reported progress. */
  lengthen(): void {
    this.#next.leave(this.#ms)
    if (this.#stops <= 0) this.#next.start()
  }
}
