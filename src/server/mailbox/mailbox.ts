import { z } from 'zod'
import { omitUndefined } from '../../shared/json.ts'
import type { Owner } from '../../domain/events.ts'
import type { Resource } from '../context.ts'
import { time } from '../schemas.ts'
import { AttemptLimit } from '../session/attempts.ts'

const place = z.string().trim().min(1).max(300)
const fields = {
  address: z.string().trim().min(3).max(320).describe('Sender: `Name <address>` or only the address'),
  imap: place.describe('`host` or `host:port`'),
  smtp: place.optional().describe('`host` or `host:port`; without it mails are read and drafted, but not sent'),
  user: z.string().min(1).max(320),
}
const mailboxSchema = z.object({ ...fields, changedAt: time }).meta({ id: 'Mailbox' })
const mailboxViewSchema = z.object({
  servers: z.array(z.string()).readonly().describe('Servers that an admin has allowed'),
  mailbox: mailboxSchema.optional(),
})

/** The user's own mailbox. It is only used for their own questions. */
export const mailbox: Resource = async (routes, { app: { mailboxes, people } }) => {
  const attempts = new AttemptLimit(people.loginRateLimit, 'mailbox')
  const mailboxView = async (owner: Owner) => ({ servers: mailboxes.servers, mailbox: await mailboxes.describe(owner) })
  routes.get(
    '/mailbox',
    {
      access: 'read',
      summary: 'The caller’s own mailbox without its password, and the allowed servers',
      response: mailboxViewSchema,
    },
    async ({ caller }) => mailboxView(caller.userId),
  )
  routes.put(
    '/mailbox',
    {
      access: 'manage',
      summary: 'Set the mailbox after a successful login; user and password are stored encrypted',
      body: z.strictObject({ ...fields, password: z.string().min(1).max(1_000) }),
      response: mailboxViewSchema,
    },
    async ({ caller: { userId }, body: { smtp, ...entered } }) => {
      // Rate limit: the login must not be used to guess passwords of mailboxes.
      await attempts.count(userId)
      await mailboxes.set(userId, { ...entered, ...omitUndefined({ smtp }) })
      return mailboxView(userId)
    },
  )
  routes.delete(
    '/mailbox',
    { access: 'manage', summary: 'Remove the mailbox with its password; the mails are not touched' },
    async ({ caller }) => mailboxes.remove(caller.userId),
  )
}
