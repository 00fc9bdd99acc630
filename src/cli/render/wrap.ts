import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './text.ts'

const START = String.raw`(?:npx tutti|tutti|node \S+|export|echo) [^\s:]`
/** Pasted text and short quotations, such as names and values of SQL, which a line break would change. */
const UNBREAKABLE = String.raw`["\x60](?=${START})[^"\x60]+["\x60]|(?<=^[\s\p{Cc}\d;[m]*|: )${START}.*?(?= {2}|$)|(?<![\w:])(?<quote>['"])[^'"]{1,24}\k<quote>(?!\w)`
/** Scripts that put no spaces between words. */
const WIDE = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`
/** Unit that may be moved to a new line, with its leading whitespace. Punctuation stays with the word before it. */
const WORD = new RegExp(String.raw`(\s*)(${WIDE}[^\p{L}\p{N}\s]*|(?:${UNBREAKABLE}|(?!${WIDE})\S)+)`, 'gu')
/** The end of a line that grows, which may be a part of a word. */
export const LAST_WORD = new RegExp(String.raw`(?:(?!${WIDE})\S)*$`, 'u')
/** Lines that mean something else when they are broken: rows of Markdown, comments of SQL. */
const FIXED = /^\s*\||(?:^|\s)-- /
/** A list marker or a short label in its own column: continuation lines are indented below its text. */
const LEAD = /^\s*(?:(?:[-•*✓✗=]|\[\d+\]|\d+[.)]) |(?! )\S{1,12} {2,})?/u

/** Breaks lines that are wider than the terminal. Words, commands and code stay whole, wide as they are. */
export function wrap(text: string, width: number): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode
      return isCode || FIXED.test(line) || widthOf(line) <= width ? line : wrapLine(line, width)
    })
    .join('\n')
}

function wrapLine(line: string, width: number): string {
  const lead = widthOf(LEAD.exec(stripVTControlCharacters(line))![0])
  const hang = ' '.repeat(lead <= width / 2 ? lead : 2)
  const lines: string[] = []
  let last = ''
  for (const [, gap = '', word = ''] of line.matchAll(WORD)) {
    if (stripVTControlCharacters(last).trim() === '' || widthOf(last + gap + word) <= width) last += gap + word
    else {
      lines.push(last)
      last = hang + word
    }
  }
  return [...lines, last].join('\n')
}
