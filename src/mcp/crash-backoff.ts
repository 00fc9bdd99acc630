import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'

/** First pause after two crashes in a row; each further crash doubles it. */
const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000

/** Crashes of a server, and how long it is not restarted. */
export class CrashBackoff {
  readonly #server: string
  readonly #clock: Clock
  #inARow = 0
  #restsUntil = 0

  constructor(server: string, clock: Clock) {
    this.#server = server
    this.#clock = clock
  }

  add(): void {
    const rest = this.#inARow === 0 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#inARow - 1))
    this.#inARow++
    this.#restsUntil = this.#clock.now() + rest
  }

  /** Resets the count after a successful response. */
  end(): void {
    this.#inARow = 0
  }

  /** @throws TuttiError `ToolError`, retryable, during a pause */
  assertRested(): void {
    const remainingMs = this.#restsUntil - this.#clock.now()
    if (remainingMs <= 0) return
    const message = `MCP server "${this.#server}" broke down ${this.#inARow} times in a row; it is tried again in ${Math.ceil(remainingMs / 1000)} s.`
    throw new TuttiError('ToolError', message, { retryable: true })
  }
}
