import type { RunNews } from '../core/feed.ts'
import type { Append, AppendOutcome } from '../core/store.ts'

/** Reports what this store itself has appended. */
export class News {
  private readonly listeners = new Set<(news: RunNews) => void>()

  listen(listener: (news: RunNews) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  tell(appends: readonly Append[], outcomes: readonly AppendOutcome[]): void {
    if (this.listeners.size === 0) return
    for (const [i, { runId, afterSeq, events }] of appends.entries()) {
      if (outcomes[i] !== 'appended' || events.length === 0) continue
      for (const listener of this.listeners) listener({ runId, seq: afterSeq + events.length })
    }
  }
}
