import type { RunId, Owner } from './events.ts'
import { latestAttempt } from './job.ts'
import type { Provenance } from './provenance.ts'
import type { Result } from './result.ts'
import type { RunState } from './state.ts'
import type { Table } from './table.ts'

/** A file that an agent made or was given and that is too large for the log: an image, a long answer of an API. */
export interface ArtifactFile {
  readonly name: string
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Replaces a file in the log. */
export interface ArtifactRef {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  /** Size of the file. */
  readonly bytes: number
}

/** A run that is being erased, and the files that go with it where nothing else needs them. */
export interface Erasure {
  readonly owner: Owner
  readonly runId: RunId
  readonly files: readonly string[]
}

/** Keeps files, each for its owner alone. */
export interface ArtifactStore {
  /**
   * Stores a file. The same file for the same run gets the same id; another run gets its own copy, which is kept when
   * the first one is erased. The caller may reuse the bytes afterwards.
   * @throws TuttiError `StorageError` when it cannot be written
   */
  keep(owner: Owner, file: ArtifactFile, runId?: RunId): Promise<ArtifactRef>
  /** @throws TuttiError `ArtifactNotFound`, also for files of other owners; `StorageError` */
  read(owner: Owner, id: string): Promise<ArtifactFile>
  /** The ids of all files of the owner. */
  list(owner: Owner): Promise<readonly string[]>
  /** Ignores ids without a file. @throws TuttiError `StorageError` */
  remove(owner: Owner, ...ids: readonly string[]): Promise<void>
  /**
   * Records an erasure before it starts, so that the next start completes it after a crash.
   * @throws TuttiError `StorageError`
   */
  begin(erasure: Erasure): Promise<void>
  /** The recorded erasures that are not complete. @throws TuttiError `StorageError` */
  begun(): Promise<readonly Erasure[]>
  /** Removes the record of an erasure that is complete or was given up. @throws TuttiError `StorageError` */
  end(erasure: Erasure): Promise<void>
}

/** The store as the agents of one owner's run see it. */
export interface Artifacts {
  keep(file: ArtifactFile): Promise<ArtifactRef>
  read(id: string): Promise<ArtifactFile>
  /** Large values in results of this run's jobs and on its blackboard. */
  values(): readonly ArtifactValue[]
  /** A value by its reference, whole. @throws TuttiError `ArtifactNotFound` */
  open(ref: string): unknown
}

/** A value of at least so many characters of JSON is kept once and shown by reference. */
export const LARGE_VALUE = 4_096

/** Characters of a value that mean it. */
const HEAD = 400

/**
 * Placeholder for a value that is too long to show in full, such as a table with many rows; `ctx.artifacts.open` opens
 * it.
 */
interface ArtifactValue {
  /** `result:KEY` of a job, or `shared:NAME` of the blackboard. */
  readonly ref: string
  readonly kind: 'text' | 'table' | 'list' | 'object'
  /** Size as JSON, in characters. */
  readonly size: number
  /** How it begins. */
  readonly head: string
}

interface Found {
  readonly value: unknown
  readonly provenance?: Provenance
}

/** The large values of the run, from attempts that were not superseded; each value once. */
export function artifactValuesIn(state: RunState): ArtifactValue[] {
  const jobs = [...state.jobs.values()].filter(
    ({ supersededBy, isOutdated }) => supersededBy === undefined && isOutdated !== true,
  )
  const refs = [...jobs.map(({ key }) => `result:${key}`), ...[...state.shared.keys()].map((name) => `shared:${name}`)]
  return refs.flatMap((ref) => {
    const shown = valueOrReference(ref, valueAt(state, ref)?.value)
    return isArtifactValue(shown, ref) ? [shown] : []
  })
}

/** Resolves a reference, for a job to its latest attempt. Undefined if there is no value. */
export function valueAt(state: RunState, ref: string): Found | undefined {
  const name = ref.slice(ref.indexOf(':') + 1)
  if (ref.startsWith('shared:')) return state.shared.get(name)
  const result = ref.startsWith('result:') ? latestAttempt(state, name)?.result : undefined
  return result === undefined ? undefined : { value: contentOf(result), provenance: result.provenance }
}

/** The value, or its `ArtifactValue` if it is large. */
export function valueOrReference(ref: string, value: unknown): unknown {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)) ?? ''
  if (text.length < LARGE_VALUE) return value
  const head = isTable(value) ? [value.columns, ...value.rows].map((row) => JSON.stringify(row)).join('\n') : text
  const shown: ArtifactValue = { ref, kind: kindOf(value), size: text.length, head: firstLines(head) }
  return shown
}

/** The data of a result, or its text if it has none. */
function contentOf({ tabular, data, answer }: Result): unknown {
  const content = { answer, tabular, data }
  const fields = Object.entries(content).filter(([, value]) => value !== undefined)
  return fields.length === 1 ? fields[0]![1] : Object.fromEntries(fields)
}

function isArtifactValue(shown: unknown, ref: string): shown is ArtifactValue {
  return typeof shown === 'object' && shown !== null && 'ref' in shown && shown.ref === ref && 'head' in shown
}

function kindOf(value: unknown): ArtifactValue['kind'] {
  if (typeof value === 'string') return 'text'
  return Array.isArray(value) ? 'list' : isTable(value) ? 'table' : 'object'
}

function isTable(value: unknown): value is Table {
  return (
    typeof value === 'object' && value !== null && 'columns' in value && 'rows' in value && Array.isArray(value.rows)
  )
}

/** Cut at the end of a line if possible. */
function firstLines(text: string): string {
  const cut = text.slice(0, HEAD)
  const end = cut.lastIndexOf('\n')
  return `${end > 0 ? cut.slice(0, end) : cut}…`
}
