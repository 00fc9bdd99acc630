import { ChevronLeft, ChevronRight, Download, ExternalLink, ZoomIn, ZoomOut } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { useGet, type Answer } from '../../app/data.ts'
import { useIsConnectionError } from '../../app/reachability.ts'
import { Button, LinkButton, IconButton } from '../../ui/button.tsx'
import { Banner, Loading } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { MarkedText } from './marked-text.tsx'

const PdfPage = lazyComponent(() => import('./pdf-page.tsx'))

/** A range of characters of a document, `end` exclusive. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

type PassageReply = Answer<'GET /documents/{documentId}/passage'>

interface DocumentViewProps {
  readonly documentId: string
  readonly passage: TextRange
  /** The cited text, in case the document was removed. */
  readonly excerpt?: string
  /** Whether this is shown in a side panel and links to its own page. */
  readonly isBeside?: boolean
  /** False if no passage was requested and this is only where the document opens. */
  readonly isMarked?: boolean
}

/** A document at a passage: the drawn page, or else the text around it, with the passage marked. */
export function DocumentView({
  documentId,
  passage,
  excerpt = '',
  isBeside = false,
  isMarked = true,
}: DocumentViewProps) {
  const { words } = useWords()
  const { start, end } = passage
  const address = `/documents/${encodeURIComponent(documentId)}`
  const { data, error } = useGet<PassageReply>(`${address}/passage?start=${start}&end=${end}`)
  const isUnreached = useIsConnectionError(error)
  if (error !== null && !isUnreached) {
    return (
      <>
        <Banner tone="warn" text={words.panel.passageGone} />
        {excerpt === '' ? null : <blockquote className="text-14 whitespace-pre-wrap">{excerpt}</blockquote>}
      </>
    )
  }
  if (data === undefined) return <Loading lines={8} />
  const isDrawn = data.hasFile && data.page !== undefined
  const open = isBeside ? (
    <LinkButton
      to="/documents/$documentId"
      params={{ documentId }}
      search={{ start: String(start), end: String(end) }}
      label={<ExternalLink size={16} aria-hidden />}
      className="btn-ghost btn-icon btn-sm"
      aria-label={words.document.openPage}
      title={words.document.openPage}
    />
  ) : null
  return isDrawn ? (
    <DrawnPassage
      key={`${documentId} ${start} ${end}`}
      address={address}
      reply={data}
      isMarked={isMarked}
      open={open}
    />
  ) : (
    <PassageText reply={data} open={open} />
  )
}

/** Zoom levels. On phones the page starts wider than the screen by its margins, for larger text. */
const ZOOMS = [0.75, 1, 1.25, 1.5, 2, 3] as const

interface DrawnPassageProps extends PassageTextProps {
  readonly address: string
  readonly isMarked: boolean
}

/** A page of the file, with buttons for the other pages. It is shown as text if it cannot be drawn. */
function DrawnPassage({ address, reply, isMarked, open }: DrawnPassageProps) {
  const { words } = useWords()
  const cited = reply.page!
  const [page, setPage] = useState(cited)
  const [pages, setPages] = useState<number>()
  const [zoom, setZoom] = useState(() => (matchMedia('(width < 40rem)').matches ? 1.25 : 1))
  const [drawError, setDrawError] = useState<Error>()
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
          <Button label={words.document.toPassage} className="btn-sm" onClick={() => setPage(cited)} />
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
          <a
            className="btn btn-ghost btn-icon btn-sm"
            href={`${address}/file`}
            download
            aria-label={words.document.download}
            title={words.document.download}
          >
            <Download size={16} aria-hidden />
          </a>
          {open}
        </span>
      </div>
      {drawError !== undefined ? (
        <>
          <Banner tone="warn" text={words.document.notDrawn} />
          <PassageText reply={isMarked ? reply : { ...reply, mark: { start: 0, end: 0 } }} />
        </>
      ) : (
        <Suspense fallback={<Loading lines={10} />}>
          <PdfPage
            address={`${address}/file`}
            page={page}
            passage={isCited && isMarked ? passage : ''}
            zoom={zoom}
            onPages={setPages}
            onError={setDrawError}
          />
        </Suspense>
      )}
    </>
  )
}

interface PassageTextProps {
  readonly reply: PassageReply
  /** Link to the page of the document, if this is shown elsewhere. */
  readonly open?: ReactNode
}

/** The text of the page or section that contains a passage, with the passage marked. */
function PassageText({ reply: { text, mark }, open = null }: PassageTextProps) {
  return (
    <div className="mx-auto w-full max-w-170 rounded-xl border border-line bg-surface p-4 text-14 whitespace-pre-wrap wrap-anywhere shadow-sm">
      {open === null ? null : <span className="float-right -mt-2 -mr-2 ml-2">{open}</span>}
      <MarkedText text={text} mark={mark} />
    </div>
  )
}
