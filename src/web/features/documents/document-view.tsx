import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Download, ExternalLink, FileText, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useGet } from '../../app/data.ts'
import { useIsConnectionError } from '../../app/reachability.ts'
import { Loading } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { MarkedText } from './marked-text.tsx'
import { IconButton } from '../../ui/button.tsx'

const PdfPage = lazyComponent(() => import('./pdf-page.tsx'), <Loading lines={10} />)

/** Characters of a document, `end` exclusive. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

interface PassageReply {
  readonly name: string
  readonly page?: number
  readonly section?: string
  readonly text: string
  /** In characters of the text. */
  readonly mark: Stretch
  /** Whether the page can be drawn. */
  readonly hasFile: boolean
}

interface OpenedProps {
  readonly documentId: string
  readonly passage: Stretch
  /** The cited text, in case the document was removed. */
  readonly excerpt?: string
  /** Whether this is shown in a side panel and links to its own page. */
  readonly isBeside?: boolean
  /** Whether the passage was asked for; else it is only the place to begin at. */
  readonly isMarked?: boolean
}

/** A document at a passage: its page as it was drawn, or else the text around it, with the passage marked. */
export function DocumentView({ documentId, passage, excerpt = '', isBeside = false, isMarked = true }: OpenedProps) {
  const { words } = useWords()
  const { start, end } = passage
  const address = `/documents/${encodeURIComponent(documentId)}`
  const { data, error } = useGet<PassageReply>(`${address}/passage?start=${start}&end=${end}`)
  const isUnreached = useIsConnectionError(error)
  if (error !== null && !isUnreached) {
    return (
      <>
        <p className="banner tone-warn">{words.panel.passageGone}</p>
        {excerpt === '' ? null : <blockquote className="text-14 whitespace-pre-wrap">{excerpt}</blockquote>}
      </>
    )
  }
  if (data === undefined) return <Loading lines={8} />
  const isDrawn = data.hasFile && data.page !== undefined
  const open = isBeside ? (
    <Link
      to="/documents/$documentId"
      params={{ documentId }}
      search={{ start: String(start), end: String(end) }}
      className="btn btn-ghost btn-icon btn-sm"
      aria-label={words.document.openPage}
      title={words.document.openPage}
    >
      <ExternalLink size={16} aria-hidden />
    </Link>
  ) : null
  return isDrawn ? (
    <DrawnPassage
      key={`${documentId} ${start} ${end}`}
      address={address}
      reply={data}
      page={data.page!}
      isMarked={isMarked}
    >
      {open}
    </DrawnPassage>
  ) : (
    <PassageText reply={data}>{open}</PassageText>
  )
}

/** On a phone a page is wider than the room by its margins, so that its words are as large as can be. */
const ZOOMS = [0.75, 1, 1.25, 1.5, 2, 3] as const

interface DrawnProps {
  readonly address: string
  readonly reply: PassageReply
  readonly page: number
  readonly isMarked: boolean
  readonly children: React.ReactNode
}

/** A page of the file, from which one can turn to the others; its text instead where it cannot be drawn or is wanted. */
function DrawnPassage({ address, reply, page: cited, isMarked, children }: DrawnProps) {
  const { words } = useWords()
  const [page, setPage] = useState(cited)
  const [pages, setPages] = useState<number>()
  const [zoom, setZoom] = useState(() => (matchMedia('(width < 40rem)').matches ? 1.25 : 1))
  const [isText, setText] = useState(false)
  const [trouble, setTrouble] = useState<Error>()
  const fail = useCallback((error: Error) => setTrouble(error), [])
  const passage = reply.text.slice(reply.mark.start, reply.mark.end)
  const step = (by: number): void => setZoom((now) => ZOOMS[ZOOMS.findIndex((one) => one === now) + by] ?? now)
  const isCited = page === cited
  return (
    <>
      <div className="flex flex-wrap items-center gap-1" role="toolbar" aria-label={reply.name}>
        <IconButton
          icon={ChevronLeft}
          label={words.document.before}
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        />
        <span className="num text-12 text-text-2">
          {pages === undefined ? words.panel.page({ n: page, isSheet: false }) : words.document.pageOf({ page, pages })}
        </span>
        <IconButton
          icon={ChevronRight}
          label={words.document.next}
          disabled={pages === undefined || page >= pages}
          onClick={() => setPage(page + 1)}
        />
        {isCited || !isMarked ? null : (
          <button type="button" className="btn btn-sm" onClick={() => setPage(cited)}>
            {words.document.toPassage}
          </button>
        )}
        <span className="ml-auto flex">
          <IconButton
            icon={ZoomOut}
            label={words.panel.zoomOut}
            disabled={zoom === ZOOMS[0]}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={ZoomIn}
            label={words.panel.zoomIn}
            disabled={zoom === ZOOMS.at(-1)}
            onClick={() => step(1)}
          />
          <IconButton
            icon={FileText}
            label={words.document.asText}
            aria-pressed={isText}
            onClick={() => setText(!isText)}
          />
          <a
            className="btn btn-ghost btn-icon btn-sm"
            href={`${address}/file`}
            download
            aria-label={words.document.download}
            title={words.document.download}
          >
            <Download size={16} aria-hidden />
          </a>
          {children}
        </span>
      </div>
      {trouble === undefined ? null : <p className="banner tone-warn">{words.document.notDrawn}</p>}
      {isText || trouble !== undefined ? (
        <PassageText reply={isMarked ? reply : { ...reply, mark: { start: 0, end: 0 } }} />
      ) : (
        <PdfPage
          address={`${address}/file`}
          page={page}
          passage={isCited && isMarked ? passage : ''}
          zoom={zoom}
          onPages={setPages}
          onTrouble={fail}
        />
      )}
    </>
  )
}

/** The text of the page or section that contains a passage, with the passage marked. */
function PassageText({ reply: { name, text, mark }, children }: { reply: PassageReply; children?: React.ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-170 rounded-xl border border-line bg-surface p-4 text-14 whitespace-pre-wrap wrap-anywhere shadow-sm">
      {children === undefined || children === null ? null : (
        <span className="float-right -mt-2 -mr-2 ml-2">{children}</span>
      )}
      <MarkedText name={name} text={text} mark={mark} />
    </div>
  )
}
