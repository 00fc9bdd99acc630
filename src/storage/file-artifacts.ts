import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArtifactFile, ArtifactRef, ArtifactStore, Erasure } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { makeFolder } from './sql/make-folder.ts'

const ID = /^[0-9a-f]{32}-(?!.*\.\.)[\w.-]{1,80}$/
/** Extension of the file next to each artifact that holds its media type. */
const TYPE = '.media-type'
/** Next to the folders of owners; no owner's folder has this name. */
const ERASURES = '.erasures'

/** Keeps artifacts as files, in a folder for each owner. Equal files of a run are kept once. */
export class FileArtifacts implements ArtifactStore {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async keep(owner: Owner, { name, mediaType, bytes }: ArtifactFile, runId = ''): Promise<ArtifactRef> {
    const digest = createHash('sha256').update(`${runId}\0${mediaType}\0`).update(bytes).digest('hex').slice(0, 32)
    const id = `${digest}-${safeName(name)}`
    const path = this.path(owner, id)
    try {
      // The file is written last, so that an existing file has a type.
      await this.inFolder(owner, () => writeWhole(`${path}${TYPE}`, Buffer.from(mediaType)))
      await writeWhole(path, bytes)
    } catch (thrown) {
      throw storageError(`A file cannot be kept in ${this.folder}`, thrown)
    }
    return { id, name, mediaType, bytes: bytes.length, path }
  }

  async read(owner: Owner, id: string): Promise<ArtifactFile> {
    if (!ID.test(id) || id.endsWith(TYPE)) throw notFound(id)
    const path = this.path(owner, id)
    try {
      const [bytes, mediaType] = await Promise.all([readFile(path), readFile(`${path}${TYPE}`, 'utf8')])
      return { name: id.slice(33), mediaType, bytes }
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') throw notFound(id)
      throw storageError(`The artifact ${id} cannot be read`, thrown)
    }
  }

  async list(owner: Owner): Promise<readonly string[]> {
    try {
      return (await readdir(this.folderOf(owner))).filter((name) => ID.test(name) && !name.endsWith(TYPE))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageError(`The files in ${this.folder} cannot be listed`, thrown)
    }
  }

  async remove(owner: Owner, id: string): Promise<void> {
    if (!ID.test(id) || id.endsWith(TYPE)) return
    const path = this.path(owner, id)
    try {
      await rm(path, { force: true })
      await rm(`${path}${TYPE}`, { force: true })
    } catch (thrown) {
      throw storageError(`The artifact ${id} cannot be removed`, thrown)
    }
    // A folder that is not empty or in use is kept; this artifact's files are removed in any case.
    await rmdir(this.folderOf(owner)).catch(() => undefined)
  }

  async begin(erasure: Erasure): Promise<void> {
    try {
      await makeFolder(join(this.folder, ERASURES))
      await writeWhole(this.noteOf(erasure), Buffer.from(JSON.stringify(erasure)))
    } catch (thrown) {
      throw storageError(`What is to be deleted cannot be noted in ${this.folder}`, thrown)
    }
  }

  async begun(onBroken: (error: TuttiError) => void = () => undefined): Promise<readonly Erasure[]> {
    const folder = join(this.folder, ERASURES)
    const found: Erasure[] = []
    try {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      for (const name of names) found.push(...(await readNote(join(folder, name), onBroken)))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw storageError(`What is still to be deleted in ${this.folder} cannot be read`, thrown)
      }
    }
    return found
  }

  async end(erasure: Erasure): Promise<void> {
    try {
      await rm(this.noteOf(erasure), { force: true })
    } catch (thrown) {
      throw storageError(`A note in ${this.folder} cannot be removed`, thrown)
    }
  }

  private noteOf({ owner, runId }: Erasure): string {
    const name = createHash('sha256').update(`${owner}\0${runId}`).digest('hex')
    return join(this.folder, ERASURES, `${name}.json`)
  }

  /** Retries once if a removal deleted the folder in between. */
  private async inFolder(owner: Owner, write: () => Promise<void>): Promise<void> {
    await makeFolder(this.folderOf(owner))
    try {
      await write()
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
      await makeFolder(this.folderOf(owner))
      await write()
    }
  }

  private path(owner: Owner, id: string): string {
    return join(this.folderOf(owner), id)
  }

  /** Names that no file system could mistake for another one or for a path out of the folder; others become a digest. */
  private folderOf(owner: Owner): string {
    const isPlain = /^[a-z0-9][a-z0-9_-]{0,63}$/.test(owner)
    return join(this.folder, isPlain ? owner : `~${createHash('sha256').update(owner).digest('hex').slice(0, 40)}`)
  }
}

/** Empty if another process has just completed it. An invalid record, as after a power failure, is removed. */
async function readNote(path: string, onBroken: (error: TuttiError) => void): Promise<readonly Erasure[]> {
  try {
    const text = await readFile(path, 'utf8')
    if (/^[\s\0]*$/.test(text)) await rm(path, { force: true })
    const note = JSON.parse(text) as Partial<Erasure> | null
    if (typeof note?.owner === 'string' && typeof note.runId === 'string' && Array.isArray(note.files)) {
      return [note as Erasure]
    }
    throw new Error('it names no run')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    onBroken(storageError(`The note ${path} of a deletion that was begun is of no use`, thrown))
    return []
  }
}

/** The file is there in full or not at all, also after power loss. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`
  await writeFile(draft, bytes, { mode: 0o600, flush: true })
  await rename(draft, path)
}

/** A caller's name must not lead out of the folder, hide its file, or be mistaken for the type of another. */
function safeName(name: string): string {
  const safe = name
    .replace(/[^\w.-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .slice(-80)
    .replace(/^\.+/, '')
  return (safe.endsWith(TYPE) ? `${safe.slice(0, -TYPE.length)}_` : safe) || 'file'
}

function notFound(id: string): TuttiError {
  return new TuttiError('ArtifactNotFound', `There is no artifact ${id}.`)
}

function storageError(what: string, thrown: unknown): TuttiError {
  return new TuttiError('StorageError', `${what}: ${(thrown as Error).message}`, { cause: thrown })
}
