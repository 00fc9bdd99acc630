import { unsaidNames } from '../language/figures/names.ts'
import { figuresIn } from '../language/figures/read.ts'
import { sentencesOf } from '../language/figures/sentences.ts'

/** `[1]`, `[1, 2]`. */
const MARK = /\[(\d+(?:\s*,\s*\d+)*)\]/g

/** Text of others without marks of the form [n], which stand for their own notes and would pass for our sources. */
export function withoutMarks(text: string): string {
  return text.replace(MARK, '')
}

/** The marks of an answer, where they stand, in their order. */
export function marksIn(
  answer: string,
): { readonly start: number; readonly end: number; readonly numbers: number[] }[] {
  return Array.from(answer.matchAll(MARK), ({ 0: mark, 1: list, index: start }) => {
    return { start, end: start + mark.length, numbers: numbersIn(list!) }
  })
}

/** The numbers in an answer's marks, in their order. */
export function citedNumbers(answer: string): number[] {
  return marksIn(answer).flatMap(({ numbers }) => numbers)
}

/** The answer with other numbers in its marks; those that `numberFor` does not know are taken out. */
export function replaceMarks(answer: string, numberFor: (n: number) => number | undefined): string {
  const text = answer.replace(MARK, (mark, list: string, at: number) => {
    const marks = numbersIn(list).flatMap((n) => numberFor(n) ?? [])
    // What stands on both sides of a mark that goes must not become one.
    if (marks.length === 0) return /[\d,\]]/.test(answer[at + mark.length] ?? '') ? ' ' : ''
    return marks.map((n) => `[${n}]`).join('')
  })
  return text.replace(/ +(?=[.,;:!?](\s|$))/g, '').trim()
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number)
}

/** Whether nothing stands for a sentence but marks without a source: it has no figure or name that could be found elsewhere. */
export function restsOnNothing(sentence: string, isSource: (n: number) => boolean): boolean {
  const cited = citedNumbers(sentence)
  if (cited.length === 0 || cited.some(isSource)) return false
  const plain = withoutMarks(sentence)
  return figuresIn(plain).length === 0 && unsaidNames(plain, []).length === 0
}

/** An answer whose [n] are the places of the sources that it cites, in the order in which it cites them. */
export interface Cited<T> {
  readonly answer: string
  readonly sources: readonly T[]
}

/**
 * Keeps the sources that the answer cites and numbers them anew; a number without a source is taken out, and with it the
 * sentence that has nothing else to rest on. An answer that cites nothing keeps all sources.
 */
export function citedSources<T>(answer: string, sources: readonly T[]): Cited<T> {
  const order: number[] = []
  const isSource = (n: number): boolean => n >= 1 && n <= sources.length
  const kept = sentencesOf(answer).filter((sentence) => !restsOnNothing(sentence, isSource))
  const text = replaceMarks(kept.length === 0 ? answer : kept.join(''), (n) => {
    if (!isSource(n)) return undefined
    if (!order.includes(n)) order.push(n)
    return order.indexOf(n) + 1
  })
  return { answer: text, sources: order.length === 0 ? sources : order.map((n) => sources[n - 1]!) }
}
