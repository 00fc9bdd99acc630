import { advance, applyEvent, isOver, type RunState } from '../../domain/state.ts'
import type { LiveItem } from '../../engine/readers/live.ts'

/** What becomes of the text that a client has been shown: more of it comes, or another one in its place. */
export interface TextChange {
  readonly isAnew: boolean
  readonly text: string
}

/** One client's reading of a run: its state so far, and the text of the answer as far as it was shown. */
export class RunReader {
  private folded: RunState | undefined
  private shown = ''
  private part = 0
  private coming = ''

  /** @throws TypeError before the first item */
  get state(): RunState {
    if (this.folded === undefined) throw new TypeError('Nothing has been read yet.')
    return this.folded
  }

  /** Takes the next item, and says what it changes in the text. White space is held back until something follows it. */
  take(item: LiveItem): TextChange | undefined {
    if (item.type !== 'live.text') {
      // Text that was live comes no second time, so the log as it is read may have gaps.
      if (this.folded === undefined) this.folded = applyEvent(undefined, item)
      else advance(this.folded, item)
    }
    if (item.type === 'answer.composed') return this.change(item.answer, true)
    // Text of an answer that was begun anew and never came to an end is not the answer.
    if (this.folded !== undefined && isOver(this.folded) && this.folded.answer !== undefined) {
      return this.change(this.folded.answer.text, true)
    }
    if (item.type !== 'live.text' && item.type !== 'answer.delta') return undefined
    if (item.part !== this.part) {
      this.part = item.part
      this.coming = ''
    }
    this.coming += item.text
    return this.change(this.coming, false)
  }

  /** An answer that starts over with the same words is the same text for whoever reads it. */
  private change(answer: string, isWhole: boolean): TextChange | undefined {
    const text = answer.trimEnd()
    if (text === this.shown || (!isWhole && this.shown.startsWith(text))) return undefined
    const isAnew = !text.startsWith(this.shown)
    const change = { isAnew, text: isAnew ? text : text.slice(this.shown.length) }
    this.shown = text
    return change
  }
}
