/** Something that works in a slot at times. */
interface Holder {
  /** Whether it currently needs no slot: it waits for a user, a child or a timer. */
  readonly isIdle: boolean
}

interface Holders {
  readonly size: number
  values(): Iterable<Holder>
}

/**
 * Limits how many jobs of a run work at the same time. A waiting job frees its slot, and needs a slot again before it
 * continues. Working jobs are determined on each check rather than counted, so that no slot can leak.
 */
export class Slots {
  private readonly limit: number
  private readonly holders: Holders
  /** Callbacks of jobs whose wait is over, in order; calling one resumes the job. */
  private queue: (() => void)[] = []

  constructor(limit: number, holders: Holders) {
    this.limit = limit
    this.holders = holders
  }

  /** For a job that starts; jobs whose wait is over come first. */
  get isFree(): boolean {
    return this.queue.length === 0 && this.hasRoom
  }

  private get hasRoom(): boolean {
    if (this.holders.size < this.limit) return true
    let busy = 0
    for (const holder of this.holders.values()) if (!holder.isIdle) busy++
    return busy < this.limit
  }

  /** Calls `begin`, which ends the caller's idle state, as soon as a slot is free; then resolves. */
  enter(begin: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.queue.push(() => {
        begin()
        resolve()
      })
      this.admit()
    })
  }

  /** To be called whenever a slot may have become free. */
  admit(): void {
    while (this.queue.length > 0 && this.hasRoom) this.queue.shift()!()
  }
}
