import { resolve } from 'node:path'
import { TuttiError } from '../../core/errors.ts'
import type { DocumentRecord, Hit, KnowledgeStore, NewDocument } from '../types.ts'
import type { StoreMethod, StorePlace } from './messages.ts'
import { StoreProcess } from './store-process.ts'
import type { WireDocument } from './write.ts'

export type { StorePlace } from './messages.ts'

/** Owners are user ids; a longer text is a mistake. */
const LONGEST_OWNER = 200

/**
 * Opens a store on an SQLite file or a PostgreSQL database. Nothing happens before the first call. Each kind of
 * work has a process, started when it is first needed: a search need not wait for a document that is being taken in, and
 * words and vectors are searched side by side.
 * Calls throw TuttiError `StorageError` when file or server cannot be used.
 */
export function openKnowledgeStore(place: StorePlace): KnowledgeStore {
  const at: StorePlace = 'sqlitePath' in place ? { sqlitePath: resolve(place.sqlitePath) } : place
  const reader = new StoreProcess(at)
  const nearest = new StoreProcess(at)
  const writer = new StoreProcess(at)
  const ask = async <T>(
    process: StoreProcess,
    method: StoreMethod,
    owner: string,
    ...values: unknown[]
  ): Promise<T> => {
    checkOwner(owner)
    return (await process.call(method, [owner, ...values])) as T
  }
  return {
    async put(owner, document) {
      return ask<{ record: DocumentRecord; isNew: boolean }>(writer, 'put', owner, wireDocument(document))
    },
    remove: (owner, documentId) => ask(writer, 'remove', owner, documentId),
    embed: (owner, model, vectors) => ask(writer, 'embed', owner, model, vectors),
    documents: (owner) => ask(reader, 'documents', owner),
    document: (owner, documentId) => ask(reader, 'document', owner, documentId),
    text: (owner, ...values) => ask(reader, 'text', owner, ...values),
    chunks: (owner, ...values) => ask(reader, 'chunks', owner, ...values),
    unembedded: (owner, model, limit) => ask(reader, 'unembedded', owner, model, limit),
    lexical: (owner, ...values) => ask<Hit[]>(reader, 'lexical', owner, ...values),
    dense: (owner, ...values) => ask<Hit[]>(nearest, 'dense', owner, ...values),
    async close() {
      await Promise.all([reader, nearest, writer].map((process) => process.close()))
    },
  }
}

function checkOwner(owner: string): void {
  if (owner !== '' && owner.length <= LONGEST_OWNER && !/[\0\p{Cs}]/u.test(owner)) return
  throw new TuttiError('InvalidRequest', `The owner of documents is a name of 1 to ${LONGEST_OWNER} characters.`)
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
