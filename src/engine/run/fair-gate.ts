import type { Owner } from '../../core/owner.ts'

/**
 * Lets so many runs work at once. Of the owners whose runs wait, the one with the fewest at work comes first, so that the many
 * questions of one do not hold up the one of another; of one owner, the run that came first.
 */
export class FairGate {
  private readonly limit: number
  private readonly inside = new Map<Owner, number>()
  private readonly waiting = new Map<Owner, (() => void)[]>()
  private size = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Resolves when the run may work, with what ends that. */
  async enter(owner: Owner): Promise<() => void> {
    if (this.size < this.limit) this.admit(owner)
    else {
      await new Promise<void>((resolve) => {
        const queue = this.waiting.get(owner)
        if (queue === undefined) this.waiting.set(owner, [resolve])
        else queue.push(resolve)
      })
    }
    return () => this.leave(owner)
  }

  /** Lets everybody in, for whoever closes. */
  open(): void {
    for (const owner of Array.from(this.waiting.keys())) while (this.next(owner));
  }

  private leave(owner: Owner): void {
    this.size--
    const left = (this.inside.get(owner) ?? 1) - 1
    if (left > 0) this.inside.set(owner, left)
    else this.inside.delete(owner)
    let first: Owner | undefined
    for (const one of this.waiting.keys()) {
      if (first === undefined || (this.inside.get(one) ?? 0) < (this.inside.get(first) ?? 0)) first = one
    }
    if (first !== undefined && this.size < this.limit) this.next(first)
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
    this.inside.set(owner, (this.inside.get(owner) ?? 0) + 1)
  }
}
