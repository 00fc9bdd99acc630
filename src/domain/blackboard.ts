import type { ActorName } from './job.ts'
import type { Provenance } from './provenance.ts'

/** A message from one actor to another, or to all. */
export interface Message {
  /** Key of the sending job: the id of the step. */
  readonly key: string
  readonly from: ActorName
  readonly to: ActorName | 'all'
  /** The kind of message, such as `feedback`. */
  readonly kind: string
  readonly content: string
  readonly provenance?: Provenance
}

/** The value under one name of a run's blackboard. */
export interface SharedEntry {
  readonly name: string
  readonly value: unknown
  /** The actor that wrote it, and its job. */
  readonly by: ActorName
  readonly key: string
  readonly provenance?: Provenance
  /** The previous value, written by another job. It is restored if this job's attempt is superseded. */
  readonly before?: SharedEntry
}

/** The entry without one job's value; undefined when nothing is left. */
export function withoutJob(entry: SharedEntry | undefined, key: string): SharedEntry | undefined {
  if (entry === undefined) return undefined
  const { before: earlier, ...rest } = entry
  const before = withoutJob(earlier, key)
  if (entry.key === key) return before
  return before === undefined ? rest : { ...rest, before }
}

/** Removes the values of a superseded attempt from the blackboard, in place. */
export function withdraw(shared: Map<string, SharedEntry>, key: string): void {
  for (const [name, entry] of shared) {
    const remaining = withoutJob(entry, key)
    if (remaining === undefined) shared.delete(name)
    else shared.set(name, remaining)
  }
}
