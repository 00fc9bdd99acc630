import { plainWords } from '../../language/asking-words.ts'
import { Evidence } from '../../language/figures/evidence.ts'
import { figuresIn } from '../../language/figures/read.ts'
import { languageOf } from '../../language/which-language.ts'
import type { HitInContext } from '../../knowledge/search/neighbours.ts'
import { citedNumbers, withoutMarks } from '../citations.ts'

/** Letters by which two forms of a word are the same one. */
const STEM = 6

/** Whether an answer has a number that is that of a passage. */
export function citesAny(answer: string, hits: readonly HitInContext[]): boolean {
  return citedNumbers(answer).some((n) => n >= 1 && n <= hits.length)
}

/**
 * The passage that holds most of an answer that cites none, by its place; undefined where none holds anything of it but words of
 * the question, as of “ok”. Of an answer in another language than theirs nobody can tell: it is the first one’s.
 */
export function holderIn(answer: string, question: string, hits: readonly HitInContext[]): number | undefined {
  const written = withoutMarks(answer)
  const asked = new Evidence({ texts: [question], tables: [] })
  const figures = figuresIn(written).filter((figure) => asked.find(figure) === undefined)
  const known = stemsOf(question)
  const words = stemsOf(written)
  const news = [...words].filter((word) => word.length > 2 && !known.has(word))
  const held = hits.map(({ chunk, document, before = '', after = '' }) => {
    const text = [document.name, chunk.section, before, chunk.text, after].join('\n')
    const there = stemsOf(text)
    const found = new Evidence({ texts: [text], tables: [] })
    const isFigure = figures.some((figure) => found.find(figure) !== undefined)
    return { isFigure, words: news.filter((word) => there.has(word)).length }
  })
  const most = Math.max(0, ...held.map((one) => one.words))
  const best = held.findIndex((one) => one.isFigure && one.words >= most / 2)
  if (best >= 0) return best
  if (most > 0 && most >= Math.min(3, news.length / 2)) return held.findIndex((one) => one.words === most)
  const [own, theirs] = [languageOf(written), languageOf(hits.map(({ chunk }) => chunk.text).join('\n'))]
  return own !== undefined && theirs !== undefined && own !== theirs ? 0 : undefined
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(plainWords(text).map((word) => word.slice(0, STEM)))
}
