import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelPort } from '../core/model.ts'
import type { Owner } from '../core/owner.ts'
import { createHttpClient } from '../http/client.ts'
import { collectionOwner } from '../knowledge/collections.ts'
import { createEmbedder } from '../knowledge/embedding/embedder.ts'
import { describeDocument, type DescribeInput } from '../knowledge/ingest/describe.ts'
import { createIngestor } from '../knowledge/ingest/ingestor.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { createQdrantClient } from '../knowledge/qdrant/client.ts'
import { withQdrant } from '../knowledge/qdrant/with-qdrant.ts'
import { createRetriever } from '../knowledge/search/retriever.ts'
import { openKnowledgeStore, type StorePlace } from '../knowledge/store/index.ts'
import type { Embedder, KnowledgeStore } from '../knowledge/types.ts'
import { serverPolicy } from './network.ts'
import type { Checked } from './check-options.ts'
import type { Collections } from './run-documents.ts'
import { folderOf } from './storage.ts'

const FILE = 'knowledge.db'
/** Beside the library, which a question to documents of its own does not make. */
const RUN_FILE = 'run-documents.db'

export interface OpenKnowledge extends Knowledge {
  /** False when it is sure that nobody has any document. */
  readonly hasDocuments: boolean
  /** Whether there are documents that this owner's questions could be answered from; true where it cannot be told. */
  hasDocumentsOf(owner: Owner): Promise<boolean>
  /** The documents that were named for single runs, in collections of their owners. */
  readonly ofRuns: Knowledge & { readonly collections: Collections }
  /** Absent where no embedding model is set up. */
  readonly embedder?: Embedder
  close(): Promise<void>
}

/**
 * The documents of this installation. Nothing is opened before it is needed; where nothing is kept they lie in a
 * temporary folder until the end.
 */
export function openKnowledge(options: Checked, models: ModelPort, newId: () => string): OpenKnowledge {
  const { embedding, clock, storage } = options
  const embedder = embedding === undefined ? undefined : createEmbedder(embedding, { clock, fetch: globalThis.fetch })
  const withEmbedder = embedder === undefined ? {} : { embedder }
  const databaseUrl = storage?.databaseUrl
  const dataDir = folderOf(options)
  const passing = join(tmpdir(), `tutti-${newId()}`)
  const placeOf = (file: string): StorePlace =>
    databaseUrl === undefined ? { sqlitePath: join(dataDir ?? passing, file) } : { postgresUrl: databaseUrl }
  const library = openKnowledgeStore(placeOf(FILE))
  const store = withVectors(library, options)
  const runStore = databaseUrl === undefined ? openKnowledgeStore(placeOf(RUN_FILE)) : library
  const mayHold = (file: string): boolean => databaseUrl !== undefined || existsSync(join(dataDir ?? passing, file))
  const named = (options.documents ?? []).length > 0
  return {
    store,
    ingest: createIngestor({ store, clock, describe: describedBy(models), ...withEmbedder }),
    ...createRetriever({ store, ...withEmbedder }),
    get hasDocuments() {
      return named || mayHold(FILE) || mayHold(RUN_FILE)
    },
    async hasDocumentsOf(owner) {
      // What is wrong with the library is told by whoever looks something up in it.
      return named || (mayHold(FILE) && (await library.holds(owner).catch(() => true)))
    },
    ...withEmbedder,
    ofRuns: {
      store: runStore,
      // Rules describe them: nobody who waits for an answer waits for a model that does.
      ingest: createIngestor({ store: runStore, clock, ...withEmbedder }),
      ...createRetriever({ store: runStore, ...withEmbedder }),
      collections: {
        list: async (owner) => (mayHold(RUN_FILE) ? runStore.collections(owner) : []),
        async remove(owner, collection) {
          const whose = collectionOwner(owner, collection)
          const documents = mayHold(RUN_FILE) ? await runStore.documents(whose) : []
          for (const { documentId } of documents) await runStore.remove(whose, documentId)
        },
      },
    },
    async close() {
      await Promise.all([store.close(), runStore.close()])
      await rm(passing, { recursive: true, force: true })
    },
  }
}

/**
 * The store with its vectors in Qdrant where one is named. What is gone with the process stays out of it: Qdrant would
 * keep it, and the collection may be that of the same owner's lasting documents.
 */
function withVectors(store: KnowledgeStore, options: Checked): KnowledgeStore {
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

/** Two or three sentences by the model of the actor `describer`; outside of any run, so that no budget holds for it. */
function describedBy(models: ModelPort) {
  return async (input: DescribeInput, signal = new AbortController().signal): Promise<string> => {
    const reserve = () => () => undefined
    const { value } = await models.ask(describeDocument, input, { actor: 'describer', models: {}, signal, reserve })
    return value.description
  }
}
