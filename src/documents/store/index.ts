import { accessSync } from 'node:fs'
import { resolve } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'
import { Helper } from '../../processes/helper.ts'
import { ownersOf } from '../collections.ts'
import type { KnowledgeStore, NewDocument, OwnerScope } from '../types.ts'
import type { StoreCall, StorePlace } from './store-worker.ts'
import type { WireDocument } from './write.ts'
import { startChild } from '../../processes/child.ts'

export type { StorePlace } from './store-worker.ts'

/** Owners are user ids, of at most 200 characters, some with a collection; a longer text is a mistake. */
const MAX_OWNER_CHARS = 250

/**
 * Opens a store on an SQLite file or a PostgreSQL database. Nothing happens before the first call. Each kind of
 * work has a process, started when it is first needed: a search need not wait for a document that is being taken in, and
 * words and vectors are searched side by side. Reading a file that does not exist yet starts none.
 * Calls throw TuttiError `StorageError` when file or server cannot be used.
 */
export function openKnowledgeStore(place: StorePlace): KnowledgeStore {
  const at: StorePlace = 'sqlitePath' in place ? { sqlitePath: resolve(place.sqlitePath) } : place
  const reader = storeProcess(at)
  const nearest = storeProcess(at)
  const writer = storeProcess(at)
  const ask = async <T>(process: Helper, method: StoreCall['method'], scope: OwnerScope, ...values: unknown[]) => {
    checkOwners(scope)
    return process.call<T>({ method, values: [scope, ...values] } satisfies StoreCall)
  }
  const find = async <T>(
    empty: T,
    method: StoreCall['method'],
    scope: OwnerScope,
    ...values: unknown[]
  ): Promise<T> => {
    checkOwners(scope)
    return isMissing(at) ? empty : ask(method === 'dense' ? nearest : reader, method, scope, ...values)
  }
  return {
    put: async (owner, document) => ask(writer, 'put', owner, wireDocument(document)),
    remove: (owner, documentId) => ask(writer, 'remove', owner, documentId),
    embed: (owner, model, vectors) => ask(writer, 'embed', owner, model, vectors),
    counts: (scope) => find(new Map(), 'counts', scope),
    placesOf: (scope, documentIds) => find(new Map(), 'placesOf', scope, documentIds),
    dropVectors: (owner) => ask(writer, 'dropVectors', owner),
    describe: (owner, ...values) => ask(writer, 'describe', owner, ...values),
    // Without a name: collections that belong to no user.
    collections: async (owner) => {
      if (owner !== '') return find([], 'collections', owner)
      return isMissing(at) ? [] : reader.call({ method: 'collections', values: [''] } satisfies StoreCall)
    },
    holds: (owner) => find(false, 'holds', owner),
    documents: (owner) => find([], 'documents', owner),
    document: (owner, documentId) => find(undefined, 'document', owner, documentId),
    text: (owner, ...values) => find(undefined, 'text', owner, ...values),
    chunks: (owner, ...values) => find([], 'chunks', owner, ...values),
    unembedded: (owner, model, limit) => find([], 'unembedded', owner, model, limit),
    lexical: (owner, ...values) => find([], 'lexical', owner, ...values),
    dense: (owner, ...values) => find([], 'dense', owner, ...values),
    async close() {
      await Promise.all([reader, nearest, writer].map((process) => process.close()))
    },
  }
}

/** Other errors are reported by the process. */
function isMissing(place: StorePlace): boolean {
  try {
    if ('sqlitePath' in place) accessSync(place.sqlitePath)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function checkOwners(scope: OwnerScope): void {
  for (const owner of ownersOf(scope)) {
    if (owner !== '' && owner.length <= MAX_OWNER_CHARS && !/[\0\p{Cs}]/u.test(owner)) continue
    throw new TuttiError('InvalidRequest', `The owner of documents is a name of 1 to ${MAX_OWNER_CHARS} characters.`)
  }
}

/** @throws TuttiError `Internal` when chunks and text do not belong together, which is a mistake of the caller */
function wireDocument(document: NewDocument): WireDocument {
  const chunks = document.chunks.map(({ text, ...chunk }, place) => {
    const { ordinal, start, end } = chunk
    if (ordinal === place && start >= 0 && end <= document.text.length && text.length === end - start) return chunk
    throw new TuttiError('Internal', `Chunk ${place} of "${document.name}" does not lie in the document's text.`)
  })
  return { ...document, chunks }
}

/** What PostgreSQL's client and TLS read; nothing else of the parent's environment concerns the store. */
const VARIABLES = /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i

/** A process that works on a store. Calls throw TuttiError: what the store reports, or `StorageError` when it dies. */
function storeProcess(place: StorePlace): Helper {
  return new Helper({
    name: 'The knowledge store',
    // Never on the command line, which others can read.
    order: place,
    start: (on) =>
      startChild(new URL('./store-worker.ts', import.meta.url), on, {
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => VARIABLES.test(name))),
        serialization: 'advanced',
      }),
    lost: ({ how, stderr }) =>
      new TuttiError('StorageError', `The process of the document store ended (${how}); try again.`, {
        retryable: true,
        cause: stderr,
      }),
  })
}
