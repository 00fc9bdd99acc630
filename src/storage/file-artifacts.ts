import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArtifactFile, ArtifactRef, ArtifactStore, Erasure } from '../core/artifacts.ts'
import { TuttiError } from '../core/errors.ts'
import type { Owner } from '../core/owner.ts'
import { makeFolder } from './sql/make-folder.ts'

const ID = /^[0-9a-f]{32}-(?!.*\.\.)[\w.-]{1,80}$/
/** Beside each file there is one of this ending with its media type. */
const TYPE = '.media-type'
/** Beside the folders of owners, none of which is called so. */
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
      await makeFolder(this.folderOf(owner))
      // The file itself comes last: where it is, its type is, too.
      await writeWhole(`${path}${TYPE}`, Buffer.from(mediaType))
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
  }

  async begin(erasure: Erasure): Promise<void> {
    try {
      await makeFolder(join(this.folder, ERASURES))
      await writeWhole(this.noteOf(erasure), Buffer.from(JSON.stringify(erasure)))
    } catch (thrown) {
      throw storageError(`What is to be deleted cannot be noted in ${this.folder}`, thrown)
    }
  }

  async begun(): Promise<readonly Erasure[]> {
    try {
      const notes = (await readdir(join(this.folder, ERASURES))).filter((name) => name.endsWith('.json'))
      const read = async (name: string) =>
        JSON.parse(await readFile(join(this.folder, ERASURES, name), 'utf8')) as Erasure
      return await Promise.all(notes.map(read))
    } catch (thrown) {
      // Also when another process has just finished one of them, and with it the rest.
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageError(`What is still to be deleted in ${this.folder} cannot be read`, thrown)
    }
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

  private path(owner: Owner, id: string): string {
    return join(this.folderOf(owner), id)
  }

  /** Names that no file system could mistake for another one or for a path out of the folder; others become a digest. */
  private folderOf(owner: Owner): string {
    const isPlain = /^[a-z0-9][a-z0-9_-]{0,63}$/.test(owner)
    return join(this.folder, isPlain ? owner : `~${createHash('sha256').update(owner).digest('hex').slice(0, 40)}`)
  }
}

/** The file is there in full or not at all. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`
  await writeFile(draft, bytes, { mode: 0o600 })
  await rename(draft, path)
}

/** A name from outside must not lead out of the folder, hide its file, or be mistaken for the type of another. */
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
