import type { RunId } from '../domain/events.ts'

/** A recorded wake. Ids increase; `at` is milliseconds since the epoch, 0 for immediately. */
export interface RecordedWake {
  readonly id: number
  readonly runId: RunId
  readonly at: number
}

/** Wakes that wait for their time or for the run's activation to end well. Kept by the store that appends. */
export interface WakeLog {
  /** Whether other processes can add wakes, so that looking again from time to time makes sense. */
  readonly shared: boolean
  /** Wakes recorded after `id` and not yet acknowledged, in order. */
  since(id: number): readonly RecordedWake[]
  /** The newest wake of this run that is due; undefined when none is left, for another process has dealt with them. */
  due(runId: RunId, now: number): number | undefined
  /** Forgets the run's wakes that were due at `now` and are not newer than `id`. */
  acknowledge(runId: RunId, id: number, now: number): void
}

/** The wakes of a memory store. */
export class MemoryWakeLog implements WakeLog {
  readonly shared = false
  private readonly byRun = new Map<RunId, RecordedWake[]>()
  private fresh: RecordedWake[] = []
  private lastId = 0

  record(runId: RunId, at: number): void {
    const wake = { id: ++this.lastId, runId, at }
    this.fresh.push(wake)
    const wakes = this.byRun.get(runId)
    if (wakes === undefined) this.byRun.set(runId, [wake])
    else wakes.push(wake)
  }

  /** A new reader gets all; after that each wake is given once, which saves a search. */
  since(id: number): readonly RecordedWake[] {
    const { fresh } = this
    this.fresh = []
    return id === 0 ? [...this.byRun.values()].flat().sort((a, b) => a.id - b.id) : fresh
  }

  due(runId: RunId, now: number): number | undefined {
    return this.byRun.get(runId)?.findLast((wake) => wake.at <= now)?.id
  }

  acknowledge(runId: RunId, id: number, now: number): void {
    const left = (this.byRun.get(runId) ?? []).filter((wake) => wake.id > id || wake.at > now)
    if (left.length === 0) this.byRun.delete(runId)
    else this.byRun.set(runId, left)
  }
}
