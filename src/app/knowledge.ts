import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { toTuttiError, TuttiError } from '../core/errors.ts'
import type { ModelPort } from '../core/model.ts'
import type { Owner } from '../core/owner.ts'
import { createHttpClient } from '../http/client.ts'
import { createEmbedder } from '../knowledge/embedding/embedder.ts'
import { describeDocument, type DescribeInput } from '../knowledge/ingest/describe.ts'
import { createIngestor, type AddedFile } from '../knowledge/ingest/ingestor.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { createQdrantClient } from '../knowledge/qdrant/client.ts'
import { withQdrant } from '../knowledge/qdrant/with-qdrant.ts'
import { createRetriever } from '../knowledge/search/retriever.ts'
import { openKnowledgeStore, type StorePlace } from '../knowledge/store/index.ts'
import type { KnowledgeStore } from '../knowledge/types.ts'
import { qdrantPolicy } from './network.ts'
import type { Checked } from './check-options.ts'
import { folderOf } from './storage.ts'

const FILE = 'knowledge.db'

export interface OpenKnowledge extends Knowledge {
  /** False when it is sure that nobody has any document. */
  readonly hasDocuments: boolean
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
  const place: StorePlace =
    databaseUrl === undefined ? { sqlitePath: join(dataDir ?? passing, FILE) } : { postgresUrl: databaseUrl }
  const store = withVectors(openKnowledgeStore(place), options)
  const named = (options.documents ?? []).length > 0
  return {
    store,
    ingest: createIngestor({ store, clock, describe: describedBy(models), ...withEmbedder }),
    ...createRetriever({ store, ...withEmbedder }),
    hasDocuments: named || databaseUrl !== undefined || (dataDir !== undefined && existsSync(join(dataDir, FILE))),
    async close() {
      await store.close()
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
  const http = createHttpClient(qdrantPolicy(options, qdrant), { clock })
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

/**
 * Takes in the documents that were named for one run and gives the paths that its search keeps to: files and folders as
 * they are, for a pattern the files that it stands for. A file that cannot be read is told of and left out.
 * @throws TuttiError `InvalidRequest` for a path that is not there; `DocumentError` when nothing could be read
 */
export async function takeIn(
  { ingest }: Knowledge,
  owner: Owner,
  { documents = [], cwd, onTrouble, onDocument }: Checked,
): Promise<string[]> {
  if (documents.length === 0) return []
  const added = await ingest.addPaths(owner, documents, {
    cwd,
    ...(onDocument === undefined ? {} : { onProgress: onDocument }),
  })
  if (added.length === 0) {
    throw new TuttiError('InvalidRequest', `There are no files of a kind that can be read in ${documents.join(', ')}.`)
  }
  const failed = added.flatMap((file) => ('error' in file ? [file] : []))
  if (failed.length > 0 && failed.length === added.length) throw new TuttiError('DocumentError', failed[0]!.error)
  for (const { error } of failed) onTrouble(new TuttiError('DocumentError', error))
  // Text can be searched without vectors, and an answer from words alone says so.
  await ingest
    .embedPending(owner, onDocument === undefined ? {} : { onProgress: onDocument })
    .catch((thrown: unknown) => onTrouble(toTuttiError(thrown)))
  const paths = await Promise.all(documents.map((path) => pathsOf(resolve(cwd, path), added)))
  return [...new Set(paths.flat())]
}

async function pathsOf(path: string, added: readonly AddedFile[]): Promise<string[]> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  return isThere ? [path] : added.map((file) => file.path)
}
