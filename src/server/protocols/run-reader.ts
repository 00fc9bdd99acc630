import { advance, applyEvent, isOver, type RunState } from '../../domain/state.ts'
import type { LiveItem } from '../../engine/readers/live.ts'

/** A change of the text that the client has: an addition or a replacement. */
export interface TextChange {
  readonly isReplaced: boolean
  readonly text: string
}

/** The state of a run as one client has read it, and the text of the answer sent so far. */
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

  /**
   * Applies the next item and returns its change of the text. Trailing whitespace is held back until more text follows.
   */
  take(item: LiveItem): TextChange | undefined {
    if (item.type !== 'live.text') {
      // Live text is not repeated as log events, so the events read here may have gaps.
      if (this.folded === undefined) this.folded = applyEvent(undefined, item)
      else advance(this.folded, item)
    }
    if (item.type === 'answer.composed') return this.change(item.answer, true)
    // Text of an attempt that did not finish is not part of the answer.
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

  /** If an answer starts over with the same text, nothing changes for the client. */
  private change(answer: string, isWhole: boolean): TextChange | undefined {
    const text = answer.trimEnd()
    if (text === this.shown || (!isWhole && this.shown.startsWith(text))) return undefined
    const isReplaced = !text.startsWith(this.shown)
    const change = { isReplaced, text: isReplaced ? text : text.slice(this.shown.length) }
    this.shown = text
    return change
  }
}
