import { z } from 'zod'
import { parseMailQuery } from '../../../mail/query.ts'
import { MAIL_FOLDERS } from '../../../mail/types.ts'

const MAIL_ACTIONS = ['search_inbox', 'search_sent', 'search_drafts', 'read', 'send', 'draft', 'reply'] as const
export type MailAction = (typeof MAIL_ACTIONS)[number]

/** What is to be done with the mailbox. */
export const mailPlanSchema = z.object({
  action: z.enum([...MAIL_ACTIONS, 'none']),
  /** Which mails: for searching, and to find the one to be read or answered. */
  query: z
    .string()
    .superRefine((text, context) => {
      const problem = problemOf(text)
      if (problem !== undefined) context.addIssue(problem)
    })
    .default(''),
  /** Where the mail to be read or answered is looked for. */
  folder: z.enum(MAIL_FOLDERS).default('inbox'),
  limit: z.number().int().min(1).max(100).default(10),
  /** Names or addresses. */
  to: z.array(z.string()).default([]),
  cc: z.array(z.string()).default([]),
  /** Empty: made from what the mail says. */
  subject: z.string().default(''),
  /** Of a draft: that it answers the mail which the query finds. */
  isReply: z.boolean().default(false),
  reason: z.string().default(''),
})
export type MailPlan = Readonly<z.output<typeof mailPlanSchema>>

/** Told to the model, which may then write it better. */
function problemOf(query: string): string | undefined {
  try {
    parseMailQuery(query)
    return undefined
  } catch (thrown) {
    return (thrown as Error).message
  }
}

export const EMPTY_PLAN: MailPlan = Object.freeze(mailPlanSchema.parse({ action: 'none' }))
