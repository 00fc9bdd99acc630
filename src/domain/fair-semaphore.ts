import type { Owner } from './events.ts'

/**
 * Limits concurrent work fairly. Of the owners with waiting work, the one with the least running work comes first, so
 * that an owner with much work does not delay one with little. Work of one owner runs in order of arrival.
 */
export class FairSemaphore {
  private readonly limit: number
  private readonly mostOfOne: number
  private readonly inside = new Map<Owner, number>()
  private readonly waiting = new Map<Owner, (() => void)[]>()
  private size = 0

  /** @param mostOfOne maximum running work of one owner, even if no other owner waits */
  constructor(limit: number, mostOfOne = limit) {
    this.limit = limit
    this.mostOfOne = mostOfOne
  }

  /** Resolves when the work may start, with a function that ends it. */
  async enter(owner: Owner): Promise<() => void> {
    if (this.size < this.limit && this.countOf(owner) < this.mostOfOne) this.admit(owner)
    else {
      await new Promise<void>((resolve) => {
        const queue = this.waiting.get(owner)
        if (queue === undefined) this.waiting.set(owner, [resolve])
        else queue.push(resolve)
      })
    }
    return () => this.leave(owner)
  }

  /** Admits all waiting callers, on close. */
  open(): void {
    for (const owner of Array.from(this.waiting.keys())) while (this.next(owner));
  }

  private leave(owner: Owner): void {
    this.size--
    const remaining = this.countOf(owner) - 1
    if (remaining > 0) this.inside.set(owner, remaining)
    else this.inside.delete(owner)
    let first: Owner | undefined
    for (const one of this.waiting.keys()) {
      if (first === undefined || this.countOf(one) < this.countOf(first)) first = one
    }
    if (first !== undefined && this.size < this.limit && this.countOf(first) < this.mostOfOne) this.next(first)
  }

  private countOf(owner: Owner): number {
    return this.inside.get(owner) ?? 0
  }

  private next(owner: Owner): boolean {
    const [enter, ...others] = this.waiting.get(owner) ?? []
    if (enter === undefined) return false
    this.waiting.delete(owner)
    // Behind the owners who wait as well, who have as many at work.
    if (others.length > 0) this.waiting.set(owner, others)
    this.admit(owner)
    enter()
    return true
  }

  private admit(owner: Owner): void {
    this.size++
    this.inside.set(owner, this.countOf(owner) + 1)
  }
}
