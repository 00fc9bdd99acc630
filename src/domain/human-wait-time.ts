import type { RunEvent } from './events.ts'

/** From one moment to another, in milliseconds since the epoch. */
export type Wait = readonly [from: number, until: number]

/**
 * How long a run only waited for users' decisions, in milliseconds. Time with other work in progress does not count.
 */
export function humanWaitMs(events: readonly RunEvent[]): number {
  return humanWaits(events).reduce((sum, [from, until]) => sum + until - from, 0)
}

/** Periods in which a run and its nested runs only waited for users' decisions, in order. */
export function humanWaits(events: readonly RunEvent[]): readonly Wait[] {
  const running = new Set<string>()
  /** Who is waited for, by the job or nested run that waits. */
  const requests = new Map<string, string>()
  /** Which job does nothing while a nested run is under way. */
  const nested = new Map<string, string>()
  const waits: Wait[] = []
  let before = 0
  for (const [at, happened] of happenings(events)) {
    const waiting = new Set([...requests.values(), ...nested.values()])
    const last = waits.at(-1)
    if (requests.size > 0 && at > before && [...running].every((one) => waiting.has(one))) {
      if (last?.[1] === before) waits[waits.length - 1] = [last[0], at]
      else waits.push([before, at])
    }
    before = Math.max(before, at)
    happened({ running, asked: requests, nested })
  }
  return waits
}

interface RunActivity {
  readonly running: Set<string>
  readonly asked: Map<string, string>
  readonly nested: Map<string, string>
}

/** Changes of who is working, in order of time; nested runs report their waiting times at their end. */
function happenings(
  events: readonly RunEvent[],
): readonly (readonly [at: number, happened: (going: RunActivity) => void])[] {
  const all = events.flatMap((event) => {
    const at = Date.parse(event.at)
    const waits = (event.type === 'child.finished' ? event.waits : undefined) ?? []
    return [
      [at, (going: RunActivity) => take(event, going)] as const,
      ...waits.flatMap(([from, until], n) => {
        const { childId } = event as { childId: string }
        const wait = `${childId} ${n}`
        return [
          [from, ({ asked }: RunActivity) => void asked.set(wait, childId)] as const,
          [until, ({ asked }: RunActivity) => void asked.delete(wait)] as const,
        ]
      }),
    ]
  })
  return all.toSorted(([a], [b]) => a - b)
}

function take(event: RunEvent, { running, asked, nested }: RunActivity): void {
  if (event.type === 'job.started') running.add(event.key)
  if (event.type === 'job.settled') running.delete(event.key)
  if (event.type === 'approval.requested') asked.set(event.approvalId, event.key)
  if (event.type === 'approval.decided') asked.delete(event.approvalId)
  if (event.type === 'child.started') {
    running.add(event.childId)
    nested.set(event.childId, event.key)
  }
  if (event.type === 'child.finished') {
    running.delete(event.childId)
    nested.delete(event.childId)
  }
}
