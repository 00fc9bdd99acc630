import { SOURCE_MARK } from '../domain/answer.ts'

/** Text of others without marks of the form [n]: they refer to notes of its author and would pass for our sources. */
export function removeMarks(text: string): string {
  return replaceMarks(text, () => undefined)
}

/** The marks of an answer with their positions, in order. */
export function marksIn(
  answer: string,
): { readonly start: number; readonly end: number; readonly numbers: number[] }[] {
  return Array.from(answer.matchAll(SOURCE_MARK), ({ 0: mark, 1: list, index: start }) => {
    return { start, end: start + mark.length, numbers: numbersIn(list!) }
  })
}

/** The answer with renumbered marks; marks that `numberFor` does not know are removed. */
export function replaceMarks(answer: string, numberFor: (n: number) => number | undefined): string {
  const text = answer.replace(SOURCE_MARK, (mark, list: string, at: number) => {
    const marks = numbersIn(list).flatMap((n) => numberFor(n) ?? [])
    // The texts on both sides of a removed mark must not join.
    if (marks.length === 0) return /[\d,\]]/.test(answer[at + mark.length] ?? '') ? ' ' : ''
    return marks.map((n) => `[${n}]`).join('')
  })
  return text.replace(/ +(?=[.,;:!?](\s|$))/g, '').trim()
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number)
}
