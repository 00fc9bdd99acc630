import { SOURCE_MARK } from '../core/citation.ts'

/** Text of others without marks of the form [n]: they refer to notes of its author and would pass for our sources. */
export function withoutMarks(text: string): string {
  return text.replace(SOURCE_MARK, '')
}

/** The marks of an answer, where they stand, in their order. */
export function marksIn(
  answer: string,
): { readonly start: number; readonly end: number; readonly numbers: number[] }[] {
  return Array.from(answer.matchAll(SOURCE_MARK), ({ 0: mark, 1: list, index: start }) => {
    return { start, end: start + mark.length, numbers: numbersIn(list!) }
  })
}

/** The numbers in an answer's marks, in their order. */
export function citedNumbers(answer: string): number[] {
  return marksIn(answer).flatMap(({ numbers }) => numbers)
}

/** The answer with other numbers in its marks; those that `numberFor` does not know are taken out. */
export function replaceMarks(answer: string, numberFor: (n: number) => number | undefined): string {
  const text = answer.replace(SOURCE_MARK, (mark, list: string, at: number) => {
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

/** An answer whose [n] are the places of the sources that it cites, in the order in which it cites them. */
export interface Cited<T> {
  readonly answer: string
  readonly sources: readonly T[]
}

/**
 * Keeps the sources that the answer cites and numbers them anew; a number without a source is taken out. An answer that cites
 * nothing keeps all sources.
 */
export function citedSources<T>(answer: string, sources: readonly T[]): Cited<T> {
  const order: number[] = []
  const isSource = (n: number): boolean => n >= 1 && n <= sources.length
  const text = replaceMarks(answer, (n) => {
    if (!isSource(n)) return undefined
    if (!order.includes(n)) order.push(n)
    return order.indexOf(n) + 1
  })
  return { answer: text, sources: order.length === 0 ? sources : order.map((n) => sources[n - 1]!) }
}
