import { truncate } from '../shared/json.ts'
import { onOneLine } from './prompt-text.ts'
import type { Source } from './result.ts'

/** The subject of a notice. */
export const NOTICE_CODES = [
  'assumption',
  'source_unavailable',
  'declined',
  'denied',
  'limit_reached',
  'offline',
  'no_source',
  'interrupted_call',
  'remembered',
  'remark',
] as const

export type NoticeCode = (typeof NOTICE_CODES)[number]

/** `warning`: the answer lacks something, or something may be wrong with it. */
export const NOTICE_SEVERITIES = ['info', 'warning'] as const

/** A remark shown with an answer; not part of the answer's text. */
export interface Notice {
  readonly code: NoticeCode
  /** Names and values from the text, for programs. */
  readonly params: Readonly<Record<string, string>>
  readonly severity: (typeof NOTICE_SEVERITIES)[number]
  /** One or more English sentences. */
  readonly text: string
}

/** The composers' notice if no agent found anything. */
export const NO_SOURCE = 'No source was used for this answer.'

/** The source of the mark [n] in an answer. The engine assigns the numbers, never a model. */
export interface Citation {
  readonly n: number
  readonly source: Source
  /** The agent that found it. */
  readonly agent: string
}

/** `[1]`, `[1, 2]`: places among the sources of an agent's own answer. */
export const SOURCE_MARK = /\[(\d+(?:\s*,\s*\d+)*)\]/g

/** An agent's answer with source ids in place of its [n] marks; marks without a source are kept. */
export function withIds(answer: string, ids: readonly (string | undefined)[]): string {
  return answer.replace(SOURCE_MARK, (mark, list: string) => {
    const cited = list.split(',').map((n) => ids[Number(n) - 1])
    return cited.every((id) => id !== undefined) ? cited.map((id) => `[${id}]`).join('') : mark
  })
}

/**
 * A source on one line, for models and lists.
 * @param maxDetail characters of its detail: the request, or a mail's id
 */
export function describeSource({ kind, name, detail, url, passage }: Source, maxDetail: number): string {
  const { page, section } = passage ?? {}
  const place = [`${kind} ${name}`, page === undefined ? undefined : `page ${page}`, section, url]
  const request = detail === undefined || maxDetail === 0 ? '' : `: ${truncate(detail, maxDetail)}`
  return onOneLine(`${place.filter((part) => part !== undefined).join(', ')}${request}`)
}

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
