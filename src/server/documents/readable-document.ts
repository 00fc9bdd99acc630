import type { App } from '../../app/user-app.ts'
import { documentOfRuns } from '../../app/run-documents.ts'
import type { Caller } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { DocumentRecord, KnowledgeStore, Whose } from '../../documents/types.ts'

export interface DocumentPlace {
  readonly record: DocumentRecord
  readonly store: KnowledgeStore
  readonly whose: Whose
  /** Named for single questions: it is in no list, and goes with the last run that names it. */
  readonly isOfRun: boolean
}

/**
 * A document that somebody may read by now, wherever it lies: in their library, in a collection that they may use, or, as a
 * citation may mean one, among the files of a question of theirs.
 * @throws TuttiError `NotFound`, also for those of others
 */
export async function documentAt({ knowledge }: App, caller: Caller, documentId: string): Promise<DocumentPlace> {
  const { store, shared, ofRuns } = knowledge
  const named = await documentOfRuns(ofRuns, caller.userId, documentId)
  if (named !== undefined) return { record: named.record, store: named.store, whose: named.owner, isOfRun: true }
  const whose = await shared.shelvesOf(caller)
  return { record: await documentIn(store, whose, documentId), store, whose, isOfRun: false }
}

/** @throws TuttiError `NotFound` */
export async function documentIn(store: KnowledgeStore, whose: Whose, documentId: string): Promise<DocumentRecord> {
  const record = await store.document(whose, documentId)
  if (record === undefined) throw new TuttiError('NotFound', `There is no document ${documentId}.`)
  return record
}

/** Looks for the documents that an answer names, until one of them is found. */
export function anyOf(app: App) {
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
