import type { NewEvent, RunEvent, RunId } from '../core/events.ts'
import type { TextPosition } from '../core/feed.ts'
import { LOCAL_OWNER } from '../core/owner.ts'
import type { Append, ApprovalRecord, RunRecord } from '../core/store.ts'

export type Writable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * The first row of a run, as its `run.started` gives it. Undefined for an append that does not start a run: one that
 * comes from a worker, goes after something, or begins with another event.
 */
export function startOf(append: Append): RunRecord | undefined {
  const first = append.events[0]
  if (append.afterSeq !== 0 || append.epoch !== undefined || first?.type !== 'run.started') return undefined
  const at = Date.parse(first.at)
  return {
    runId: append.runId,
    owner: first.owner ?? LOCAL_OWNER,
    question: first.request.question,
    strategy: first.request.strategy,
    status: append.status ?? 'running',
    ...(first.parent === undefined ? {} : { parentId: first.parent.runId }),
    lastSeq: append.events.length,
    epoch: 0,
    createdAt: at,
    updatedAt: lastTime(append.events) ?? at,
  }
}

/** When the last of these events happened, in milliseconds since the epoch. */
export function lastTime(events: readonly NewEvent[]): number | undefined {
  const last = events.at(-1)
  return last === undefined ? undefined : Date.parse(last.at)
}

/** The pending row of an approval; its owner is that of the run. */
export function approvalOf(
  runId: RunId,
  event: Extract<NewEvent, { type: 'approval.requested' }>,
): Writable<Omit<ApprovalRecord, 'owner'>> {
  const { approvalId, key, path, tool, payload, reason, provenance, expiresAt } = event
  const requestedAt = Date.parse(event.at)
  const about = { approvalId, runId, key, path, tool, payload, reason, provenance }
  return { ...about, status: 'pending', requestedAt, expiresAt }
}

/** True while a live worker holds the run: its lease has not run out and nobody knows that its process is dead. */
export function isHeld(
  record: Pick<RunRecord, 'worker' | 'leaseUntil'>,
  now: number,
  isAlive: ((worker: string) => boolean) | undefined,
): boolean {
  if (record.worker === undefined || (record.leaseUntil ?? 0) <= now) return false
  return isAlive?.(record.worker) ?? true
}

/** Where the text of the answer stands after its latest piece. */
export function answerAfter(event: RunEvent | undefined): TextPosition | undefined {
  if (event?.type !== 'answer.delta') return undefined
  return { part: event.part, length: event.offset + event.text.length }
}
