import type { Clock } from '../../shared/clock.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { FairSemaphore } from '../../domain/fair-semaphore.ts'
import type { FileBytes } from '../parsing/file-bytes.ts'
import { DEFAULT_LIMITS, type ReadLimits } from '../parsing/limits.ts'
import { Readers } from '../parsing/readers.ts'
import type { DocumentRecord, Embedder, IngestProgress, KnowledgeStore } from '../types.ts'
import { embedPending } from './embed-pending.ts'
import type { FoundFile } from './find-files.ts'
import { createLimiter } from './limiter.ts'
import type { Known } from './add-file.ts'

/** A file to be added. */
export interface NewFile {
  readonly name: string
  /** Where it was read from, in full; absent for an upload. */
  readonly path?: string
  readonly bytes: FileBytes
}

export interface IngestOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IngestProgress) => void
  /** Whose turn it is, where that is not the owner; see `Ingestor.add`. */
  readonly by?: string
}

export interface PathOptions extends IngestOptions {
  /** What relative paths start from. */
  readonly cwd: string
}

export interface WatchOptions extends PathOptions {
  readonly signal: AbortSignal
  /** Called once all existing files have been noticed. */
  readonly onReady?: () => void
}

export interface Added {
  readonly record: DocumentRecord
  /** False when the same file was there already. */
  readonly isNew: boolean
}

/** What happened to one file; `error` and `skipped` are one sentence. */
export type AddedFile = FoundFile &
  ({ readonly added: Added } | { readonly error: string } | { readonly skipped: string })

/** Adds files to the documents, for all owners. */
export interface Ingestor {
  /**
   * Adds one file. One that is there already, by path (else name) and content, is left as it is without being read. Two are
   * read at once, of different people, in turn: the many files of one do not hold up those of another.
   * @throws TuttiError `DocumentError` with one sentence; nothing of the file is kept then
   */
  add(owner: string, file: NewFile, options?: IngestOptions): Promise<Added>
  /**
   * Adds files, folders and patterns, two files at once. A file that cannot be read does not stop the others.
   * @throws TuttiError `SourceNotFound` for a path that is not there
   */
  addPaths(owner: string, paths: readonly string[], options: PathOptions): Promise<readonly AddedFile[]>
  /** Adds what is there and every later change, and removes what is deleted, until the signal. */
  watch(owner: string, paths: readonly string[], options: WatchOptions): Promise<void>
  /** Removes a document and all that belongs to it. False when the owner has none of that id. */
  remove(owner: string, documentId: string): Promise<boolean>
  /** Makes the vectors that are missing, and says how many. 0 without an embedding model. */
  embedPending(owner: string, options?: IngestOptions): Promise<number>
  /**
   * Makes all vectors anew, once the embedding model has shown that it answers, and says how many. 0 without one.
   * @throws TuttiError what the embedding model throws
   */
  reindex(owner: string, options?: IngestOptions): Promise<number>
}

export interface IngestorDeps {
  readonly store: KnowledgeStore
  readonly clock: Clock
  /** False where the description that rules make of a document is to stay. */
  readonly describesLater?: boolean
  readonly embedder?: Embedder
  readonly limits?: Partial<ReadLimits>
}

/** With what it needs of packages, which most starts of the program do not. */
const adding = () => import('./add-file.ts')

/** Each has a process, with a memory of its own. */
const FILES_AT_ONCE = 2

export function createIngestor(deps: IngestorDeps): Ingestor {
  const { store, clock, embedder } = deps
  const limits = { ...DEFAULT_LIMITS, ...deps.limits }
  const limiter = createLimiter(FILES_AT_ONCE)
  const turns = new FairSemaphore(FILES_AT_ONCE, 1)

  const addPath = (
    readers: Readers,
    owner: string,
    file: FoundFile,
    known: Known,
    options: IngestOptions,
  ): Promise<AddedFile> =>
    limiter(async () => {
      const { signal, onProgress } = options
      try {
        signal?.throwIfAborted()
        if (file.isSkipped === true) {
          const { unknownKind } = await import('../parsing/detect.ts')
          const reason = unknownKind(file.name).message
          onProgress?.({ name: file.name, stage: 'skipped', error: reason })
          return { ...file, skipped: reason }
        }
        onProgress?.({ name: file.name, stage: 'reading' })
        const { addFile, readFileContent: contentOf } = await adding()
        const bytes = await contentOf(file, limits)
        return {
          ...file,
          added: await addFile({ ...deps, limits, readers }, owner, { ...file, bytes }, known, options),
        }
      } catch (thrown) {
        if (signal?.aborted === true) throw thrown
        const error = toTuttiError(thrown).message
        onProgress?.({ name: file.name, stage: 'failed', error })
        return { ...file, error }
      }
    })

  const withReaders = async <T>(work: (readers: Readers) => Promise<T>): Promise<T> => {
    const readers = new Readers(limits)
    return work(readers).finally(() => readers.close())
  }

  /** By owner, one after the other: two at once would pay for the same vectors. */
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
      return withReaders((readers) => Promise.all(files.map((file) => addPath(readers, owner, file, known, options))))
    },
    async watch(owner, paths, options) {
      const { onProgress, signal } = options
      const [{ watchFiles }, { knownDocuments }] = await Promise.all([import('./watch.ts'), adding()])
      await watchFiles(paths, { ...options, clock }, async (changed, files) => {
        const known = await knownDocuments(store, owner)
        const take = async (readers: Readers, path: string): Promise<AddedFile | undefined> => {
          const file = files.get(path)
          if (file !== undefined) return addPath(readers, owner, file, known, { signal, ...onlyChanges(onProgress) })
          const gone = known({ name: '', path })
          if (gone === undefined || !(await store.remove(owner, gone.documentId))) return undefined
          onProgress?.({ name: gone.name, stage: 'removed' })
          return undefined
        }
        const taken = await withReaders((readers) => Promise.all([...changed].map((path) => take(readers, path))))
        if (!taken.some((file) => file !== undefined && 'added' in file)) return
        // Text can be searched without vectors; the next change tries again.
        await embedAll(owner, options).catch((thrown: unknown) => {
          const error = toTuttiError(thrown).message
          if (!signal.aborted) onProgress?.({ name: embedder?.model ?? '', stage: 'failed', error })
        })
      })
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

/** Unchanged files are read when watching starts, and not reported. */
function onlyChanges(onProgress: IngestOptions['onProgress']): Pick<IngestOptions, 'onProgress'> {
  if (onProgress === undefined) return {}
  return {
    onProgress(progress) {
      if (progress.stage !== 'reading' && progress.stage !== 'unchanged') onProgress(progress)
    },
  }
}
