import type { RunEvent } from '../../core/events.ts'
import { responseOf } from '../../core/response.ts'
import type { RunRecord } from '../../core/store.ts'

/** What a run that is finished came to: all of its parts are answered, some of them, or none. */
export const OUTCOMES = ['answered', 'partly', 'declined'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Of those that were asked for last. */
const REMEMBERED = 10_000

/** What runs came to, as their logs tell. A log that is finished is read once. */
export class Outcomes {
  private readonly known = new Map<string, Outcome>()

  /** @returns undefined for a run that is not finished */
  async of(run: RunRecord, events: () => Promise<readonly RunEvent[]>): Promise<Outcome | undefined> {
    if (run.status !== 'finished') return undefined
    const key = `${run.runId} ${run.lastSeq}`
    const outcome = this.known.get(key) ?? outcomeIn(await events())
    this.known.delete(key)
    this.known.set(key, outcome)
    if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value!)
    return outcome
  }
}

/** Of the log of a run that is finished. */
export function outcomeIn(events: readonly RunEvent[]): Outcome {
  const { isAnswered, unanswered } = responseOf(events).metadata
  if (!isAnswered) return 'declined'
  return unanswered.length > 0 ? 'partly' : 'answered'
}
