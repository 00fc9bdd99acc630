import type { Owner } from './owner.ts'

/** A file that an agent made or was given and that is too large for the log: an image, a long answer of an API. */
export interface ArtifactFile {
  readonly name: string
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** What stands in the log in place of the file. */
export interface ArtifactRef {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  /** Size of the file. */
  readonly bytes: number
  /** Where the file lies, when it is kept on the disk of this machine; else it is gone with the process. */
  readonly path?: string
}

/** Keeps files, each for its owner alone. */
export interface ArtifactStore {
  /** Keeping the same file again gives the same id. @throws TuttiError `StorageError` when it cannot be written */
  keep(owner: Owner, file: ArtifactFile): Promise<ArtifactRef>
  /** @throws TuttiError `ArtifactNotFound`, also for what belongs to somebody else; `StorageError` */
  read(owner: Owner, id: string): Promise<ArtifactFile>
  /** The ids of all files of the owner. */
  list(owner: Owner): Promise<readonly string[]>
  /** Does nothing where there is no such file. @throws TuttiError `StorageError` */
  remove(owner: Owner, id: string): Promise<void>
}

/** The store as the agents of one owner's run see it. */
export interface Artifacts {
  keep(file: ArtifactFile): Promise<ArtifactRef>
  read(id: string): Promise<ArtifactFile>
}

/** Where a reader finds the file, in words that follow "kept". */
export function placeOf({ id, path }: ArtifactRef): string {
  return path === undefined ? `in memory as ${id}, until the program ends` : `as ${path}`
}
