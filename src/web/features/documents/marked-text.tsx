import { Fragment, useEffect, useRef } from 'react'
import { hasSheets } from '../../../client/run.ts'
import type { TextRange } from './document-view.tsx'

interface MarkedTextProps {
  /** Type of the document; rows of sheets are shown as tables. */
  readonly name: string
  readonly text: string
  /** In characters of the text; it is scrolled to. */
  readonly mark?: TextRange | undefined
}

/** Text of a document as it was read, with a passage marked where one was asked for. */
export function MarkedText({ name, text, mark }: MarkedTextProps) {
  const container = useRef<HTMLDivElement>(null)
  const [from, to] = [mark?.start, mark?.end]
  // Not once more for text that came after it.
  useEffect(() => {
    if (from !== undefined) container.current?.querySelector('.passage')?.scrollIntoView({ block: 'center' })
  }, [from, to])
  const isPlainText = !hasSheets(name)
  const parts = isPlainText ? [{ start: 0, end: text.length, isTable: false }] : partsOf(text)
  return (
    <div ref={container}>
      {parts.map(({ start, end, isTable }) =>
        isTable ? (
          <Rows key={start} text={text.slice(start, end)} start={start} mark={mark} />
        ) : (
          <Fragment key={start}>
            <Marked text={isPlainText ? text : text.slice(start, end).trimEnd()} start={start} mark={mark} />
          </Fragment>
        ),
      )}
    </div>
  )
}

interface PartProps {
  readonly text: string
  readonly start: number
  readonly mark: TextRange | undefined
}

function Marked({ text, start, mark }: PartProps) {
  const [from, to] = [mark?.start, mark?.end].map((at) => Math.min(text.length, Math.max(0, (at ?? 0) - start)))
  if (from === to) return <>{text}</>
  return (
    <>
      {text.slice(0, from)}
      <mark className="passage">{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}

function Rows({ text, start, mark }: PartProps) {
  let at = start
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = { start: at, cells: line.split(/ \|(?: |$)/) }
      at += line.length + 1
      return row
    })
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const isMarked = (from: number): boolean => mark !== undefined && mark.start <= from && from < mark.end
  return (
    <div className="my-2 overflow-x-auto rounded-lg border border-line" tabIndex={0}>
      <table className="table">
        <tbody>
          {rows.map((row) => (
            <tr key={row.start}>
              {Array.from({ length: width }, (_none, n) => (
                <td key={n} className="whitespace-nowrap">
                  {isMarked(row.start) ? <mark className="passage">{row.cells[n]}</mark> : row.cells[n]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Splits the text of sheets into its tables, whose cells are separated by bars, and the text around them. */
function partsOf(text: string): { readonly start: number; readonly end: number; readonly isTable: boolean }[] {
  const parts: { start: number; end: number; isTable: boolean }[] = []
  let at = 0
  for (const line of text.split(/(?<=\n)/)) {
    const isTable = line.includes(' |')
    const last = parts.at(-1)
    if (last?.isTable === isTable) last.end += line.length
    else parts.push({ start: at, end: at + line.length, isTable })
    at += line.length
  }
  return parts
}
