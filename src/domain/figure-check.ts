/** How a figure of an answer is supported. */
export const FIGURE_STATUSES = ['found', 'derived', 'not_found'] as const

export interface FigureCheck {
  /** Characters of the answer, from 0; `end` is the first one after the figure. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** `found`: in a tool's output or in the user's words. `derived`: computed from such values. `not_found`: neither. */
  readonly status: (typeof FIGURE_STATUSES)[number]
  /** Ids of the cited sources that contain it, such as `s3`; a subset of `citations`. */
  readonly sources?: readonly string[]
}

/** Checks of an answer after it was written. They are shown and do not change the text. */
export interface AnswerChecks {
  readonly figures: readonly FigureCheck[]
}

export const NO_CHECKS: AnswerChecks = Object.freeze({ figures: Object.freeze([]) })

/**
 * Checks that still apply to a text after secrets were masked: figures that are no longer at their position are left
 * out.
 */
export function checksWithin(text: string, { figures }: AnswerChecks): AnswerChecks {
  return { figures: figures.filter(({ start, end, text: figure }) => text.slice(start, end) === figure) }
}
