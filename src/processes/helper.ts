import { systemClock, type Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import type { End, Reply, Runner, RunnerEvents } from './runner.ts'

const START_TIMEOUT_MS = 60_000

export interface HelperOptions {
  /** For messages, such as `The knowledge store`. */
  readonly name: string
  readonly start: (on: RunnerEvents) => Runner
  /** What a program of `serve` is told at its start. */
  readonly order?: unknown
  /** What callers get whose call was under way when it died. */
  readonly lost: (end: End) => Error
  readonly clock?: Clock
}

export interface CallOptions {
  /** Until the reply, and until each part before it; the helper is killed after that. */
  readonly timeoutMs?: number
  readonly onPart?: (part: unknown) => void
}

interface Live {
  readonly runner: Runner
  readonly waiting: Map<number, Waiting>
  readonly gone: Promise<void>
  /** Settles when it is up. */
  ready: Promise<unknown>
  /** The time that it took too long for. */
  lateMs?: number
}

interface Waiting {
  readonly reply: Promise<unknown>
  take(reply: Reply): void
  fail(error: Error): void
}

/**
 * A thread or process that answers calls, any number side by side. It is started on the first one, and again after it died
 * or was killed; it lets the program end while nothing is asked of it.
 */
export class Helper {
  readonly #options: HelperOptions
  readonly #clock: Clock
  #live: Live | undefined
  #calls = 0
  #isClosed = false

  constructor({ clock = systemClock, ...options }: HelperOptions) {
    this.#options = options
    this.#clock = clock
  }

  /**
   * Waits until it is up; the time of calls then counts from there.
   * @param failed what is thrown when it does not come up
   */
  async ready(failed: (why: string) => Error): Promise<void> {
    const { ready } = this.#running()
    await ready.catch((error: Error) => {
      throw failed(error.message)
    })
  }

  /** @throws TuttiError what its program throws, `Internal` when this is closed; as `lost` when it dies */
  async call<T>(value: unknown, options: CallOptions = {}): Promise<T> {
    return (await this.#ask(this.#running(), ++this.#calls, value, options)) as T
  }

  /** Ends it at once, whatever it is doing, and waits until it is gone. The next call starts another. */
  async kill(): Promise<void> {
    const live = this.#live
    this.#live = undefined
    await live?.runner.kill()
  }

  /** Waits for what was called, then ends it for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    const live = this.#live
    if (live === undefined) return
    await Promise.allSettled([...live.waiting.values()].map(({ reply }) => reply))
    live.runner.setRef(true)
    live.runner.end()
    await live.gone
  }

  #running(): Live {
    const { name } = this.#options
    if (this.#isClosed) throw new TuttiError('Internal', `${name} is closed; open it again.`)
    return (this.#live ??= this.#start())
  }

  #start(): Live {
    const { start, order, lost } = this.#options
    const waiting: Live['waiting'] = new Map()
    const end = deferred<End>()
    const runner = start({ onReply: (reply) => waiting.get(reply.id)?.take(reply), onEnd: end.resolve })
    const bury = async (): Promise<void> => {
      const reason = await end.promise
      this.#forget(live)
      for (const { fail } of waiting.values())
        fail(lost(live.lateMs === undefined ? reason : late(reason, live.lateMs)))
    }
    const live: Live = { runner, waiting, gone: bury(), ready: Promise.resolve() }
    live.ready = this.#ask(live, 0, order, { timeoutMs: START_TIMEOUT_MS })
    // Whoever calls learns of it.
    live.ready.catch(() => undefined)
    return live
  }

  #ask(live: Live, id: number, value: unknown, { timeoutMs, onPart }: CallOptions): Promise<unknown> {
    const { runner, waiting } = live
    const { promise: reply, resolve, reject } = deferred<unknown>()
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
    const settle = (finish: () => void): void => {
      cancel()
      waiting.delete(id)
      if (waiting.size === 0) runner.setRef(false)
      finish()
    }
    runner.send({ id, value })
    waiting.set(id, {
      reply,
      fail: (error) => settle(() => reject(error)),
      take(message) {
        if ('error' in message) settle(() => reject(TuttiError.fromInfo(message.error)))
        else if (!('part' in message)) settle(() => resolve(message.value))
        else {
          startTimer()
          onPart?.(message.part)
        }
      },
    })
    runner.setRef(true)
    startTimer()
    return reply
  }

  #forget(live: Live): void {
    if (this.#live === live) this.#live = undefined
  }
}

function late(end: End, timeoutMs: number): End {
  return { ...end, kind: 'late', how: `it took longer than ${timeoutMs / 1000} s`, timeoutMs }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
}

function deferred<T>(): Deferred<T> {
  let resolve!: Deferred<T>['resolve']
  let reject!: Deferred<T>['reject']
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]))
  return { promise, resolve, reject }
}
