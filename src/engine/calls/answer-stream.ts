import type { Clock } from '../../shared/clock.ts'
import type { EventBody } from '../../domain/events.ts'
import { LinkStream } from '../../shared/links/stream.ts'
import type { LiveText } from '../../shared/live-text.ts'

const KEEP_AFTER_MS = 250
const KEEP_AFTER_CHARS = 1_000

/** Creates a predicate for the addresses that the answer of a job may contain; undefined if it may contain any. */
type Addresses = (key: string) => ((url: string) => boolean) | undefined

/**
 * The answer's text on its way: every piece is shown at once, and kept in the log in larger ones, so that a reader who
 * joins late or reconnects gets the whole text without one log entry a token.
 */
export class AnswerStream {
  private readonly clock: Clock
  private readonly show: (text: LiveText) => void
  private readonly keep: (event: Extract<EventBody, { type: 'answer.delta' }>) => void
  private part: number
  private pending: { key: string; offset: number; text: string } | undefined
  private cancelTimer: (() => void) | undefined
  private readonly addresses: Addresses | undefined
  /** The writing job: all of its text, the released part, and the filter that holds back possible links. */
  private source: { readonly key: string; raw: string; released: number; readonly links?: LinkStream } | undefined
  /** The text of this part shown so far. */
  private shown = ''

  /**
   * `part` is the last part that a reader can have seen; new text starts a new one. Without `addresses` links are not
   * filtered.
   */
  constructor(
    clock: Clock,
    part: number,
    show: (text: LiveText) => void,
    keep: (event: Extract<EventBody, { type: 'answer.delta' }>) => void,
    addresses?: Addresses,
  ) {
    this.addresses = addresses
    this.clock = clock
    this.part = part
    this.show = show
    this.keep = keep
  }

  /**
   * An offset of 0 starts the answer over. `release` returns the part of the text that may be shown; by default all of
   * it.
   */
  write(key: string, text: string, offset: number, release?: (soFar: string) => string): void {
    if (offset === 0) {
      this.pause()
      this.startOver()
    }
    this.source ??= { key, raw: '', released: 0, ...this.linksOf(key) }
    const { source } = this
    source.raw += text
    const released = release === undefined ? source.raw : release(source.raw)
    const piece = released.slice(source.released)
    source.released += piece.length
    this.pass(key, source.links === undefined ? piece : source.links.feed(piece))
  }

  /**
   * Ends the text of a job that is over, or that now has an answer. Shows the text held back so far, or the whole
   * answer again if it differs from the text shown. Without an answer, nothing else is shown.
   */
  end(key: string, answer?: string): void {
    if (answer !== undefined && (this.source?.key === key || this.shown !== '')) {
      if (!answer.startsWith(this.shown.trimEnd())) this.startOver()
      this.pass(key, answer.slice(this.shown.length))
    }
    this.source = undefined
    this.flush()
  }

  /** The current text is complete, although its job continues: a note beside tool calls. */
  pause(): void {
    if (this.source?.links !== undefined) this.pass(this.source.key, this.source.links.end())
    this.flush()
  }

  private linksOf(key: string): { readonly links?: LinkStream } {
    const isAllowed = this.addresses?.(key)
    return isAllowed === undefined ? {} : { links: new LinkStream(isAllowed) }
  }

  private startOver(): void {
    this.flush()
    this.part++
    this.shown = ''
    this.source = undefined
  }

  private pass(key: string, text: string): void {
    if (text === '') return
    this.show({ type: 'live.text', key, part: this.part, offset: this.shown.length, text })
    this.pending ??= { key, offset: this.shown.length, text: '' }
    this.pending.text += text
    this.shown += text
    if (this.pending.text.length >= KEEP_AFTER_CHARS) this.flush()
    else this.cancelTimer ??= this.clock.timer(KEEP_AFTER_MS, () => this.flush())
  }

  /** Text that is shown but not in the log yet. */
  get unkept(): LiveText | undefined {
    if (this.pending === undefined) return undefined
    return { type: 'live.text', part: this.part, ...this.pending }
  }

  /** Stops without saving pending text. */
  stop(): void {
    this.cancelTimer?.()
    this.cancelTimer = undefined
  }

  flush(): void {
    this.stop()
    const { pending } = this
    if (pending === undefined) return
    this.pending = undefined
    this.keep({ type: 'answer.delta', key: pending.key, part: this.part, offset: pending.offset, text: pending.text })
  }
}
