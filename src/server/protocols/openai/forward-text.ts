import { marksIn } from '../../../agents/citations.ts'
import type { Citation } from '../../../domain/citation.ts'
import { isOver, type RunState } from '../../../domain/state.ts'
import type { LiveItem } from '../../../engine/readers/live.ts'
import { tableBlocks } from '../markdown-table.ts'
import { RunReader } from '../run-reader.ts'

/** Said where text was shown that the answer does not have in the end: a client of these protocols cannot take it back. */
const STARTS_OVER = '\n\n(The answer starts over; what stands above does not count.)\n\n'

/** A citation, with the place of a mark that means it. */
export interface CitedMark extends Citation {
  readonly start: number
  readonly end: number
}

/** The answer of a run for clients that take text and can only be given more of it. */
export class ForwardText {
  private readonly reader = new RunReader()
  private isHeld: boolean
  /** Where the answer begins in the text. */
  private start = 0
  /** All that was given so far. */
  text = ''

  /** @param isWhole nothing is given before the end of the run */
  constructor(isWhole = false) {
    this.isHeld = isWhole
  }

  /** @throws TypeError before the first item */
  get state(): RunState {
    return this.reader.state
  }

  /** What is to be added to the text. What does not continue from it waits for the end of the run. */
  take(item: LiveItem): string {
    const change = this.reader.take(item)
    this.isHeld ||= change?.isAnew === true
    let more = this.isHeld ? '' : (change?.text ?? '')
    if (isOver(this.state)) more += this.rest(this.text + more)
    this.text += more
    return more
  }

  /** The marks of the answer; those of text that does not count are none. */
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

/** Reads a run to its end. @throws whatever the stream throws */
export async function wholeText(items: AsyncIterable<LiveItem>): Promise<ForwardText> {
  const text = new ForwardText(true)
  for await (const item of items) text.take(item)
  return text
}

/** Where a citation leads to: its page, else its place in the run. */
export function urlOf({ state }: Pick<ForwardText, 'state'>, { n, source }: Citation): string {
  return source.url ?? `tutti://runs/${state.runId}/citations/${n}`
}
