import type { Output } from '../output.ts'
import { safeText } from './text.ts'
import { LAST_WORD, wrap } from './wrap.ts'

/** Streams the answer to a terminal, and stores what it has written. */
export class AnswerStream {
  private readonly out: Output
  private part: number | undefined
  private written = ''
  /** The line that is being written, and how much of it is on the screen, in which form. */
  private line = ''
  private taken = 0
  private shown = ''
  private isCode = false

  constructor(out: Output) {
    this.out = out
  }

  /** True once a piece of text has been written. */
  get hasBegun(): boolean {
    return this.written !== ''
  }

  /** A new `part` means that the answer starts over; the earlier text stays on the screen above it. */
  write(part: number, text: string): void {
    if (this.part !== part) {
      if (this.hasBegun) {
        this.endLine()
        this.out.line(this.out.style.dim('(The answer starts over.)'))
      }
      this.part = part
      this.written = ''
    }
    const piece = safeText(text)
    this.written += piece
    this.show(piece)
  }

  /** Ends the current line, so that something else can be written below it. */
  endLine(): void {
    if (this.hasBegun && !this.written.endsWith('\n')) {
      this.show('\n')
      this.written += '\n'
    }
  }

  /** Its last word is held back until it is known to be whole: it may belong on the next line of the terminal. */
  private show(piece: string): void {
    const lines = piece.split('\n')
    for (const [i, part] of lines.entries()) {
      this.line += part
      const isWhole = i < lines.length - 1
      const known = (isWhole ? this.line : this.line.replace(LAST_WORD, '')).trimEnd()
      const wrapped = this.isCode ? known : wrap(known, this.out.width())
      // After a quotation closes, `wrap` may keep together text that was already broken. Then the text continues
      // unwrapped.
      const rest = wrapped.startsWith(this.shown) ? wrapped.slice(this.shown.length) : known.slice(this.taken)
      this.out.write(isWhole ? `${rest}\n` : rest)
      this.taken = known.length
      this.shown = wrapped
      if (!isWhole) continue
      if (this.line.trimStart().startsWith('```')) this.isCode = !this.isCode
      this.line = ''
      this.taken = 0
      this.shown = ''
    }
  }

  /** Whether this very answer is on the screen already. */
  shows(answer: string): boolean {
    return this.hasBegun && this.written.trim() === safeText(answer).trim()
  }
}
