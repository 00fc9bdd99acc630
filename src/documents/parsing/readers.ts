import type { ReadLimits } from './limits.ts'
import { ReadChild } from './read-child.ts'

/**
 * The processes that read the files of one task. One that has read a file without any trouble reads the next, since to start
 * one takes longer than to read a small file; any other is ended, so that no file can do harm to those after it.
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

  /** One that has read nothing yet. */
  start(): ReadChild {
    return new ReadChild(this.#limits)
  }

  /** @param isSound whether it read the file as it should */
  async giveBack(child: ReadChild, isSound: boolean): Promise<void> {
    if (isSound && child.isFresh && !this.#isClosed) this.#idle.push(child)
    else await child.kill()
  }

  /** Ends those that are at rest; the others end with the file that they read. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#idle.splice(0).map((child) => child.kill()))
  }
}
