import type { ActorContext } from '../../domain/actor.ts'
import { truncate } from '../../shared/json.ts'
import type { Owner } from '../../domain/events.ts'
import { combine, outsideData, ownData, type Provenance } from '../../domain/provenance.ts'
import type { Attached } from '../../domain/request.ts'
import { TuttiError } from '../../domain/errors.ts'
import { hasSheets } from '../../shared/page-label.ts'
import { collectionOwner } from '../../documents/collections.ts'
import { foldText, searchTerms } from '../../documents/search/analysis.ts'
import type { Retriever, SearchOptions } from '../../documents/search/retriever.ts'
import type { Chunk, DocumentRecord, Hit, KnowledgeStore, OwnerScope } from '../../documents/types.ts'

/** Names that an error suggests. */
const MAX_SUGGESTED = 8
const MAX_NAME = 200

export interface RagParts {
  readonly library: Searchable
  /**
   * Returns the owners whose documents answer a user's questions: all that the user may read, or the chosen
   * collections.
   */
  readonly readableScope: (owner: Owner, chosen?: readonly string[]) => Promise<OwnerScope>
  /** Documents that were attached to single runs. */
  readonly ofRuns: Searchable
  /** Whether there may be documents at all. */
  readonly hasDocuments: () => boolean
  /** A sentence for users who have none. */
  readonly howToSetUp?: string
}

export interface Searchable extends Retriever {
  readonly store: KnowledgeStore
}

/**
 * Searchable documents of one place: those attached to the run, or those that its owner may read at the time of the
 * call.
 */
export interface Corpus extends Searchable {
  readonly isAttached: boolean
  scope(): Promise<OwnerScope>
}

export function attachedTo({ attached }: ActorContext['request']): Attached | undefined {
  return attached?.[0]
}

/** The places that a run may search, attached documents first. */
export function corporaFor(
  { owner, request }: Pick<ActorContext, 'owner' | 'request'>,
  parts: RagParts,
): readonly Corpus[] {
  const attached = attachedTo(request)
  const own = (of: Searchable, more: Pick<Corpus, 'isAttached' | 'scope'>): Corpus => {
    return { store: of.store, search: of.search, ...more }
  }
  const library = own(parts.library, {
    isAttached: false,
    scope: () => parts.readableScope(owner, request.collections),
  })
  if (attached === undefined) return [library]
  // Runs of versions without collections find an empty one.
  const scope = async () => collectionOwner(owner, attached.collection)
  const ofRun = own(parts.ofRuns, { isAttached: true, scope })
  return parts.hasDocuments() ? [ofRun, library] : [ofRun]
}

/** All documents of these places, in order. */
export async function documentsOf(corpora: readonly Corpus[]): Promise<readonly DocumentRecord[]> {
  return (await Promise.all(corpora.map(async ({ store, scope }) => store.documents(await scope())))).flat()
}

/** The text of a document in parts, in order. */
export async function chunksOfDocument(
  corpora: readonly Corpus[],
  { documentId }: DocumentRecord,
): Promise<readonly Chunk[]> {
  return (await Promise.all(corpora.map(async ({ store, scope }) => store.chunks(await scope(), documentId)))).flat()
}

/** Passages that are closest to a query; the best of each corpus come first. */
export async function searchCorpora(
  corpora: readonly Corpus[],
  query: string,
  options: SearchOptions,
): Promise<readonly Hit[]> {
  const found = await Promise.all(
    corpora.map(async ({ search, scope }) => (await search(await scope(), query, options)).hits),
  )
  const ranked = found.flatMap((hits) => hits.map((hit, rank) => ({ hit, rank })))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, options.limit)
    .map(({ hit }) => hit)
}

type Named = Pick<DocumentRecord, 'name' | 'documentId'>

/**
 * The documents that match a model's name for them: an id, a name, a file name without folder, or a part of the name.
 * @throws TuttiError `ToolError` with the nearest names, if there is none
 */
export function documentsNamed<T extends Named>(name: string, documents: readonly T[]): readonly T[] {
  const foldedName = foldText(name.trim())
  const matches: readonly ((document: T) => boolean)[] = [
    ({ documentId }) => documentId === foldedName,
    (document) => foldText(document.name) === foldedName,
    (document) => fileNameOf(document) === foldedName,
    (document) => foldedName !== '' && foldText(document.name).includes(foldedName),
  ]
  for (const isMeant of matches) {
    const found = documents.filter(isMeant)
    if (found.length > 0) return found
  }
  const similar = nearestTo(name, documents).map((document) => `"${document.name}"`)
  const suggestion = similar.length === 0 ? 'There are no documents.' : `The nearest are ${similar.join(', ')}.`
  throw new TuttiError('ToolError', `There is no document "${truncate(name, MAX_NAME)}". ${suggestion}`)
}

function fileNameOf({ name }: Named): string {
  return foldText(name.split(/[/\\]/).at(-1)!)
}

/** Documents that share most words with a text in name, topics and description first, else in their order. */
export function nearestTo<T extends Named & Partial<Pick<DocumentRecord, 'topics' | 'description'>>>(
  text: string,
  documents: readonly T[],
): readonly T[] {
  const queryTerms = new Set(termsOfName(text))
  const scored = documents.map((document) => {
    const { name, topics = [], description = '' } = document
    const terms = new Set([...termsOfName(name), ...searchTerms(`${topics.join(' ')} ${description}`)])
    return { document, score: [...queryTerms].filter((term) => terms.has(term)).length }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTED)
    .map(({ document }) => document)
}

export function termsOfName(name: string): readonly string[] {
  return searchTerms(name.replaceAll(/[_./\\-]/g, ' '))
}

/** Labels of documents: uploads of users or admins are the operator's own data; files of folders are outside data. */
export function documentLabels(documents: Iterable<{ readonly name: string; readonly isUpload?: true }>): Provenance {
  return combine(
    Array.from(documents, ({ name, isUpload }) =>
      isUpload === true ? ownData(`document ${name}`) : outsideData(`document ${name}`),
    ),
  )
}

/** In the form of `Hit.document`: a document without a path was uploaded. */
export function isUpload({ path }: Pick<DocumentRecord, 'path'>): { readonly isUpload?: true } {
  return path === undefined ? { isUpload: true } : {}
}

/** Whether a document has rows that code can compute with. */
export function isTable({ type }: Pick<DocumentRecord, 'type'>): boolean {
  return type === 'csv' || type === 'xlsx'
}

/** Type, pages, date and size of a document. */
export function describeExtent(document: DocumentRecord): string {
  const { type, date, bytes } = document
  const size = `${Math.max(1, Math.round(bytes / 1_000))} kB`
  return [type, pagesInWords(document), date, size].filter((part) => part !== undefined).join(', ')
}

export function pagesInWords({ name, pages }: DocumentRecord): string | undefined {
  return pages === undefined ? undefined : `${pages} ${hasSheets(name) ? 'sheet' : 'page'}${pages === 1 ? '' : 's'}`
}
