import type { Source } from '../../domain/result.ts'
import type { RunState } from '../../domain/state.ts'
import { sourcesIn } from '../../domain/transcript.ts'
import { placeKey } from '../../grounding/citations.ts'

const ID = /^s\d+$/

/**
 * Assigns ids to the sources of a run. A place has one id in all jobs of the run, and an id belongs to one place only;
 * earlier runs of the conversation are included.
 */
export class SourceIds {
  private readonly state: RunState
  /** By place. Assigned ids stay assigned, even before they are in the log. */
  private readonly ids = new Map<string, string>()
  private readonly places = new Map<string, string>()
  private highest = -1

  constructor(state: RunState) {
    this.state = state
  }

  /** The same sources with their ids. A source keeps an id that it already has if that is free. */
  name(sources: readonly Source[]): readonly Source[] {
    if (sources.length > 0) this.readLog()
    return sources.map((source) => {
      const place = placeKey(source)
      const { id: own } = source
      if (own !== undefined && this.places.get(own) === place) return source
      const isFree = own !== undefined && ID.test(own) && !this.places.has(own)
      const id = this.ids.get(place) ?? (isFree ? own : this.next())
      this.take(place, id)
      return { ...source, id }
    })
  }

  /** The source with a new id, because the content of its place has changed. */
  renew(source: Source): Source {
    const id = this.next()
    this.take(placeKey(source), id)
    return { ...source, id }
  }

  private next(): string {
    return `s${this.highest + 1}`
  }

  private take(place: string, id: string): void {
    this.ids.set(place, id)
    this.places.set(id, place)
    this.highest = Math.max(this.highest, Number(id.slice(1)))
  }

  private readLog(): void {
    if (this.highest >= 0) return
    this.highest = lastSourceId(this.state)
    for (const source of sourcesOfRun(this.state)) {
      if (source.id !== undefined && ID.test(source.id)) this.take(placeKey(source), source.id)
    }
  }
}

/** All sources of a run and of the earlier answers that it is given, in no particular order. */
export function sourcesOfRun({ jobs, recollection, transcripts }: RunState): readonly Source[] {
  return [
    ...(recollection?.results ?? []).flatMap(({ source }) => source ?? []),
    ...[...transcripts.values()].flatMap(sourcesIn),
    ...[...jobs.values()].flatMap(({ result }) => result?.sources ?? []),
  ]
}

/** Number of the highest id that a run or an earlier one of its conversation has given. */
export function lastSourceId(state: RunState): number {
  const ids = sourcesOfRun(state).flatMap(({ id = '' }) => (ID.test(id) ? [Number(id.slice(1))] : []))
  return ids.reduce((max, id) => Math.max(max, id), state.recollection?.lastId ?? 0)
}
