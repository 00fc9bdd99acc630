import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { hashToken } from '../../accounts/account-tokens.ts'
import { isSigned } from '../../schedules/signature.ts'
import { assertOne, idFrom } from '../idempotency.ts'
import type { Resource } from '../context.ts'
import { AttemptLimit } from '../session/attempts.ts'

const MAX_BODY_BYTES = 65_536
const NO_TEXT = 'The body is not valid UTF-8; send it in UTF-8, and sign those bytes.'
/** Headers with which senders mark repetitions. */
const DELIVERY = ['Webhook-Id', 'Idempotency-Key', 'X-GitHub-Delivery'] as const

/** Endpoints that programs call. The payload is accepted as it is, and untrusted. */
export const hooks: Resource = async (routes, { app, clock }) => {
  const attempts = new AttemptLimit(app.people.loginRateLimit, 'hook')
  routes.server.removeAllContentTypeParsers()
  routes.server.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body: Buffer, done) =>
      // Checked before the secret, for every sender: decoded text would differ from the signed bytes.
      isUtf8(body) ? done(null, body.toString()) : done(new TuttiError('InvalidRequest', NO_TEXT)),
  )
  routes.post(
    '/hooks/:hookId',
    {
      access: 'public',
      summary:
        'Start the run of a hook, with its secret as "Authorization: Bearer …" or a signature; once per Webhook-Id',
      hasOwnSecret: true,
      response: { 202: z.object({ runId: z.string() }) },
    },
    async (request) => {
      const { headers, ip, params } = request
      const body = typeof request.body === 'string' ? request.body : ''
      const called = await app.schedules.findHook(params.hookId)
      const token = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
      const mayCall =
        called?.hash === undefined
          ? called?.secret !== undefined && isSigned(called.secret, headers, clock.now(), body)
          : token !== undefined && hashToken(token) === called.hash
      if (called === undefined || !mayCall) {
        await attempts.count(ip)
        // The same message if the hook does not exist, so that hooks cannot be enumerated.
        throw new TuttiError('NotFound', 'There is no such hook, or this is not its secret or signature.')
      }
      for (const name of DELIVERY) assertOne(request, name)
      const { scheduleId, owner } = called.schedule
      await attempts.count(scheduleId)
      // Reject now: an accepted call that never starts a run would look successful.
      const refused = await app.schedules.refusal(owner)
      if (refused !== undefined) throw new TuttiError('NotAllowed', `Nothing was started. ${refused}`)
      const delivery = DELIVERY.flatMap((name) => headers[name.toLowerCase()] ?? [])[0] ?? randomUUID()
      const runId = idFrom(['hook', scheduleId, delivery])
      await app.schedules.fire(owner, scheduleId, runId, body)
      return { runId }
    },
  )
}
