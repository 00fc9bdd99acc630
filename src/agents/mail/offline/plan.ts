import type { MailFolder } from '../../../mail/types.ts'

export type MailAction = 'search_inbox' | 'search_sent' | 'search_drafts' | 'read' | 'send' | 'draft' | 'reply'

/** What is to be done with the mailbox. */
export interface MailPlan {
  readonly action: MailAction | 'none'
  /** Which mails: for searching, and to find the one to be read or answered. */
  readonly query: string
  /** Where the mail to be read or answered is looked for. */
  readonly folder: MailFolder
  readonly limit: number
  /** Names or addresses. */
  readonly to: readonly string[]
  readonly cc: readonly string[]
  /** Empty: made from what the mail says. */
  readonly subject: string
  /** Of a draft: that it answers the mail which the query finds. */
  readonly isReply: boolean
  readonly reason: string
}

export const EMPTY_PLAN: MailPlan = Object.freeze({
  action: 'none',
  query: '',
  folder: 'inbox',
  limit: 10,
  to: [],
  cc: [],
  subject: '',
  isReply: false,
  reason: '',
})
