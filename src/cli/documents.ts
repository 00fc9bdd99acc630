import type { App } from '../app/user-app.ts'
import { documentOfRuns, type ReadableDocument } from '../app/run-documents.ts'
import { LOCAL_OWNER } from '../domain/events.ts'
import type { DocumentRecord, OwnerScope } from '../documents/types.ts'
import type { Cli } from './cli.ts'
import { onlyMatch } from './find-run.ts'
import { printList } from './render/table.ts'
import { age, shortId } from './render/units.ts'

/** A document as one object; times are ISO 8601. */
export function documentObject({ addedAt, ...record }: DocumentRecord) {
  return { ...record, addedAt: new Date(addedAt).toISOString() }
}

export function printDocuments(cli: Cli, documents: readonly DocumentRecord[]): void {
  const now = cli.clock.now()
  const rows = documents.map((record) => ({
    id: shortId(record.documentId),
    name: record.name,
    type: record.type,
    pages: record.pages ?? null,
    passages: record.chunks,
    date: record.date ?? null,
    added: age(now - record.addedAt),
  }))
  printList(cli.out, ['id', 'name', 'type', 'pages', 'passages', 'date', 'added'], rows)
}

/** How a document is named on the command line. */
export const DOCUMENT = 'id or its beginning, name, or path of a document'

/**
 * Finds a document by its ID or the beginning of it, its name, or its path.
 * @throws TuttiError `InvalidRequest` if there is none, or several match
 */
export function findDocument(records: readonly DocumentRecord[], text: string): DocumentRecord {
  const wanted = text.trim()
  const exact = records.filter(({ documentId, path }) => documentId === wanted || path === wanted)
  const named = exact.length > 0 ? exact : records.filter(({ name }) => name === wanted)
  const matches =
    named.length > 0 || wanted === ''
      ? named
      : records.filter(
          ({ documentId, name }) => documentId.startsWith(wanted.toLowerCase()) || name.endsWith(`/${wanted}`),
        )
  return onlyMatch(matches, text, { name: 'document', list: 'tutti docs list', idOf: ({ documentId }) => documentId })
}

/**
 * Finds a document of the library or a collection, or by its whole id, as citations give it, one that was named for a single run.
 * @throws TuttiError as `findDocument`
 */
export async function findReadable(
  { store, ofRuns, shared }: App['knowledge'],
  text: string,
): Promise<Omit<ReadableDocument, 'owner'> & { readonly scope: OwnerScope }> {
  const named = await documentOfRuns(ofRuns, LOCAL_OWNER, text)
  if (named !== undefined) return { ...named, scope: named.owner }
  const scope = await shared.readableScope(LOCAL_OWNER)
  return { record: findDocument(await store.documents(scope), text), store, scope }
}
