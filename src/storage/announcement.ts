import type { RunEvent } from '../domain/events.ts'
import type { RunNews, Append, AppendOutcome } from '../domain/store.ts'

/** PostgreSQL takes 8,000 bytes, the closing zero among them. */
const MAX_BYTES = 7_999

/**
 * The notification to other processes about an append: run and position, and the events if they are only text of the
 * answer, so that remote readers get it without reading the log. Undefined for an append without events.
 */
export function announce({ runId, afterSeq, events }: Append): string | undefined {
  if (events.length === 0) return undefined
  const place = { run: runId, seq: afterSeq + events.length }
  if (events.every(({ type }) => type === 'answer.delta')) {
    const text = JSON.stringify({ ...place, events })
    if (Buffer.byteLength(text) <= MAX_BYTES) return text
  }
  return JSON.stringify(place)
}

/** Undefined for messages not written by Tutti; all users of the database can write to the channel. */
export function readAnnouncement(payload: string): RunNews | undefined {
  let message: { run?: unknown; seq?: unknown; events?: unknown }
  try {
    message = (JSON.parse(payload) ?? {}) as typeof message
  } catch {
    return undefined
  }
  const { run: runId, seq, events } = message
  if (typeof runId !== 'string' || typeof seq !== 'number') return undefined
  if (!Array.isArray(events)) return { runId, seq }
  const first = seq - events.length + 1
  return { runId, seq, events: events.map((event: RunEvent, i) => ({ ...event, runId, seq: first + i, v: 1 })) }
}

/** Reports the appends of this store. */
export class News {
  private readonly listeners = new Set<(news: RunNews) => void>()

  listen(listener: (news: RunNews) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  publish(appends: readonly Append[], outcomes: readonly AppendOutcome[]): void {
    if (this.listeners.size === 0) return
    for (const [i, { runId, afterSeq, events }] of appends.entries()) {
      if (outcomes[i] !== 'appended' || events.length === 0) continue
      for (const listener of this.listeners) listener({ runId, seq: afterSeq + events.length })
    }
  }
}
