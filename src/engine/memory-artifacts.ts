import { createHash } from 'node:crypto'
import type { ArtifactFile, ArtifactRef, ArtifactStore, Erasure } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'

/** Enough for the images of some dozens of runs; a server must not grow without end. */
const MAX_BYTES = 64_000_000

/** Keeps artifacts while the process lives, up to a number of bytes for all together; the oldest go first. */
export class MemoryArtifacts implements ArtifactStore {
  private readonly maxBytes: number
  private readonly files = new Map<string, ArtifactFile>()
  private bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes
  }

  async keep(owner: Owner, file: ArtifactFile, runId = ''): Promise<ArtifactRef> {
    const { name, mediaType, bytes } = file
    const id = createHash('sha256').update(`${runId}\0${name}\0${mediaType}\0`).update(bytes).digest('hex').slice(0, 32)
    const key = keyOf(owner, id)
    this.drop(key)
    this.files.set(key, { ...file, bytes: Buffer.from(bytes) })
    this.bytes += bytes.length
    for (const [oldest] of this.files) if (this.bytes > this.maxBytes) this.drop(oldest)
    return { id, name, mediaType, bytes: bytes.length }
  }

  async read(owner: Owner, id: string): Promise<ArtifactFile> {
    const file = this.files.get(keyOf(owner, id))
    if (file !== undefined) return file
    const message = `There is no artifact ${id}. Without a data folder they are kept for a while, until the program ends.`
    throw new TuttiError('ArtifactNotFound', message)
  }

  async list(owner: Owner): Promise<readonly string[]> {
    const ending = keyOf(owner, '')
    return [...this.files.keys()].filter((key) => key.endsWith(ending)).map((key) => key.slice(0, -ending.length))
  }

  async remove(owner: Owner, id: string): Promise<void> {
    const key = keyOf(owner, id)
    if (this.files.has(key)) this.drop(key)
  }

  /** Artifacts in memory do not survive a crash, so there is no erasure to record. */
  async begin(): Promise<void> {}

  async begun(): Promise<readonly Erasure[]> {
    return []
  }

  async end(): Promise<void> {}

  private drop(key: string): void {
    this.bytes -= this.files.get(key)?.bytes.length ?? 0
    this.files.delete(key)
  }
}

/** No id has a line break in it. */
function keyOf(owner: Owner, id: string): string {
  return `${id}\n${owner}`
}
