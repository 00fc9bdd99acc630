/** Something that works in a slot at times. */
interface Holder {
  /** Whether it needs none at the moment: it waits for a person, a child or a timer. */
  readonly isIdle: boolean
}

interface Holders {
  readonly size: number
  values(): Iterable<Holder>
}

/**
 * How many jobs of a run work at the same time. One that waits gives its slot up to others, and has to get one again before
 * it continues. Who is at work is looked up rather than counted, so nothing can get lost.
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

  /** Calls `begin`, by which the caller stops being idle, as soon as there is a slot; resolves then. */
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
