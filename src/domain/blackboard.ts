import type { ActorName } from './job.ts'
import type { Provenance } from './provenance.ts'

/** What one actor says to another one, or to all. */
export interface Message {
  /** The job that says it: the id of the step. */
  readonly key: string
  readonly from: ActorName
  readonly to: ActorName | 'all'
  /** What kind of message it is, such as `feedback`. */
  readonly kind: string
  readonly content: string
  readonly provenance?: Provenance
}

/** What stands on the blackboard of a run under one name. */
export interface SharedEntry {
  readonly name: string
  readonly value: unknown
  /** The actor that wrote it, and its job. */
  readonly by: ActorName
  readonly key: string
  readonly provenance?: Provenance
  /** What another job wrote there before: it stands again when this one's attempt is superseded. */
  readonly before?: SharedEntry
}

/** The entry with what one job wrote taken out; undefined when nothing is left. */
export function withoutJob(entry: SharedEntry | undefined, key: string): SharedEntry | undefined {
  if (entry === undefined) return undefined
  const { before: earlier, ...rest } = entry
  const before = withoutJob(earlier, key)
  if (entry.key === key) return before
  return before === undefined ? rest : { ...rest, before }
}

/** Takes what a superseded attempt wrote off the blackboard, in place. */
export function withdraw(shared: Map<string, SharedEntry>, key: string): void {
  for (const [name, entry] of shared) {
    const left = withoutJob(entry, key)
    if (left === undefined) shared.delete(name)
    else shared.set(name, left)
  }
}
