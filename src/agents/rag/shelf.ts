import type { ActorContext } from '../../core/actor.ts'
import { cut } from '../../core/outside.ts'
import type { Owner } from '../../core/owner.ts'
import { combine, outsideData, ownData, type Provenance } from '../../core/provenance.ts'
import type { Attached } from '../../core/request.ts'
import { TuttiError } from '../../core/errors.ts'
import { collectionOwner } from '../../knowledge/collections.ts'
import { fold, searchTerms } from '../../knowledge/search/analysis.ts'
import type { Retriever } from '../../knowledge/search/retriever.ts'
import type { DocumentRecord, KnowledgeStore, Whose } from '../../knowledge/types.ts'

/** Names that an error suggests. */
const MAX_SUGGESTED = 8
const MAX_NAME = 200

export interface RagParts {
  readonly library: Searchable
  /** Returns whose documents of the library a user's questions are answered from: all they may read, or the chosen collections. */
  readonly shelvesOf: (owner: Owner, chosen?: readonly string[]) => Promise<Whose>
  /** Names of the collections that a user may read, by the owner of their documents. */
  readonly collectionsOf?: (owner: Owner) => Promise<ReadonlyMap<Owner, string>>
  /** Documents that were attached to single runs. */
  readonly ofRuns: Searchable
  /** Whether there may be documents at all. */
  readonly hasDocuments: () => boolean
  /** Names and topics of documents of the library, or of such that were attached to runs. */
  readonly topicsOf?: (whose: Whose, isOfRun: boolean) => Promise<readonly string[]>
  /** A sentence for users who have none. */
  readonly howToSetUp?: string
}

export interface Searchable extends Retriever {
  readonly store: KnowledgeStore
}

/** The documents that a run may search: those attached to it and no others, else what its owner may read at the time of the call. */
export interface Shelf extends Searchable {
  readonly isAttached: boolean
  whose(): Promise<Whose>
}

export function attachedTo({ attached }: ActorContext['request']): Attached | undefined {
  return attached?.find(({ kind }) => kind === 'documents')
}

export function shelfFor({ owner, request }: Pick<ActorContext, 'owner' | 'request'>, parts: RagParts): Shelf {
  const attached = attachedTo(request)
  if (attached === undefined) {
    return { ...searchable(parts.library), isAttached: false, whose: () => parts.shelvesOf(owner, request.collections) }
  }
  // Runs of versions without collections find an empty one.
  const whose = async () => collectionOwner(owner, attached.collection ?? '')
  return { ...searchable(parts.ofRuns), isAttached: true, whose }
}

function searchable({ store, search, passages }: Searchable): Searchable {
  return { store, search, passages }
}

type Named = Pick<DocumentRecord, 'name' | 'documentId'>

/**
 * The documents that a name given by a model means: its id, its name, its file name without the folder, or a part of the name.
 * @throws TuttiError `ToolError` with the nearest names, where there is none
 */
export function documentsNamed<T extends Named>(name: string, documents: readonly T[]): readonly T[] {
  const wanted = fold(name.trim())
  const matches: readonly ((document: T) => boolean)[] = [
    ({ documentId }) => documentId === wanted,
    (document) => fold(document.name) === wanted,
    (document) => fileNameOf(document) === wanted,
    (document) => wanted !== '' && fold(document.name).includes(wanted),
  ]
  for (const isMeant of matches) {
    const found = documents.filter(isMeant)
    if (found.length > 0) return found
  }
  const nearest = nearestTo(name, documents).map((document) => `"${document.name}"`)
  const there = nearest.length === 0 ? 'There are no documents.' : `The nearest are ${nearest.join(', ')}.`
  throw new TuttiError('ToolError', `There is no document "${cut(name, MAX_NAME)}". ${there}`)
}

function fileNameOf({ name }: Named): string {
  return fold(name.split(/[/\\]/).at(-1)!)
}

/** Documents that share most words with a text in name, topics and description first, else in their order. */
export function nearestTo<T extends Named & Partial<Pick<DocumentRecord, 'topics' | 'description'>>>(
  text: string,
  documents: readonly T[],
): readonly T[] {
  const wanted = new Set(termsOfName(text))
  const scored = documents.map((document) => {
    const { name, topics = [], description = '' } = document
    const terms = new Set([...termsOfName(name), ...searchTerms(`${topics.join(' ')} ${description}`)])
    return { document, score: [...wanted].filter((term) => terms.has(term)).length }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTED)
    .map(({ document }) => document)
}

export function termsOfName(name: string): readonly string[] {
  return searchTerms(name.replaceAll(/[_./\\-]/g, ' '))
}

/** Labels of documents: what users or admins uploaded is the operator's own; files of folders are from outside. */
export function labelsOf(documents: Iterable<{ readonly name: string; readonly isUpload?: true }>): Provenance {
  return combine(
    Array.from(documents, ({ name, isUpload }) =>
      isUpload === true ? ownData(`document ${name}`) : outsideData(`document ${name}`),
    ),
  )
}

/** As `Hit.document` says it: a document without a path was uploaded. */
export function isUpload({ path }: Pick<DocumentRecord, 'path'>): { readonly isUpload?: true } {
  return path === undefined ? { isUpload: true } : {}
}
