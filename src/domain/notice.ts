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
