import type { Output } from '../output.ts'
import { safeText } from './text.ts'

/** Streams the answer to a terminal, and stores what it has written. */
export class AnswerStream {
  private readonly out: Output
  private part: number | undefined
  private written = ''

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
    this.show(safeText(text))
  }

  /** Ends the current line, so that something else can be written below it. */
  endLine(): void {
    if (this.hasBegun && !this.written.endsWith('\n')) this.show('\n')
  }

  private show(piece: string): void {
    this.written += piece
    this.out.write(piece)
  }

  /** Whether this very answer is on the screen already. */
  shows(answer: string): boolean {
    return this.hasBegun && this.written.trim() === safeText(answer).trim()
  }
}
