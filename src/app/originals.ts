import { readFile, stat } from 'node:fs/promises'
import type { ArtifactStore } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import { hashFile } from '../documents/ingest/hash.ts'
import { readAllBytes, type FileBytes } from '../documents/parsing/file-bytes.ts'
import type { DocumentRecord, KnowledgeStore } from '../documents/types.ts'

/** Larger ones are kept as text alone. */
const MAX_BYTES = 50_000_000

type Named = Pick<DocumentRecord, 'documentId' | 'name' | 'type' | 'path' | 'bytes' | 'hash'>

/**
 * Original PDF files, so that their pages can be shown. Uploaded ones are stored with their text and deleted with it;
 * local ones are read from their path. The document store decides who may read them.
 */
export class Originals {
  private readonly files: ArtifactStore

  constructor(files: ArtifactStore) {
    this.files = files
  }

  /** Does nothing for a file that is too large. */
  async keep({ documentId, name }: Named, bytes: FileBytes): Promise<void> {
    if (bytes.length > MAX_BYTES) return
    await this.files.keep(fileKey(documentId), { name, mediaType: 'application/pdf', bytes: await readAllBytes(bytes) })
  }

  async remove(documentId: string): Promise<void> {
    await this.files.remove(fileKey(documentId), ...(await this.listed(documentId)))
  }

  /** The uploaded file; undefined if none is stored. */
  async uploadOf(documentId: string): Promise<Uint8Array | undefined> {
    const [id] = await this.listed(documentId)
    return id === undefined ? undefined : (await this.files.read(fileKey(documentId), id))?.bytes
  }

  /** Whether there is a file whose pages can be shown. */
  async has({ documentId, type, path, bytes }: Named): Promise<boolean> {
    if (type !== 'pdf') return false
    if (path === undefined) return (await this.listed(documentId)).length > 0
    return (
      bytes <= MAX_BYTES &&
      stat(path).then(
        ({ size }) => size === bytes,
        () => false,
      )
    )
  }

  /** @throws TuttiError `NotFound` if there is no file or another one has replaced it */
  async read(record: Named): Promise<Uint8Array> {
    const { documentId, name, path, hash } = record
    if (!(await this.has(record))) throw new TuttiError('NotFound', `${name} is not kept as a file; its text is.`)
    if (path === undefined) return (await this.uploadOf(documentId))!
    const bytes = await readFile(path)
    if ((await hashFile(bytes)) === hash) return bytes
    throw new TuttiError('NotFound', `${name} has changed since it was read; have it read again.`)
  }

  private async listed(documentId: string): Promise<readonly string[]> {
    return this.files.list(fileKey(documentId))
  }
}

/** The key of a document's file; the document may change its owner. */
function fileKey(documentId: string): string {
  return `original-${documentId}`
}

/**
 * The store, with the originals of its documents. Originals are removed first, so a crash leaves a text without pages.
 */
export function withOriginals(store: KnowledgeStore, originals: Originals): KnowledgeStore {
  return {
    ...store,
    async put(owner, document, original) {
      if (document.path === undefined) {
        const previous = (await store.documents(owner)).find(
          (one) => one.path === undefined && one.name === document.name,
        )
        if (previous !== undefined && previous.hash !== document.hash) await originals.remove(previous.documentId)
      }
      const put = await store.put(owner, document)
      if (put.isNew && original !== undefined) await originals.keep(put.record, original)
      return put
    },
    async remove(owner, documentId) {
      if ((await store.document(owner, documentId)) === undefined) return false
      await originals.remove(documentId)
      return store.remove(owner, documentId)
    },
  }
}
