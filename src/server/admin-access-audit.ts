import type { Clock } from '../shared/clock.ts'
import type { People } from '../accounts/people.ts'
import type { Audited } from '../accounts/types.ts'

const HOUR_MS = 3_600_000

/** Audits what admins look at in users' data: one entry per hour while they keep looking at the same data. */
export class AdminAccessAudit {
  private readonly seen = new Map<string, number>()
  private readonly people: Pick<People, 'recordAudit'>
  private readonly clock: Clock
  private readonly action: Audited

  constructor(people: Pick<People, 'recordAudit'>, clock: Clock, action: Audited) {
    this.people = people
    this.clock = clock
    this.action = action
  }

  async note(by: string, target: string): Promise<void> {
    const now = this.clock.now()
    for (const [key, at] of this.seen) if (at <= now - HOUR_MS) this.seen.delete(key)
    const look = JSON.stringify([by, target])
    if (this.seen.has(look)) return
    await this.people.recordAudit({ by, action: this.action, target })
    this.seen.set(look, now)
  }
}
