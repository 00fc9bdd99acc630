import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { bytes, inForms } from '../forms.ts'
import type { Resource } from '../context.ts'
import { id } from '../schemas.ts'
import { Guesses, KNOWN_PER_MINUTE } from '../session/attempts.ts'
import { cookieOf, SESSION } from '../session/cookies.ts'

const admin = { access: { role: 'admin', scope: 'admin' } } as const
/** Whoever is signed in, for themselves. */
const own = { access: { role: 'viewer', scope: 'admin' } } as const
const tags = ['people']
const params = z.object({ userId: id })
const archive = { 200: inForms('A .tar.gz', { 'application/gzip': bytes }) }
const proof = z.strictObject({
  password: z.string().min(1).max(1_000).optional().describe('Of whoever has one'),
  code: z.string().max(20).optional().describe('Of the authenticator app, where there is a second factor'),
})

/** Erases people with everything that is theirs, and gives them all of it. */
export const erasure: Resource = async (server, { app, clock }) => {
  const { accounts, signIn, tries } = app.people
  const ofOwn = new Guesses(clock, tries, 'own password', KNOWN_PER_MINUTE)
  const send = async (reply: FastifyReply, userId: string) =>
    reply
      .header('content-disposition', 'attachment; filename="tutti-export.tar.gz"')
      .type('application/gzip')
      .send(Readable.from(await app.exportPerson(userId)))
  const prove = async (request: FastifyRequest, proven: z.infer<typeof proof>): Promise<void> => {
    const { userId } = request.caller
    if ((await accounts.byId(userId)) === undefined) {
      throw new TuttiError('InvalidRequest', 'Nobody has an account here; what is kept is in the data folder.')
    }
    await ofOwn.unlessRight(userId, () => signIn.prove(userId, { ...proven, session: cookieOf(request, SESSION) }))
  }

  server.delete(
    '/people/:userId',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Erase somebody with everything that is theirs; asked again, it goes on where it was cut off',
        params,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params: { userId } }, reply) => {
      await app.erasePerson(caller.userId, userId)
      return reply.code(204).send(null)
    },
  )
  server.get(
    '/people/:userId/export',
    {
      config: admin,
      schema: { tags, summary: 'All that is kept of somebody, as an archive (.tar.gz)', params, response: archive },
    },
    async ({ caller, params: { userId } }, reply) => {
      await app.people.note({ by: caller.userId, action: 'export person', target: userId })
      return send(reply, userId)
    },
  )
  server.post(
    '/session/erase',
    {
      config: own,
      schema: {
        tags,
        summary:
          'Erase oneself with everything; asks for the password again, or where there is none, to have signed in within five minutes',
        body: proof,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { userId } = request.caller
      await prove(request, request.body)
      await app.erasePerson(userId, userId)
      return reply.code(204).send(null)
    },
  )
  server.post(
    '/session/export',
    {
      config: { ...own, repeated: 'none' },
      schema: {
        tags,
        summary:
          'All that is kept of oneself, as an archive; asks for the password again, or where there is none, to have signed in within five minutes',
        body: proof,
        response: archive,
      },
    },
    async (request, reply) => {
      await prove(request, request.body)
      return send(reply, request.caller.userId)
    },
  )
}
