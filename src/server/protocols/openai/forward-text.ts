import { marksIn } from '../../../agents/citations.ts'
import type { Citation } from '../../../domain/answer.ts'
import { isOver, type RunState } from '../../../domain/state.ts'
import type { LiveItem } from '../../../engine/readers/live.ts'
import { tableBlocks } from '../markdown-table.ts'
import { TuttiError } from '../../../domain/errors.ts'
import { RunReader } from '../run-parts.ts'

/** Sent if text was streamed that is not part of the final answer: clients of these protocols cannot discard it. */
const STARTS_OVER = '\n\n(The answer starts over. Ignore the text above.)\n\n'

/** A citation with the position of its mark. */
interface CitedMark extends Citation {
  readonly start: number
  readonly end: number
}

/** The answer of a run as text that can only be appended to. */
export class ForwardText {
  private readonly reader = new RunReader()
  private isHeld: boolean
  /** Start of the answer within the text. */
  private start = 0
  /** All text so far. */
  text = ''

  /** @param isWhole return text only at the end of the run */
  constructor(isWhole = false) {
    this.isHeld = isWhole
  }

  /** @throws TypeError before the first item */
  get state(): RunState {
    return this.reader.state
  }

  /** Returns text to append. Text that does not continue the previous one is held back until the end of the run. */
  take(item: LiveItem): string {
    const change = this.reader.take(item)
    this.isHeld ||= change?.isReplaced === true
    let more = this.isHeld ? '' : (change?.text ?? '')
    if (isOver(this.state)) more += this.rest(this.text + more)
    this.text += more
    return more
  }

  /** Citation marks of the answer, without those in discarded text. */
  get marks(): readonly CitedMark[] {
    const { text, start } = this
    const citations = this.state.answer?.citations ?? []
    return marksIn(text.slice(start)).flatMap((mark) =>
      citations
        .filter(({ n }) => mark.numbers.includes(n))
        .map((citation) => ({ ...citation, start: start + mark.start, end: start + mark.end })),
    )
  }

  private rest(given: string): string {
    const { answer, request } = this.state
    if (answer === undefined) return ''
    const whole = [answer.text.trimEnd(), ...tableBlocks(request.includeData ? answer.data : undefined)]
      .filter((text) => text !== '')
      .join('\n\n')
    if (whole.startsWith(given)) return whole.slice(given.length)
    this.start = given.length + STARTS_OVER.length
    return STARTS_OVER + whole
  }
}

/** Reads a run to its end. @throws the error of the stream */
export async function wholeText(items: AsyncIterable<LiveItem>): Promise<ForwardText> {
  const text = new ForwardText(true)
  for await (const item of items) text.take(item)
  return text
}

/** URL of a citation: its page, or else its place in the run. */
export function urlOf({ state }: Pick<ForwardText, 'state'>, { n, source }: Citation): string {
  return source.url ?? `tutti://runs/${state.runId}/citations/${n}`
}

/**
 * How a run has ended: with an answer, or with one that a limit cut short.
 * @throws TuttiError the error of a failed run, or `Cancelled`
 */
export function finishReason({ runId, status, error, exhausted }: RunState): 'stop' | 'length' {
  if (error !== undefined) throw TuttiError.fromInfo(error)
  if (status === 'cancelled') throw new TuttiError('Cancelled', `Run ${runId} was cancelled.`)
  if (status !== 'finished')
    throw new TuttiError('RunLost', `Run ${runId} has not finished yet. Retry later.`, { retryable: true })
  return exhausted === undefined ? 'stop' : 'length'
}
