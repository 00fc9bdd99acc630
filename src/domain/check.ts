/** How a figure of an answer is supported. */
export const FIGURE_STATUSES = ['found', 'derived', 'not_found'] as const

export interface FigureCheck {
  /** Characters of the answer, from 0; `end` is the first one after the figure. */
  readonly start: number
  readonly end: number
  readonly text: string
  /**
   * `found`: is in what a tool returned or the user wrote. `derived`: follows from such values. `not_found`: neither.
   */
  readonly status: (typeof FIGURE_STATUSES)[number]
  /** Ids of the cited sources that it was found in, such as `s3`; those of `citations`. */
  readonly sources?: readonly string[]
}

/** What was verified about an answer after it was written. It is shown and never changes the text. */
export interface AnswerChecks {
  readonly figures: readonly FigureCheck[]
}

export const NO_CHECKS: AnswerChecks = Object.freeze({ figures: Object.freeze([]) })

/** Checks of a text in which secrets may have been masked since: a figure that no longer stands at its place is left out. */
export function checksWithin(text: string, { figures }: AnswerChecks): AnswerChecks {
  return { figures: figures.filter(({ start, end, text: figure }) => text.slice(start, end) === figure) }
}
