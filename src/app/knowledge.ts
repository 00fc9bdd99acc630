import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArtifactStore } from '../domain/artifacts.ts'
import type { Owner } from '../domain/events.ts'
import { createHttpClient } from '../http/client.ts'
import { collectionOwner, parseCollectionOwner } from '../documents/collections.ts'
import { createEmbedder } from '../documents/embedding/embedder.ts'
import { createIngestor } from '../documents/ingest/ingestor.ts'
import { createQdrantClient } from '../documents/qdrant/client.ts'
import { withQdrant } from '../documents/qdrant/with-qdrant.ts'
import { createRetriever } from '../documents/search/retriever.ts'
import { openKnowledgeStore, type StorePlace } from '../documents/store/index.ts'
import type { DocumentRecord, KnowledgeStore } from '../documents/types.ts'
import type { People } from '../accounts/people.ts'
import { guardDocuments } from './owner-exists-guard.ts'
import { serverPolicy } from './network.ts'
import type { Settings } from './check-options.ts'
import { Originals, withOriginals } from './originals.ts'
import { openSharedDocuments } from './shared-documents.ts'
import { folderOf } from './storage.ts'

export const KNOWLEDGE_FILE = 'knowledge.db'
/** Separate from the library, so that a question about its own documents does not create the library. */
const RUN_FILE = 'run-documents.db'

export type OpenKnowledge = ReturnType<typeof openKnowledge>

/**
 * The documents of this installation. Nothing is opened before it is needed. Without storage they are in a temporary
 * folder until the process ends.
 */
export function openKnowledge(
  options: Settings,
  people: Pick<People, 'accounts' | 'collections' | 'callerOf'>,
  files: ArtifactStore,
) {
  const { embedding, clock, storage } = options
  const embedder = embedding === undefined ? undefined : createEmbedder(embedding, { clock, fetch: globalThis.fetch })
  const withEmbedder = embedder === undefined ? {} : { embedder }
  const databaseUrl = storage?.databaseUrl
  const dataDir = folderOf(options)
  const passing = join(tmpdir(), `tutti-${randomUUID()}`)
  const placeOf = (file: string): StorePlace =>
    databaseUrl === undefined ? { sqlitePath: join(dataDir ?? passing, file) } : { postgresUrl: databaseUrl }
  const originals = new Originals(files)
  const library = openKnowledgeStore(placeOf(KNOWLEDGE_FILE))
  const isThere = async (scope: Owner): Promise<boolean> => {
    const { owner, collection } = parseCollectionOwner(scope)
    if (owner === '') return people.collections.exists(collection)
    return !(await people.accounts.isErased(owner))
  }
  const guarded = (one: KnowledgeStore): KnowledgeStore => guardDocuments(withOriginals(one, originals), isThere)
  const store = guarded(withVectors(library, options))
  const runStore = guarded(databaseUrl === undefined ? openKnowledgeStore(placeOf(RUN_FILE)) : library)
  const mayHold = (file: string): boolean => databaseUrl !== undefined || existsSync(join(dataDir ?? passing, file))
  const named = (options.documents ?? []).length > 0
  const shared = openSharedDocuments(people, store)
  let onAdded: (owner: Owner, record: DocumentRecord) => void = () => undefined
  return {
    store,
    shared,
    ingest: createIngestor({
      store,
      clock,
      onAdded: (owner, record) => onAdded(owner, record),
      ...withEmbedder,
    }),
    /** Sets the function that is called with each document that is added to the library. */
    followAdded(listener: typeof onAdded): void {
      onAdded = listener
    },
    ...createRetriever({ store, ...withEmbedder }),
    /** False if there are surely no documents at all. */
    get hasDocuments(): boolean {
      return named || mayHold(KNOWLEDGE_FILE) || mayHold(RUN_FILE)
    },
    /** Whether there are documents that a user's questions could be answered from; true if unknown. */
    async hasDocumentsOf(owner: Owner): Promise<boolean> {
      // Errors of the library are reported by the search itself.
      return named || (await library.holds(await shared.readableScope(owner)).catch(() => true))
    },
    /** Their files, where pages can be shown. */
    originals,
    /** Absent without an embedding model. */
    ...withEmbedder,
    /** The documents that were named for single runs, in collections of their owners. */
    ofRuns: {
      store: runStore,
      ingest: createIngestor({ store: runStore, clock, ...withEmbedder }),
      ...createRetriever({ store: runStore, ...withEmbedder }),
      collections: {
        list: (owner: Owner) => runStore.collections(owner),
        async remove(owner: Owner, collection: string) {
          const scope = collectionOwner(owner, collection)
          for (const { documentId } of await runStore.documents(scope)) await runStore.remove(scope, documentId)
        },
      },
    },
    async close(): Promise<void> {
      await Promise.allSettled([store.close(), runStore.close()])
      await rm(passing, { recursive: true, force: true })
    },
  }
}

/**
 * The store with its vectors in Qdrant, if configured. Stores in memory do not use Qdrant: it would keep their vectors,
 * and the collection may contain the same owner's permanent documents.
 */
function withVectors(store: KnowledgeStore, options: Settings): KnowledgeStore {
  const { qdrant, storage, clock } = options
  if (qdrant === undefined || storage === undefined) return store
  const http = createHttpClient(serverPolicy(options, qdrant.url), { clock })
  return {
    ...withQdrant(store, createQdrantClient(qdrant, http)),
    async close() {
      await Promise.all([store.close(), http.close()])
    },
  }
}
