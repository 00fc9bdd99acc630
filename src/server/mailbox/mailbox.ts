import { z } from 'zod'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import type { Owner } from '../../domain/owner.ts'
import type { Resource } from '../context.ts'
import { iso, moment } from '../schemas.ts'
import { Guesses } from '../session/attempts.ts'

const place = z.string().trim().min(1).max(300)
const fields = {
  address: z
    .string()
    .trim()
    .min(3)
    .max(320)
    .describe('What mails are sent from: `Name <address>` or the address alone'),
  imap: place.describe('`host` or `host:port`'),
  smtp: place.optional().describe('`host` or `host:port`; without it mails are read and drafted, not sent'),
  user: z.string().min(1).max(320),
}
const mailboxSchema = z.object({ ...fields, changedAt: moment }).meta({ id: 'Mailbox' })
const shownSchema = z.object({
  servers: z.array(z.string()).readonly().describe('Those that an admin lets people name'),
  mailbox: mailboxSchema.optional(),
})

const read = { access: { role: 'viewer', scope: 'read' } } as const
/** A key that leads to somebody's mails is as good as their account. */
const write = { access: { role: 'member', scope: 'admin' } } as const
const tags = ['mailbox']

/** The mailbox that somebody has of their own: their questions alone are answered from it. */
export const mailbox: Resource = async (server, { app: { mailboxes, people }, clock }) => {
  const attempts = new Guesses(clock, people.tries, 'mailbox')
  const shown = async (owner: Owner): Promise<z.infer<typeof shownSchema>> => {
    const found = await mailboxes.shown(owner)
    const about = found === undefined ? undefined : { ...found, changedAt: iso(found.changedAt) }
    return { servers: mailboxes.servers, ...omitUndefined({ mailbox: about }) }
  }
  server.get(
    '/mailbox',
    {
      config: read,
      schema: {
        tags,
        summary: 'The caller’s own mailbox without its password, and where one may be',
        response: { 200: shownSchema },
      },
    },
    async ({ caller }) => shown(caller.userId),
  )
  server.put(
    '/mailbox',
    {
      config: write,
      schema: {
        tags,
        summary: 'Use this mailbox from now on, once its servers let the caller in; user and password are kept sealed',
        body: z.strictObject({ ...fields, password: z.string().min(1).max(1_000) }),
        response: { 200: shownSchema },
      },
    },
    async ({ caller: { userId }, body: { smtp, ...entered } }) => {
      // Whoever guesses passwords of others does not do it from here.
      await attempts.count(userId)
      await mailboxes.set(userId, { ...entered, ...omitUndefined({ smtp }) })
      return shown(userId)
    },
  )
  server.delete(
    '/mailbox',
    {
      config: write,
      schema: {
        tags,
        summary: 'Erase it with its password; the mails stay where they are',
        response: { 204: z.null() },
      },
    },
    async ({ caller }, reply) => {
      await mailboxes.remove(caller.userId)
      return reply.code(204).send(null)
    },
  )
}
