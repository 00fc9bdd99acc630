import { systemClock, type Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import type { End, Reply, Runner, RunnerEvents } from './runner.ts'

const START_TIMEOUT_MS = 60_000

export interface HelperOptions {
  /** Name for messages, such as `The knowledge store`. */
  readonly name: string
  readonly start: (on: RunnerEvents) => Runner
  /** Argument for the program, passed to `serve` at its start. */
  readonly order?: unknown
  /** Error of calls that were in progress when the helper died. */
  readonly lost: (end: End) => Error
  readonly clock?: Clock
}

export interface CallOptions {
  /** Timeout for the reply, and for each part before it; the helper is killed afterwards. */
  readonly timeoutMs?: number
  readonly onPart?: (part: unknown) => void
}

interface Live {
  readonly runner: Runner
  readonly waiting: Map<number, (outcome: Reply | Error) => void>
  up: Promise<unknown>
  /** The timeout that was exceeded. */
  lateMs?: number
}

/**
 * A thread or process that answers any number of parallel calls. It is started with the first call, and again after it
 * died or was killed. While no call is in progress it does not keep the program alive.
 */
export class Helper {
  readonly #options: HelperOptions
  readonly #clock: Clock
  #live: Live | undefined
  /** Ends of all runners that have not exited yet, including killed ones. */
  readonly #going = new Set<Promise<void>>()
  #calls = 0
  #isClosed = false

  constructor({ clock = systemClock, ...options }: HelperOptions) {
    this.#options = options
    this.#clock = clock
  }

  /**
   * Waits until the helper is up; timeouts of calls count from then on.
   * @param failed makes the error if it does not start
   */
  async ready(failed: (why: string) => Error): Promise<void> {
    await this.#running().up.catch((error: Error) => {
      throw failed(error.message)
    })
  }

  /** @throws TuttiError that the program throws; `Internal` if the helper is closed; the error of `lost` if it dies */
  async call<T>(value: unknown, options: CallOptions = {}): Promise<T> {
    return (await this.#ask(this.#running(), ++this.#calls, value, options)) as T
  }

  /** Kills the helper immediately and waits until it has exited. The next call starts a new one. */
  async kill(): Promise<void> {
    const live = this.#live
    this.#live = undefined
    await live?.runner.kill()
  }

  /** Waits for the calls in progress, then ends the helper permanently; resolves when all processes have exited. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#live?.waiting.size === 0) this.#rest(this.#live.runner)
    await Promise.all(this.#going)
  }

  #running(): Live {
    const { name } = this.#options
    if (this.#isClosed) throw new TuttiError('Internal', `${name} is closed; open it again.`)
    return (this.#live ??= this.#start())
  }

  #start(): Live {
    const { start, order, lost } = this.#options
    const waiting: Live['waiting'] = new Map()
    let runner!: Runner
    const whenExited = new Promise<void>((resolve) => {
      const onEnd = (end: End): void => {
        const { lateMs } = live
        this.#forget(live)
        const timeout =
          lateMs === undefined ? {} : { kind: 'late' as const, how: `it took longer than ${lateMs / 1000} s` }
        for (const settle of waiting.values()) settle(lost({ ...end, ...timeout }))
        resolve()
      }
      runner = start({
        // The program may be compromised and send anything.
        onReply: (reply) => void (isReply(reply) ? waiting.get(reply.id)?.(reply) : runner.kill()),
        onEnd,
      })
    })
    this.#going.add(whenExited)
    void whenExited.then(() => this.#going.delete(whenExited))
    const live: Live = { runner, waiting, up: Promise.resolve() }
    live.up = this.#ask(live, 0, order, { timeoutMs: START_TIMEOUT_MS })
    // The caller gets the error.
    live.up.catch((error: Error) => {
      // The next call tries again; waiting calls get the error.
      this.#forget(live)
      for (const settle of waiting.values()) settle(error)
      void runner.kill()
    })
    return live
  }

  #ask(live: Live, id: number, value: unknown, { timeoutMs, onPart }: CallOptions): Promise<unknown> {
    const { runner, waiting } = live
    return new Promise((resolve, reject) => {
      let cancel = (): void => undefined
      const startTimer = (): void => {
        cancel()
        if (timeoutMs === undefined) return
        cancel = this.#clock.timer(timeoutMs, () => {
          live.lateMs = timeoutMs
          this.#forget(live)
          void runner.kill()
        })
      }
      runner.send({ id, value })
      waiting.set(id, (outcome) => {
        if ('part' in outcome) {
          startTimer()
          return onPart?.(outcome.part)
        }
        cancel()
        waiting.delete(id)
        // A killed runner stays referenced: it keeps the program alive until it has exited.
        if (waiting.size === 0 && this.#live === live) this.#rest(runner)
        if (outcome instanceof Error) reject(outcome)
        else if ('error' in outcome) reject(TuttiError.fromInfo(outcome.error))
        else resolve(outcome.value)
      })
      runner.setRef(true)
      startTimer()
    })
  }

  /** Called when no call is in progress. */
  #rest(runner: Runner): void {
    runner.setRef(this.#isClosed)
    if (this.#isClosed) runner.end()
  }

  #forget(live: Live): void {
    if (this.#live === live) this.#live = undefined
  }
}

function isReply(reply: unknown): boolean {
  if (typeof reply !== 'object' || reply === null) return false
  const { id, error } = reply as { readonly id?: unknown; readonly error?: unknown }
  if (typeof id !== 'number' || !('error' in reply)) return typeof id === 'number'
  const { type, message } = Object(error) as { readonly type?: unknown; readonly message?: unknown }
  return typeof type === 'string' && typeof message === 'string'
}
