import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { bytes, withMediaTypes } from '../media-types.ts'
import type { Resource } from '../context.ts'
import { AttemptLimit, MAX_PER_MINUTE_KNOWN } from '../session/attempts.ts'
import { cookieOf, SESSION } from '../session/authenticate.ts'

const archive = { 200: withMediaTypes('A .tar.gz', { 'application/gzip': bytes }) }
const proof = z.strictObject({
  password: z.string().min(1).max(1_000).optional().describe('Required if the user has one'),
})

/** Erases users with all their data, and exports it. */
export const erasure: Resource = async (routes, { app }) => {
  const { accounts, signIn, loginRateLimit: tries } = app.people
  const passwordLimit = new AttemptLimit(tries, 'own password', MAX_PER_MINUTE_KNOWN)
  const sendArchive = async (reply: FastifyReply, userId: string) =>
    reply
      .header('content-disposition', 'attachment; filename="tutti-export.tar.gz"')
      .type('application/gzip')
      .send(Readable.from(await app.exportPerson(userId)))
  const assertIdentity = async (request: FastifyRequest, proven: z.infer<typeof proof>): Promise<void> => {
    const { userId } = request.caller
    if ((await accounts.byId(userId)) === undefined) {
      throw new TuttiError('InvalidRequest', 'No accounts exist. All data is in the data folder.')
    }
    await passwordLimit.unlessRight(userId, () =>
      signIn.confirmIdentity(userId, { ...proven, session: cookieOf(request, SESSION) }),
    )
  }

  routes.delete(
    '/people/:userId',
    {
      access: 'admin',
      summary: 'Erase a user with all their data; repeat the request to resume an interrupted erasure',
    },
    async ({ caller, params: { userId } }) => app.erasePerson(caller.userId, userId),
  )
  routes.get(
    '/people/:userId/export',
    { access: 'admin', summary: 'Export all data of a user as an archive (.tar.gz)', response: archive },
    async ({ caller, params: { userId } }, reply) => {
      await app.people.recordAudit({ by: caller.userId, action: 'export person', target: userId })
      return sendArchive(reply, userId)
    },
  )
  routes.post(
    '/session/erase',
    {
      access: 'account',
      summary:
        'Erase one’s own account with all data; requires the password or, without one, a sign-in within the last five minutes',
      body: proof,
    },
    async (request) => {
      const { userId } = request.caller
      await assertIdentity(request, request.body)
      await app.erasePerson(userId, userId)
    },
  )
  routes.post(
    '/session/export',
    {
      access: 'account',
      summary:
        'Export one’s own data as an archive; requires the password or, without one, a sign-in within the last five minutes',
      body: proof,
      response: archive,
    },
    async (request, reply) => {
      await assertIdentity(request, request.body)
      return sendArchive(reply, request.caller.userId)
    },
  )
}
