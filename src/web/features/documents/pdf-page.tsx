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

/** Where its tables of characters, fonts and decoders lie on our own host. */
const PARTS = `/assets/pdf-${version}`

interface PdfPageProps {
  /** Of the file. */
  readonly address: string
  /** From 1. */
  readonly page: number
  /** The text to mark; none if empty. */
  readonly passage: string
  /** Of the room that there is, 1 to fill its width. */
  readonly zoom: number
  readonly onPages: (pages: number) => void
  readonly onTrouble: (error: Error) => void
}

/** One page of a PDF file, drawn here: nothing in the file runs, links or loads anything. */
export default function PdfPage({ address, page, passage, zoom, onPages, onTrouble }: PdfPageProps) {
  const { data: file, error } = useFile(address)
  useEffect(() => {
    if (file !== undefined) onPages(file.numPages)
  }, [file, onPages])
  useEffect(() => {
    if (error !== null) onTrouble(error)
  }, [error, onTrouble])
  const opened = useQuery({
    queryKey: ['pdf-page', address, page],
    queryFn: async () => {
      const found = await file!.getPage(page)
      // A page without readable text is shown without marks.
      return { found, texts: await textsOf(found).catch(() => []) }
    },
    enabled: file !== undefined && page <= file.numPages,
    staleTime: Infinity,
    // It belongs to a file that is open, and is nothing without it.
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    if (opened.error !== null) onTrouble(opened.error)
  }, [opened.error, onTrouble])
  if (opened.data === undefined) return <Loading lines={10} />
  return (
    <Drawn page={opened.data.found} texts={opened.data.texts} passage={passage} zoom={zoom} onTrouble={onTrouble} />
  )
}

/** The file, open as long as it is shown. */
function useFile(address: string): { data: PDFDocumentProxy | undefined; error: Error | null } {
  const [file, setFile] = useState<{ data: PDFDocumentProxy | undefined; error: Error | null }>(NOTHING)
  useEffect(() => {
    const task = getDocument({
      url: address,
      cMapUrl: `${PARTS}/cmaps/`,
      standardFontDataUrl: `${PARTS}/standard_fonts/`,
      wasmUrl: `${PARTS}/wasm/`,
      // The rules of the page let no bytes become a program; the same decoders are there as scripts.
      useWasm: false,
      // No system fonts, so that it looks the same on every machine.
      useSystemFonts: false,
      enableXfa: false,
      stopAtErrors: false,
    })
    let isWanted = true
    const open = async (): Promise<void> => {
      try {
        const data = await task.promise
        if (isWanted) setFile({ data, error: null })
      } catch (thrown) {
        if (isWanted) setFile({ data: undefined, error: thrown as Error })
      }
    }
    void open()
    return () => {
      isWanted = false
      setFile(NOTHING)
      void task.destroy()
    }
  }, [address])
  return file
}

const NOTHING = { data: undefined, error: null }

interface DrawnProps extends Pick<PdfPageProps, 'passage' | 'zoom' | 'onTrouble'> {
  readonly page: PDFPageProxy
  readonly texts: readonly PlacedText[]
}

function Drawn({ page, texts, passage, zoom, onTrouble }: DrawnProps) {
  const { words } = useWords()
  const room = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const mark = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  const marks = useMemo(() => findMarks(texts, passage), [texts, passage])
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    watcher.observe(room.current!)
    return () => watcher.disconnect()
  }, [])
  const { width: natural, height } = page.getViewport({ scale: 1 })
  const shown = width * zoom
  useEffect(() => {
    if (shown === 0 || canvas.current === null) return
    const drawing = page.render({
      canvas: canvas.current,
      viewport: page.getViewport({ scale: (shown / natural) * devicePixelRatio }),
      // Do not render forms and annotations: they are not part of the cited content.
      annotationMode: AnnotationMode.DISABLE,
    })
    drawing.promise.catch((thrown: Error) => {
      if (thrown.name !== 'RenderingCancelledException') onTrouble(thrown)
    })
    return () => drawing.cancel()
  }, [page, shown, natural, onTrouble])
  const first = marks[0]
  const isThere = width > 0
  useEffect(() => {
    if (!isThere) return
    mark.current?.scrollIntoView({ block: 'center' })
    if (room.current !== null) room.current.scrollLeft = (room.current.scrollWidth - room.current.clientWidth) / 2
  }, [first, isThere])
  return (
    <div
      ref={room}
      className="overflow-x-auto"
      tabIndex={0}
      role="group"
      aria-label={words.panel.page({ n: page.pageNumber, isSheet: false })}
    >
      <div
        className="relative mx-auto border border-line bg-white shadow-md"
        style={{ width: shown, aspectRatio: `${natural} / ${height}` }}
      >
        <canvas
          ref={canvas}
          className="block size-full"
          width={Math.round(shown * devicePixelRatio)}
          height={Math.round(((shown * height) / natural) * devicePixelRatio)}
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
