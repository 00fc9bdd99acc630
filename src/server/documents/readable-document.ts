import type { App } from '../../app/user-app.ts'
import { documentOfRuns } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { DocumentRecord, KnowledgeStore, OwnerScope } from '../../documents/types.ts'

export interface DocumentPlace {
  readonly record: DocumentRecord
  readonly store: KnowledgeStore
  readonly scope: OwnerScope
  /** Attached to questions: it is in no list, and is deleted with the last run that uses it. */
  readonly isOfRun: boolean
}

/**
 * A document that the caller may read, wherever it is: in their library, in a collection that they may use, or attached
 * to one of their questions, where citations may refer to it.
 * @throws TuttiError `NotFound` if it does not exist or they may not read it
 */
export async function documentAt({ knowledge }: App, caller: Caller, documentId: string): Promise<DocumentPlace> {
  const { store, shared, ofRuns } = knowledge
  const named = await documentOfRuns(ofRuns, caller.userId, documentId)
  if (named !== undefined) return { record: named.record, store: named.store, scope: named.owner, isOfRun: true }
  const scope = await shared.shelvesOf(caller)
  return { record: await documentIn(store, scope, documentId), store, scope, isOfRun: false }
}

/** @throws TuttiError `NotFound` */
export async function documentIn(
  store: KnowledgeStore,
  scope: OwnerScope,
  documentId: string,
): Promise<DocumentRecord> {
  const record = await store.document(scope, documentId)
  if (record === undefined) throw new TuttiError('NotFound', `There is no document ${documentId}.`)
  return record
}

/** Finds the first document that exists among those that an answer cites. */
export function createDocumentFinder(app: App) {
  return async ({ caller }: { readonly caller: Caller }, { items }: { readonly items: readonly Named[] }) => {
    for (const { document } of items) {
      const looked = document === undefined ? undefined : documentAt(app, caller, document.documentId)
      const found = await looked?.catch((thrown: unknown): undefined => {
        if (!TuttiError.is(thrown, 'NotFound')) throw thrown
      })
      if (found !== undefined) return found
    }
  }
}

interface Named {
  readonly document?: { readonly documentId: string }
}
