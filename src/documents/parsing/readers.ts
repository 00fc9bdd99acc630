import type { ReadLimits } from './limits.ts'
import { ReadChild } from './read-child.ts'

/**
 * Processes that read the files of one task. A process that read a file without problems is reused, since starting one
 * takes longer than reading a small file. Any other process is killed, so that no file can affect later ones.
 */
export class Readers {
  readonly #limits: ReadLimits
  readonly #idle: ReadChild[] = []
  #isClosed = false

  constructor(limits: ReadLimits) {
    this.#limits = limits
  }

  take(): ReadChild {
    return this.#idle.pop() ?? this.start()
  }

  /** Starts a new process. */
  start(): ReadChild {
    return new ReadChild(this.#limits)
  }

  /** @param isSound whether it read the file without problems */
  async giveBack(child: ReadChild, isSound: boolean): Promise<void> {
    if (isSound && child.isFresh && !this.#isClosed) this.#idle.push(child)
    else await child.kill()
  }

  /** Ends idle processes; the others end after their current file. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#idle.splice(0).map((child) => child.kill()))
  }
}
