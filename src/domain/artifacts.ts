import type { ArtifactValue } from './artifact-values.ts'
import type { TuttiError } from './errors.ts'
import type { RunId } from './events.ts'
import type { Owner } from './owner.ts'

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
  /** Path of the file, if it is on this machine's disk. */
  readonly path?: string
  /** It is stored in a database. Without this and without a path it only exists as long as the process. */
  readonly isKept?: true
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
  /** Does nothing if there is no such file. @throws TuttiError `StorageError` */
  remove(owner: Owner, id: string): Promise<void>
  /**
   * Records an erasure before it starts, so that the next start completes it after a crash.
   * @throws TuttiError `StorageError`
   */
  begin(erasure: Erasure): Promise<void>
  /**
   * The recorded erasures that are not complete.
   * @param onBroken called for unreadable records, which are left out
   * @throws TuttiError `StorageError`
   */
  begun(onBroken?: (error: TuttiError) => void): Promise<readonly Erasure[]>
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

/** Where a reader finds the file, as words that follow "kept". */
export function artifactLocation({ id, path, isKept }: ArtifactRef): string {
  if (path !== undefined) return `as ${path}`
  return isKept === true ? `as ${id}` : `in memory as ${id}, until the program ends`
}
