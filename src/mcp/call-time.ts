import type { Clock } from '../shared/clock.ts'
import { TimeLimit } from '../shared/time-limit.ts'

/** News lengthen the time of a call, but not for ever. */
const LENGTHENED = 10

/** The time of one call, which stands still while a person is asked something. */
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

  /** Aborted when it is up. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Goes on, once for each `stop`; to begin with it stands still. */
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

  /** The server is at work. */
  lengthen(): void {
    this.#next.leave(this.#ms)
    if (this.#stops <= 0) this.#next.start()
  }
}
