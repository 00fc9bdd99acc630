import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { hashToken } from '../../accounts/tokens.ts'
import { isSigned } from '../../schedules/signature.ts'
import { assertOne, idFrom } from '../idempotency.ts'
import type { Resource } from '../context.ts'
import { id } from '../schemas.ts'
import { Attempts } from '../session/attempts.ts'

const MOST_BODY = 65_536
const NO_TEXT = 'The body is no text in UTF-8; send it in UTF-8, and sign those bytes.'
/** By which senders say that they send the same again. */
const DELIVERY = ['Webhook-Id', 'Idempotency-Key', 'X-GitHub-Delivery'] as const

/** Where programs call: whatever they send is taken as it is, and is nobody's word. */
export const hooks: Resource = async (server, { app, clock }) => {
  const attempts = new Attempts(clock)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BODY }, (_request, body: Buffer, done) =>
    // Said to everybody, before any secret is looked at: read as text it would be another one than was signed.
    isUtf8(body) ? done(null, body.toString()) : done(new TuttiError('InvalidRequest', NO_TEXT)),
  )
  server.post(
    '/hooks/:hookId',
    {
      config: { access: 'public', hasOwnSecret: true },
      schema: {
        tags: ['schedules'],
        summary:
          'Start the run of a hook, with its secret as "Authorization: Bearer …" or signed with it; once for each Webhook-Id',
        params: z.object({ hookId: id }),
        response: { 202: z.object({ runId: z.string() }) },
      },
    },
    async (request, reply) => {
      const { headers, ip, params } = request
      const body = typeof request.body === 'string' ? request.body : ''
      const called = await app.schedules.called(params.hookId)
      const token = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
      const mayCall =
        called?.hash === undefined
          ? called?.secret !== undefined && isSigned(called.secret, headers, clock.now(), body)
          : token !== undefined && hashToken(token) === called.hash
      if (called === undefined || !mayCall) {
        attempts.count(ip)
        // The same for one that there is not: nobody learns which there are.
        throw new TuttiError('NotFound', 'There is no such hook, or this is not its secret or signature.')
      }
      for (const name of DELIVERY) assertOne(request, name)
      const { scheduleId, owner } = called.schedule
      attempts.count(scheduleId)
      // The caller is told now: what is taken and then not asked would look as though it had been.
      const refused = await app.schedules.refusal(owner)
      if (refused !== undefined) throw new TuttiError('NotAllowed', `Nothing was started. ${refused}`)
      const delivery = DELIVERY.flatMap((name) => headers[name.toLowerCase()] ?? [])[0] ?? randomUUID()
      const runId = idFrom(['hook', scheduleId, delivery])
      await app.schedules.fire(owner, scheduleId, runId, body)
      return reply.code(202).send({ runId })
    },
  )
}
