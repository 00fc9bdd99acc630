import type { Clock } from '../../core/clock.ts'
import type { EventBody } from '../../core/events.ts'
import { LinkStream } from '../../core/links/stream.ts'
import type { LiveText } from '../readers/live.ts'

const KEEP_AFTER_MS = 250
const KEEP_AFTER_CHARS = 1_000

/** Tells which addresses the answer of a job may hold. */
type Addresses = (key: string) => (url: string) => boolean

/**
 * The answer's text on its way: every piece is shown at once, and kept in the log in larger ones, so that a reader who
 * joins late or reconnects gets the whole text without one log entry a token.
 */
export class AnswerStream {
  private readonly clock: Clock
  private readonly show: (text: LiveText) => void
  private readonly keep: (event: Extract<EventBody, { type: 'answer.delta' }>) => void
  private part: number
  private length = 0
  private pending: { key: string; offset: number; text: string } | undefined
  private cancelTimer: (() => void) | undefined
  private readonly addresses: Addresses | undefined
  /** What may become a link is held back in here. */
  private links: { readonly key: string; readonly stream: LinkStream } | undefined

  /**
   * `part` is the last one that anybody can have seen: what comes now is a new one. Without `addresses` links are let through.
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

  /** An offset of 0 starts the answer over. */
  write(key: string, text: string, offset: number): void {
    if (offset === 0) {
      this.flush()
      this.part++
      this.length = 0
      this.links = undefined
    }
    if (this.addresses === undefined) return this.pass(key, text)
    this.links ??= { key, stream: new LinkStream(this.addresses(key)) }
    this.pass(key, this.links.stream.feed(text))
  }

  /** The job that wrote it is over: what was held back is shown. */
  end(key: string): void {
    if (this.links?.key === key) {
      this.pass(key, this.links.stream.end())
      this.links = undefined
    }
    this.flush()
  }

  private pass(key: string, text: string): void {
    if (text === '') return
    this.show({ type: 'live.text', part: this.part, offset: this.length, text })
    this.pending ??= { key, offset: this.length, text: '' }
    this.pending.text += text
    this.length += text.length
    if (this.pending.text.length >= KEEP_AFTER_CHARS) this.flush()
    else this.cancelTimer ??= this.clock.timer(KEEP_AFTER_MS, () => this.flush())
  }

  /** Text that is shown but not in the log yet. */
  get unkept(): LiveText | undefined {
    if (this.pending === undefined) return undefined
    return { type: 'live.text', part: this.part, offset: this.pending.offset, text: this.pending.text }
  }

  /** Ends without keeping what is not kept yet. */
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
