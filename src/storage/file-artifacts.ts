import { createHash } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

export interface ArtifactFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Keeps what is too large for the log as files in one folder. The same content is kept once. */
export class FileArtifacts {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Gives the path of the file, which is there in full or not at all. @throws the file system's own error */
  async keep({ name, bytes }: ArtifactFile): Promise<string> {
    await makeFolder(this.folder)
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    const path = join(this.folder, `${digest}-${safeName(name)}`)
    const draft = `${path}.${process.pid}.tmp`
    await writeFile(draft, bytes, { mode: 0o600 })
    await rename(draft, path)
    return path
  }
}

/** A name from outside must not lead out of the folder, nor hide its file. */
function safeName(name: string): string {
  return (
    name
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(-80) || 'file'
  )
}
