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
  /** Names and values that the text holds, for programs. */
  readonly params: Readonly<Record<string, string>>
  readonly severity: (typeof NOTICE_SEVERITIES)[number]
  /** One or more English sentences. */
  readonly text: string
}

/** What composers say where no agent found anything. */
export const NO_SOURCE = 'No source was used for this answer.'
