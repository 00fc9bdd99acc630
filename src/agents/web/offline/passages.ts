import { contentWords } from './words.ts'

const SHORTEST = 40

/**
 * The paragraphs of a page that speak of the question, in the page's order, up to `kept` characters; the first ones when
 * none does. The beginning of a page counts a little more, since pages say there what they are about.
 */
export function passagesFor(question: string, text: string, kept: number): string {
  return bestParagraphs(question, text, kept).join('\n\n')
}

/** As `passagesFor`, one by one and at most `most` of them. */
export function bestParagraphs(
  question: string,
  text: string,
  kept: number,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const paragraphs = text.split(/\n{2,}/).flatMap((paragraph, place) => {
    const trimmed = paragraph.trim()
    return trimmed === '' ? [] : [{ text: trimmed, place }]
  })
  const wanted = new Set(contentWords(question))
  const scored = paragraphs.map((paragraph) => ({ ...paragraph, score: scoreOf(paragraph.text, wanted) }))
  const isAbout = scored.some(({ score }) => score > 0)
  const order = scored
    .filter(({ score, text: words }) => (isAbout ? score > 0 : words.length >= SHORTEST || paragraphs.length < 4))
    .sort((a, b) => b.score - a.score || a.place - b.place)
  const chosen: typeof scored = []
  let left = kept
  for (const paragraph of order.slice(0, most)) {
    if (left <= 0) break
    chosen.push({ ...paragraph, text: shortened(paragraph.text, left) })
    left -= paragraph.text.length
  }
  return chosen.sort((a, b) => a.place - b.place).map((paragraph) => paragraph.text)
}

/** Different words of the question in the paragraph; headings and crumbs say little by themselves. */
function scoreOf(paragraph: string, wanted: ReadonlySet<string>): number {
  const found = new Set(contentWords(paragraph).filter((word) => wanted.has(word)))
  return paragraph.length < SHORTEST || paragraph.startsWith('#') ? found.size / 4 : found.size
}

/** Cut at the end of a sentence where there is one near, else of a word. */
export function shortened(text: string, kept: number): string {
  if (text.length <= kept) return text
  const start = text.slice(0, kept)
  const sentence = start.search(/[.!?](?=\s[^.!?]*$)/)
  if (sentence > kept / 2) return start.slice(0, sentence + 1)
  const space = start.lastIndexOf(' ')
  const end = space > kept / 2 ? space : kept
  // Half a character of two code units is none.
  return `${start
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
