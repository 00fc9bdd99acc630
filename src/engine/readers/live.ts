import type { RunEvent, RunId } from '../../domain/events.ts'
import type { LiveText } from '../../shared/live-text.ts'

export type LiveItem = RunEvent | LiveText
type Listener = (item: LiveItem) => void

/** Notifies listeners in this process about events of runs, immediately. */
export class LiveHub {
  private readonly listeners = new Map<RunId, Set<Listener>>()

  listen(runId: RunId, listener: Listener): () => void {
    const set = this.listeners.get(runId) ?? new Set()
    this.listeners.set(runId, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0) this.listeners.delete(runId)
    }
  }

  hasListeners(runId: RunId): boolean {
    return this.listeners.has(runId)
  }

  publish(runId: RunId, item: LiveItem): void {
    for (const listener of this.listeners.get(runId) ?? []) listener(item)
  }
}
