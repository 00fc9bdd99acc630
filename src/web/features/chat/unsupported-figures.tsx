import type { FigureCheck } from '../../../client/run.ts'
import { useWords } from '../../locales/words.tsx'

/** Around a figure in the text that is drawn: Unicode reserves these characters for such uses, and no text contains them. */
const [START, END] = ['\uFDD0', '\uFDD1']
export const FIGURE = /\uFDD0([^\uFDD1]*)\uFDD1/

/** The text of an answer with its figures that are in no source between two reserved characters. */
export function withUnsupportedFigures(text: string, figures: readonly FigureCheck[]): string {
  return figures
    .filter(({ status, start, end, text: figure }) => status === 'not_found' && text.slice(start, end) === figure)
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (all, { start, end }) => `${all.slice(0, start)}${START}${all.slice(start, end)}${END}${all.slice(end)}`,
      text,
    )
}

export function bareText(text: string): string {
  return text.replaceAll(START, '').replaceAll(END, '')
}

export function UnsupportedFigure({ text }: { text: string }) {
  const { words } = useWords()
  return (
    <span className="unsupported" title={words.facts.unsupported}>
      {text}
    </span>
  )
}
