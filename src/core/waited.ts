import type { RunEvent } from './events.ts'

/** How long a run did nothing but wait for people to decide, in milliseconds. What others do meanwhile is work. */
export function waitedMs(events: readonly RunEvent[]): number {
  const running = new Set<string>()
  const asked = new Map<string, string>()
  let waited = 0
  let before = 0
  for (const event of events) {
    const at = Date.parse(event.at)
    const waiting = new Set(asked.values())
    if (waiting.size > 0 && [...running].every((key) => waiting.has(key))) waited += Math.max(0, at - before)
    before = at
    if (event.type === 'job.started') running.add(event.key)
    if (event.type === 'job.settled') running.delete(event.key)
    if (event.type === 'approval.requested') asked.set(event.approvalId, event.key)
    if (event.type === 'approval.decided') asked.delete(event.approvalId)
  }
  return waited
}
