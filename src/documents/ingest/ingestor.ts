import type { Clock } from '../../shared/clock.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { FairSemaphore } from '../../domain/fair-semaphore.ts'
import type { FileBytes } from '../parsing/file-bytes.ts'
import { DEFAULT_LIMITS, type ReadLimits } from '../parsing/limits.ts'
import type { Chunk, DocumentRecord, Embedder, IngestProgress, KnowledgeStore } from '../types.ts'
import type { FoundFile } from './find-files.ts'
import type { FindKnown } from './add-file.ts'

/** A file to add. */
export interface NewFile {
  readonly name: string
  /** Absolute path of its source; absent for an upload. */
  readonly path?: string
  readonly bytes: FileBytes
}

export interface IngestOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IngestProgress) => void
  /** The user whose turn is used for fairness, if not the owner; see `Ingestor.add`. */
  readonly by?: string
}

export interface PathOptions extends IngestOptions {
  /** Base of relative paths. */
  readonly cwd: string
}

export interface Added {
  readonly record: DocumentRecord
  /** False if the same file was stored already. */
  readonly isNew: boolean
}

/** The result for one file; `error` is one sentence. */
export type AddedFile = FoundFile & ({ readonly added: Added } | { readonly error: string })

/** Adds documents, for all owners. */
export interface Ingestor {
  /**
   * Adds one file. A known file, by path (else name) and content, is not read again. Two files are read in parallel,
   * taking turns between users, so that many files of one user do not delay those of another.
   * @throws TuttiError `DocumentError` with one sentence; nothing of the file is stored then
   */
  add(owner: string, file: NewFile, options?: IngestOptions): Promise<Added>
  /**
   * Adds files and folders, two files at a time. A file that cannot be read does not stop the others.
   * @throws TuttiError `SourceNotFound` for a path that does not exist
   */
  addPaths(owner: string, paths: readonly string[], options: PathOptions): Promise<readonly AddedFile[]>
  /** Removes a document and all of its data. Returns false if the owner has no such document. */
  remove(owner: string, documentId: string): Promise<boolean>
  /** Creates the missing vectors and returns their number. 0 without an embedding model. */
  embedPending(owner: string, options?: IngestOptions): Promise<number>
  /**
   * Recreates all vectors, after checking that the embedding model answers, and returns their number. 0 without a
   * model.
   * @throws TuttiError the error of the embedding model
   */
  reindex(owner: string, options?: IngestOptions): Promise<number>
}

export interface IngestorDeps {
  readonly store: KnowledgeStore
  readonly clock: Clock
  /** Called with each document that was stored. */
  readonly onAdded?: (owner: string, record: DocumentRecord) => void
  readonly embedder?: Embedder
  readonly limits?: Partial<ReadLimits>
}

/** Loaded lazily: most starts of the program do not need its packages. */
const adding = () => import('./add-file.ts')

/** Files read in parallel, each in a process with its own memory limit. */
const FILES_AT_ONCE = 2

export function createIngestor(deps: IngestorDeps): Ingestor {
  const { store, embedder } = deps
  const limits = { ...DEFAULT_LIMITS, ...deps.limits }
  const pathTurns = new FairSemaphore(FILES_AT_ONCE)
  const turns = new FairSemaphore(FILES_AT_ONCE, 1)

  const addPath = async (
    owner: string,
    file: FoundFile,
    known: FindKnown,
    options: IngestOptions,
  ): Promise<AddedFile> => {
    const { signal, onProgress } = options
    const leave = await pathTurns.enter(owner)
    try {
      signal?.throwIfAborted()
      onProgress?.({ name: file.name, stage: 'reading' })
      const { addFile, readFileContent } = await adding()
      const bytes = await readFileContent(file, limits)
      return { ...file, added: await addFile({ ...deps, limits }, owner, { ...file, bytes }, known, options) }
    } catch (thrown) {
      if (signal?.aborted === true) throw thrown
      const error = toTuttiError(thrown).message
      onProgress?.({ name: file.name, stage: 'failed', error })
      return { ...file, error }
    } finally {
      leave()
    }
  }

  /** Embedding per owner, one at a time: two in parallel would pay for the same vectors. */
  const embedding = new Map<string, Promise<unknown>>()
  const embedAll = async (owner: string, options: IngestOptions): Promise<number> => {
    if (embedder === undefined) return 0
    const before = embedding.get(owner)?.catch(() => undefined) ?? Promise.resolve()
    const work = before.then(() => embedPending(store, embedder, owner, options))
    embedding.set(owner, work)
    try {
      return await work
    } finally {
      if (embedding.get(owner) === work) embedding.delete(owner)
    }
  }

  return {
    async add(owner, file, options = {}) {
      const leave = await turns.enter(options.by ?? owner)
      try {
        options.signal?.throwIfAborted()
        const { addFile, knownDocuments } = await adding()
        return await addFile({ ...deps, limits }, owner, file, await knownDocuments(store, owner), options)
      } catch (thrown) {
        options.onProgress?.({ name: file.name, stage: 'failed', error: toTuttiError(thrown).message })
        throw thrown
      } finally {
        leave()
      }
    },
    async addPaths(owner, paths, { cwd, ...options }) {
      const [{ findFiles }, { knownDocuments }] = await Promise.all([import('./find-files.ts'), adding()])
      const [files, known] = await Promise.all([findFiles(paths, cwd), knownDocuments(store, owner)])
      return Promise.all(files.map((file) => addPath(owner, file, known, options)))
    },
    remove: (owner, documentId) => store.remove(owner, documentId),
    embedPending: (owner, options = {}) => embedAll(owner, options),
    async reindex(owner, options = {}) {
      if (embedder === undefined) return 0
      await embedder.embed(['Does it answer?'], 'passage', options.signal)
      await store.dropVectors(owner)
      return embedAll(owner, options)
    },
  }
}

const BATCH = 64

/**
 * Creates the missing vectors of an owner's passages, in batches. Finished batches are kept if it is stopped.
 * @returns the number of passages that got a vector
 * @throws TuttiError the error of the embedding model, or the signal's reason
 */
export async function embedPending(
  store: KnowledgeStore,
  embedder: Embedder,
  owner: string,
  { signal, onProgress }: IngestOptions,
): Promise<number> {
  const { model } = embedder
  let count = 0
  let total = 0
  let last: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const chunks = await store.unembedded(owner, model, BATCH)
    const [first] = chunks
    if (first === undefined) break
    if (first.chunkId === last) throw new TuttiError('Internal', `The store does not keep vectors of ${model}.`)
    last = first.chunkId
    if (total === 0) total = await pendingChunks(store, owner, chunks.length)
    const vectors = await embedder.embed(chunks.map(passageText), 'passage', signal)
    await store.embed(owner, model, new Map(chunks.map(({ chunkId }, i) => [chunkId, vectors[i]!])))
    count += chunks.length
    onProgress?.({ name: model, stage: 'embedding', done: Math.min(1, count / total) })
  }
  return count
}

async function pendingChunks(store: KnowledgeStore, owner: string, atLeast: number): Promise<number> {
  const records = await store.documents(owner)
  const missing = records.reduce((sum, { chunks, embedded }) => sum + chunks - embedded, 0)
  return Math.max(atLeast, missing)
}

/** Include the headings: a passage from the middle of a section says little without them. */
function passageText({ text, section }: Chunk): string {
  return section === undefined ? text : `${section}\n${text}`
}
