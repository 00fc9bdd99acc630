import type { Clock } from './clock.ts'

interface PollerOptions {
  readonly clock: Clock
  readonly intervalMs: number
  readonly onError: (thrown: unknown) => void
}

/** Polls for work at an interval, and runs its steps in the background. */
export abstract class Poller {
  private readonly options: PollerOptions
  private readonly steps = new Map<string, Promise<void>>()
  private ending = new AbortController()
  private polling: Promise<void> | undefined
  private cancel: (() => void) | undefined

  constructor(options: PollerOptions) {
    this.options = options
  }

  /** Starts the steps that are due. */
  protected abstract poll(): Promise<void>

  /** Aborted by `stop`. */
  protected get signal(): AbortSignal {
    return this.ending.signal
  }

  /** Number of steps in progress. */
  get size(): number {
    return this.steps.size
  }

  /** Polls until `stop`. */
  begin(): void {
    this.ending = new AbortController()
    this.polling = this.pollAgain()
  }

  /** Stops polling and waits for the steps in progress. */
  async stop(): Promise<void> {
    this.ending.abort()
    this.cancel?.()
    await this.polling
    await Promise.all(this.steps.values())
  }

  protected has(id: string): boolean {
    return this.steps.has(id)
  }

  /** Runs a step in the background. */
  protected run(id: string, step: () => Promise<void>): void {
    const running = step()
      .catch(this.options.onError)
      .then(() => void this.steps.delete(id))
    this.steps.set(id, running)
  }

  private async pollAgain(): Promise<void> {
    const { clock, intervalMs, onError } = this.options
    await this.poll().catch(onError)
    if (this.signal.aborted) return
    this.cancel = clock.timer(intervalMs, () => (this.polling = this.pollAgain()))
  }
}
