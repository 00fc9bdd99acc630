import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, FileText, Trash2 } from 'lucide-react'
import { useDeferredValue, useEffect, useRef } from 'react'
import { api } from '../../../client/api.ts'
import { useGet, type Answer } from '../../app/data.ts'
import { isNotFound } from '../../app/forbidden.tsx'
import { useMayChange } from '../../app/session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Cut } from '../../ui/list.tsx'
import { Banner, Empty, ServerText } from '../../ui/states.tsx'
import { deleteLater } from '../../ui/undo.tsx'
import { Fetched, More } from '../../ui/page.tsx'
import { SearchField } from '../../ui/field.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { hasSheets } from '../../../client/run.ts'
import { useWords } from '../../locales/words.tsx'
import { DocumentView, type TextRange } from './document-view.tsx'
import { MarkedText } from './marked-text.tsx'

type Document = Answer<'GET /documents/{documentId}'>
type Passages = Answer<'GET /documents/{documentId}/passages'>
type Passage = Passages['items'][number]

/** A document: its pages or text with the requested passage marked, and a list of all passages. */
export default function DocumentPage() {
  const { words } = useWords()
  const { documentId } = useParams({ from: '/documents/$documentId' })
  const address = `/documents/${encodeURIComponent(documentId)}`
  const document = useGet<Document>(address)
  return (
    <>
      <TopBar
        title={
          <>
            <Link to="/documents" className="font-normal text-text-3">
              <span className="sr-only sm:not-sr-only">{words.documents.title}</span>
              <ArrowLeft size={16} className="inline sm:hidden" aria-hidden />{' '}
              <span className="hidden sm:inline">›</span>
            </Link>{' '}
            {document.data?.name ?? ''}
          </>
        }
      >
        {document.data === undefined ? null : <Remove address={address} document={document.data} />}
      </TopBar>
      <div className="flex min-h-0 flex-1 flex-col">
        {isNotFound(document.error) ? (
          <Empty icon={FileText} title={words.document.none}>
            <LinkButton to="/documents" label={words.documents.title} className="btn-primary mt-3" />
          </Empty>
        ) : (
          <Fetched query={document} lines={10}>
            {(data) => <DocumentContent key={documentId} address={address} document={data} />}
          </Fetched>
        )}
      </div>
    </>
  )
}

/**
 * Files of a single question are removed with the last run that uses them; files of collections are removed in the
 * collection.
 */
function Remove({ address, document: { name, isOwn, isOfRun } }: { address: string; document: Document }) {
  const { words } = useWords()
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const remove = (): void => {
    deleteLater(address, words.documents.removed({ name }), 'documents', '/documents')
    void navigate({ to: '/documents' })
  }
  if (isOfRun) return <span className="badge ml-auto">{words.document.ofRun}</span>
  if (!isOwn) return <span className="badge ml-auto">{words.document.ofCollection}</span>
  if (!mayChange) return null
  return <Button label={words.documents.remove} icon={Trash2} className="btn-danger btn-sm ml-auto" onClick={remove} />
}

function DocumentContent({ address, document }: { address: string; document: Document }) {
  const { words, formats } = useWords()
  const { start, end, search = '' } = useSearch({ from: '/documents/$documentId' })
  const navigate = useNavigate()
  const query = useDeferredValue(search.trim())
  const passages = useInfiniteQuery({
    queryKey: [`${address}/passages`, query],
    queryFn: ({ pageParam, signal }) =>
      api.get<Passages>(`${address}/passages?from=${pageParam}&search=${encodeURIComponent(query)}`, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  })
  const items = passages.data?.pages.flatMap((page) => page.items) ?? []
  const setParams = (change: { start?: string; end?: string; search?: string }): void =>
    void navigate({ to: '.', search: (params: object) => ({ ...params, ...change }), replace: true })
  const cited = toRange(start, end)
  const at = items.findIndex((one) => cited !== undefined && one.start <= cited.start && cited.start < one.end)
  // Pages of a file are drawn one at a time; other documents are shown as one text.
  const isDrawn = document.hasFile && document.pages !== undefined
  const first = cited ?? items[0]
  const open = (passage: Passage | undefined): void => {
    if (passage !== undefined) setParams({ start: String(passage.start), end: String(passage.end) })
  }
  useKeys({ j: () => open(items[at + 1]), k: () => open(items[Math.max(0, at - 1)]) })
  return (
    <div className="grid min-h-0 flex-1 grid-rows-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-cols-[minmax(0,1fr)_360px] lg:grid-rows-1">
      <div
        className="flex min-h-0 min-w-0 flex-col gap-3 overflow-y-auto p-4 md:px-6"
        tabIndex={0}
        role="region"
        aria-label={document.name}
      >
        {document.notes.map((note) => (
          <Banner key={note} tone="warn" text={<ServerText text={note} />} />
        ))}
        {!isDrawn ? (
          <WholeText documentId={document.documentId} mark={cited} />
        ) : first === undefined ? null : (
          <DocumentView documentId={document.documentId} passage={first} isMarked={cited !== undefined} />
        )}
      </div>
      <aside
        aria-label={words.document.passages}
        className="flex min-h-0 flex-col border-t border-line bg-surface lg:border-t-0 lg:border-l"
      >
        <div className="flex flex-none flex-col gap-2 border-b border-line p-4">
          <p className="text-13 text-text-2">
            <ServerText text={document.description} />
          </p>
          <p className="text-12 text-text-3">
            {[
              document.pages === undefined
                ? undefined
                : words.documents.pages({ n: document.pages, isSheet: hasSheets(document.name) }),
              words.document.count({ n: document.chunks }),
              formats.date(document.addedAt),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <SearchField label={words.document.find} value={search} onChange={(text) => setParams({ search: text })} />
        </div>
        <Fetched query={passages} lines={6}>
          {({ pages }) =>
            items.length === 0 ? (
              <Empty icon={FileText} title={words.document.noMatch} />
            ) : (
              <ol className="min-h-0 flex-1 overflow-y-auto p-3" tabIndex={0} aria-label={words.document.passages}>
                {query === '' ? null : (
                  <li className="px-1 pb-2 text-12 text-text-3">{words.document.found({ n: pages[0]!.total })}</li>
                )}
                {items.map((passage, n) => (
                  <PassageEntry
                    key={passage.ordinal}
                    passage={passage}
                    name={document.name}
                    query={query}
                    isOpen={n === at}
                    open={() => open(passage)}
                  />
                ))}
                <li>
                  <More query={passages} />
                </li>
              </ol>
            )
          }
        </Fetched>
      </aside>
    </div>
  )
}

interface PassageEntryProps {
  readonly passage: Passage
  /** Name of the document. */
  readonly name: string
  readonly query: string
  readonly isOpen: boolean
  readonly open: () => void
}

function PassageEntry({ passage: { page, section, text }, name, query, isOpen, open }: PassageEntryProps) {
  const { words } = useWords()
  const entry = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) entry.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li ref={entry} className="mb-2">
      <button
        type="button"
        aria-current={isOpen}
        className={`w-full rounded-xl border p-3 text-left text-13 ${isOpen ? 'border-accent' : 'border-line hover:border-line-strong'}`}
        onClick={open}
      >
        <span className="mb-1 flex gap-2 text-12 text-text-3">
          <Cut text={section?.split(' › ').at(-1) ?? ''} title={section} className="min-w-0 flex-1" />
          {page === undefined ? null : (
            <span className="flex-none">{words.panel.page({ n: page, isSheet: hasSheets(name) })}</span>
          )}
        </span>
        <span className="line-clamp-4 wrap-anywhere">
          <Highlighted text={text} query={query} />
        </span>
      </button>
    </li>
  )
}

/** A text with the words of a query marked. */
function Highlighted({ text, query }: { text: string; query: string }) {
  const words = query.split(/\s+/).filter(Boolean)
  if (words.length === 0) return <>{text}</>
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'i')
  return (
    <>
      {text.split(pattern).map((part, at) =>
        at % 2 === 1 ? (
          <mark key={at} className="passage">
            {part}
          </mark>
        ) : (
          part
        ),
      )}
    </>
  )
}

/** The range in the parameters of the URL, if it is valid. */
function toRange(startParam: string | undefined, endParam: string | undefined): TextRange | undefined {
  const [start, end] = [Number(startParam), Number(endParam)]
  const isValid = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start
  return startParam !== undefined && isValid ? { start, end } : undefined
}

/** A passage that ends within these characters is shown in the text from its beginning. */
const FROM_BEGINNING = 1_000_000
/** Characters before a passage further down. */
const BEFORE = 2_000

/** The text of a document, as much as the server returns at once. */
function WholeText({ documentId, mark }: { documentId: string; mark: TextRange | undefined }) {
  const { words } = useWords()
  const from = mark === undefined || mark.end <= FROM_BEGINNING ? 0 : mark.start - BEFORE
  const query = useGet<Answer<'GET /documents/{documentId}/text'>>(
    `/documents/${encodeURIComponent(documentId)}/text?from=${from}`,
  )
  return (
    <Fetched query={query} lines={8}>
      {({ text, isCut }) => {
        const place = mark && { start: mark.start - from, end: mark.end - from }
        const isFound = place !== undefined && place.end <= text.length
        return (
          <>
            {place === undefined || isFound ? null : <Banner tone="warn" text={words.document.noPassage} />}
            <div className="mx-auto w-full max-w-170 rounded-xl border border-line bg-surface p-4 text-14 whitespace-pre-wrap wrap-anywhere shadow-sm">
              <MarkedText text={text} mark={isFound ? place : undefined} />
            </div>
            {isCut ? <Banner tone="info" text={words.document.isCut} /> : null}
          </>
        )
      }}
    </Fetched>
  )
}
