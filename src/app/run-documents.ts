import { createHash, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { ArtifactStore, Erasure } from '../domain/artifacts.ts'
import type { Clock } from '../shared/clock.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import type { Attached, RequestInput } from '../domain/request.ts'
import { collectionOwner } from '../documents/collections.ts'
import type { Knowledge } from '../documents/documents.ts'
import type { DocumentRecord, KnowledgeStore } from '../documents/types.ts'
import type { OpenKnowledge } from './knowledge.ts'
import { DEFAULT_LIMITS } from '../documents/parsing/limits.ts'
import type { Settings } from './check-options.ts'

const COLLECTION = /^documents-[0-9a-f]{32}$/

/** After this time, an unfinished import for a run that was never started counts as abandoned. */
const ABANDONED_MS = 86_400_000

/**
 * Adds the documents of a run to a collection that the run refers to. The collection's name is a hash of its files'
 * contents: the next question about the same documents reuses it, and changed documents do not affect earlier runs.
 * Unreadable files are reported and left out.
 * @param kept called with the collection before it is filled
 * @throws TuttiError `InvalidRequest` for a missing path; `DocumentError` when no file could be read
 */
export async function addRunDocuments(
  { ingest }: Pick<Knowledge, 'ingest'>,
  owner: Owner,
  { documents = [], cwd, onError, onDocument }: Settings,
  kept: (collection: string) => Promise<void>,
): Promise<Attached[]> {
  if (documents.length === 0) return []
  const hashes = await hashesOf(documents, cwd)
  if (hashes.size === 0) {
    throw new TuttiError('InvalidRequest', `There are no files of a kind that can be read in ${documents.join(', ')}.`)
  }
  const digest = createHash('sha256').update(JSON.stringify([...hashes].sort()))
  const collection = `documents-${digest.digest('hex').slice(0, 32)}`
  await kept(collection)
  const scope = collectionOwner(owner, collection)
  const telling = onDocument === undefined ? {} : { onProgress: onDocument }
  const added = await ingest.addPaths(scope, documents, { cwd, ...telling })
  const missing = added.flatMap((file) => ('added' in file ? [] : [file.error]))
  if (missing.length > 0 && missing.length === added.length) throw new TuttiError('DocumentError', missing[0]!)
  for (const problem of missing) onError(new TuttiError('DocumentError', problem))
  const changed = added.find((file) => 'added' in file && file.added.record.hash !== hashes.get(keyOf(file)))
  if (changed !== undefined) {
    throw new TuttiError('DocumentError', `${changed.name} changed while it was read; ask again.`, { retryable: true })
  }
  // Text can be searched without vectors; the answer mentions that only words were compared.
  await ingest.embedPending(scope, telling).catch((thrown: unknown) => onError(toTuttiError(thrown)))
  return documents.map((path) => ({ address: resolve(cwd, path), collection }))
}

/** Hashes of the named files, by path and name for readers; empty for unreadable files. */
async function hashesOf(documents: readonly string[], cwd: string): Promise<ReadonlyMap<string, string>> {
  const [{ findFiles }, { readFileContent: contentOf }, { hashFile: hashOf }] = await Promise.all([
    import('../documents/ingest/find-files.ts'),
    import('../documents/ingest/add-file.ts'),
    import('../documents/ingest/hash.ts'),
  ])
  const hashes = new Map<string, string>()
  for (const file of await findFiles(documents, cwd)) {
    const hash = await contentOf(file, DEFAULT_LIMITS).then(hashOf, () => '')
    hashes.set(keyOf(file), hash)
  }
  return hashes
}

function keyOf({ path, name }: { readonly path: string; readonly name: string }): string {
  return JSON.stringify([path, name])
}

/**
 * A request that names a collection of its owner, which was filled before. Its documents are searched first.
 * @throws TuttiError `InvalidRequest` if the collection is empty
 */
export async function withCollection(
  { store }: Pick<Knowledge, 'store'>,
  owner: Owner,
  request: RequestInput,
  collection: string,
): Promise<RequestInput> {
  const documents = await store.documents(collectionOwner(owner, collection))
  if (documents.length === 0)
    throw new TuttiError('InvalidRequest', 'There are no files in this collection; send them again.')
  const address = documents.map(({ name }) => name).join(', ')
  const preferAgents = [...(request.preferAgents ?? []), 'rag']
  return { ...request, preferAgents, attached: [{ address, collection }] }
}

/** A document, and where its text is read. */
export interface ReadableDocument {
  readonly record: DocumentRecord
  readonly store: KnowledgeStore
  readonly owner: Owner
}

/** A document of the owner's single runs, by its full id as in citations; undefined if there is none. */
export async function documentOfRuns(
  { store, collections }: Pick<Knowledge, 'store'> & { readonly collections: Collections },
  owner: Owner,
  documentId: string,
): Promise<ReadableDocument | undefined> {
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(documentId)
  for (const collection of isId ? await collections.list(owner) : []) {
    const scope = collectionOwner(owner, collection)
    const record = await store.document(scope, documentId.toLowerCase())
    if (record !== undefined) return { record, store, owner: scope }
  }
  return undefined
}

/** Records that a collection is being filled, so that it is deleted if no run ever refers to it. */
export function abandonedUnlessNamed(owner: Owner, collection: string, now: number): Erasure {
  return { owner, runId: `documents ${now} ${randomUUID()}`, files: [collection] }
}

/** The part of the runs' documents that `withRunDocuments` uses. */
export interface Collections {
  list(owner: Owner): Promise<readonly string[]>
  remove(owner: Owner, collection: string): Promise<void>
}

/**
 * For the engine, the documents of a run are files like others: they are deleted with the last run that refers to them.
 */
export function withRunDocuments(artifacts: ArtifactStore, collections: Collections, clock: Clock): ArtifactStore {
  return {
    keep: (...given) => artifacts.keep(...given),
    read: (...given) => artifacts.read(...given),
    list: async (owner) => [...(await artifacts.list(owner)), ...(await collections.list(owner))],
    remove: async (owner, ...ids) => {
      for (const id of ids.filter((id) => COLLECTION.test(id))) await collections.remove(owner, id)
      await artifacts.remove(owner, ...ids.filter((id) => !COLLECTION.test(id)))
    },
    begin: (erasure) => artifacts.begin(erasure),
    async begun() {
      const begun = await artifacts.begun()
      return begun.filter(({ runId }) => {
        const [, since] = /^documents (\d+) /.exec(runId) ?? []
        return since === undefined || clock.now() - Number(since) > ABANDONED_MS
      })
    },
    end: (erasure) => artifacts.end(erasure),
  }
}

/** Where a user's documents are: the library, their own collections, and those added for single runs. */
export async function documentLocations(
  { store, hasDocuments, ofRuns, shared }: Pick<OpenKnowledge, 'store' | 'hasDocuments' | 'ofRuns' | 'shared'>,
  owner: Owner,
) {
  const collections = await ofRuns.collections.list(owner)
  return [
    ...(hasDocuments ? [owner, ...(await shared.ownedBy(owner))].map((scope) => ({ store, scope })) : []),
    ...collections.map((collection) => ({ store: ofRuns.store, scope: collectionOwner(owner, collection) })),
  ]
}
