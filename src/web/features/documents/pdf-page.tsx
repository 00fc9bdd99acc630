import { useQuery } from '@tanstack/react-query'
import {
  AnnotationMode,
  getDocument,
  GlobalWorkerOptions,
  Util,
  version,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// oxlint-disable-next-line import/default -- made by the bundler
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { useEffect, useMemo, useRef, useState } from 'react'
import { findMarks, type PlacedText } from '../../run/pdf-marks.ts'
import { Loading } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

GlobalWorkerOptions.workerSrc = worker

/** Character maps, fonts and decoders, served by this server. */
const PARTS = `/assets/pdf-${version}`

interface PdfPageProps {
  /** URL of the file. */
  readonly address: string
  /** From 1. */
  readonly page: number
  /** The text to mark; none if empty. */
  readonly passage: string
  /** Share of the available width. */
  readonly zoom: number
  readonly onPages: (pages: number) => void
  readonly onError: (error: Error) => void
}

/** One page of a PDF file, drawn here: nothing in the file runs, links or loads anything. */
export default function PdfPage({ address, page, passage, zoom, onPages, onError }: PdfPageProps) {
  const file = useQuery({ queryKey: ['pdf', address], queryFn: ({ signal }) => openFile(address, signal), ...UNSHARED })
  const opened = useQuery({
    queryKey: ['pdf-page', address, page],
    queryFn: async () => {
      const proxy = await file.data!.getPage(page)
      // A page without readable text is drawn without marks.
      return { proxy, texts: await textsOf(proxy).catch(() => []) }
    },
    enabled: file.data !== undefined && page <= file.data.numPages,
    ...UNSHARED,
  })
  // The file stays open as long as it is drawn.
  useEffect(() => () => void file.data?.loadingTask.destroy(), [file.data])
  useEffect(() => {
    if (file.data !== undefined) onPages(file.data.numPages)
  }, [file.data, onPages])
  const error = file.error ?? opened.error
  useEffect(() => {
    if (error !== null) onError(error)
  }, [error, onError])
  if (opened.data === undefined) return <Loading lines={10} />
  return <Drawn page={opened.data.proxy} texts={opened.data.texts} passage={passage} zoom={zoom} onError={onError} />
}

/** Options of queries whose data belongs to the open file. */
const UNSHARED = { staleTime: Infinity, gcTime: 0, retry: false, structuralSharing: false } as const

function openFile(address: string, signal: AbortSignal): Promise<PDFDocumentProxy> {
  const task = getDocument({
    url: address,
    cMapUrl: `${PARTS}/cmaps/`,
    standardFontDataUrl: `${PARTS}/standard_fonts/`,
    wasmUrl: `${PARTS}/wasm/`,
    // The content security policy does not allow WebAssembly; the same decoders exist as scripts.
    useWasm: false,
    // No system fonts, so that it looks the same on every machine.
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
  })
  signal.addEventListener('abort', () => void task.destroy())
  return task.promise
}

interface DrawnProps extends Pick<PdfPageProps, 'passage' | 'zoom' | 'onError'> {
  readonly page: PDFPageProxy
  readonly texts: readonly PlacedText[]
}

function Drawn({ page, texts, passage, zoom, onError }: DrawnProps) {
  const { words } = useWords()
  const container = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const mark = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  const marks = useMemo(() => findMarks(texts, passage), [texts, passage])
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watcher.observe(container.current!)
    return () => watcher.disconnect()
  }, [])
  const { width: natural, height } = page.getViewport({ scale: 1 })
  const drawnWidth = width * zoom
  useEffect(() => {
    if (drawnWidth === 0 || canvas.current === null) return
    const drawing = page.render({
      canvas: canvas.current,
      viewport: page.getViewport({ scale: (drawnWidth / natural) * devicePixelRatio }),
      // Do not render forms and annotations: they are not part of the cited content.
      annotationMode: AnnotationMode.DISABLE,
    })
    drawing.promise.catch((thrown: Error) => {
      if (thrown.name !== 'RenderingCancelledException') onError(thrown)
    })
    return () => drawing.cancel()
  }, [page, drawnWidth, natural, onError])
  const first = marks[0]
  const hasWidth = width > 0
  useEffect(() => {
    if (!hasWidth) return
    mark.current?.scrollIntoView({ block: 'center' })
    if (container.current !== null)
      container.current.scrollLeft = (container.current.scrollWidth - container.current.clientWidth) / 2
  }, [first, hasWidth])
  return (
    <div
      ref={container}
      className="overflow-x-auto"
      tabIndex={0}
      role="group"
      aria-label={words.panel.page({ n: page.pageNumber, isSheet: false })}
    >
      <div
        className="relative mx-auto border border-line bg-white shadow-md"
        style={{ width: drawnWidth, aspectRatio: `${natural} / ${height}` }}
      >
        <canvas
          ref={canvas}
          className="block size-full"
          width={Math.round(drawnWidth * devicePixelRatio)}
          height={Math.round(((drawnWidth * height) / natural) * devicePixelRatio)}
          aria-hidden
        />
        {marks.map(({ x, y, width: wide, height: high }, n) => (
          <mark
            key={`${x} ${y}`}
            ref={n === 0 ? mark : undefined}
            className="on-page"
            style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${wide * 100}%`, height: `${high * 100}%` }}
            aria-hidden
          />
        ))}
        <p className="sr-only">{texts.map(({ text }) => text).join(' ')}</p>
      </div>
    </div>
  )
}

/** Texts of a page with their positions. */
async function textsOf(page: PDFPageProxy): Promise<readonly PlacedText[]> {
  const { transform, width, height } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item) || item.str === '') return []
    const [, , a = 0, b = 0, left = 0, base = 0] = Util.transform(transform, item.transform) as number[]
    const high = Math.hypot(a, b)
    // Letters extend at most a fifth below their baseline.
    const place = { x: left / width, y: (base - high * 0.9) / height, width: item.width / width }
    return [{ text: item.str, ...place, height: (high * 1.15) / height }]
  })
}
