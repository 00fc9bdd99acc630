import { createHash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { Server, ServerParts } from './context.ts'
import { toProblem, sendProblem } from './problems.ts'

const RESULT_DELETED =
  'This request succeeded, but its result was deleted since. Send it with a new Idempotency-Key to repeat it.'
const RESPONSE_TOO_LARGE =
  'This request succeeded and is not repeated. Its response was too large to be stored; look up the result.'

/**
 * The ID of a new object. With the header `Idempotency-Key` it is the same for each repetition by the same caller at
 * the same address, in every process and after a restart, so the object is found if it exists already. Keys of other
 * users lead to other IDs, and so do other API keys of the same user: they may have other scopes.
 * @throws TuttiError `InvalidRequest` for a key of more than 200 characters, and for several keys
 */
export function newId(request: FastifyRequest): string {
  return keyedId(request) ?? randomUUID()
}

function keyedId(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  assertOne(request, 'Idempotency-Key')
  if (typeof key !== 'string' || key === '' || key.length > 200) {
    throw new TuttiError('InvalidRequest', 'An Idempotency-Key has 1 to 200 characters.')
  }
  const { userId, kind, keyId, scopes } = request.caller
  return idFrom([userId, kind, keyId, scopes, request.method, request.url.split('?', 1)[0], key])
}

/** Node.js joins repeated headers. @throws TuttiError `InvalidRequest` if there are several */
export function assertOne({ raw }: Pick<FastifyRequest, 'raw'>, header: string): void {
  const names = raw.rawHeaders.filter((_, i) => i % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === header.toLowerCase()).length > 1)
    throw new TuttiError('InvalidRequest', `A request has one ${header}; send one.`)
}

/** Derives an ID from its parts; the same in every process. */
export function idFrom(parts: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hash)!
  return groups.join('-')
}

/** Stores responses, and sends them again for repeated requests with the same `Idempotency-Key`. */
export function storeResponses(server: Server, parts: ServerParts): void {
  server.decorateRequest('claim', undefined)
  server.addHook('preHandler', async (request, reply) => {
    const { access, idempotency = 'stored' } = request.routeOptions.config
    if (request.method !== 'POST' || access === 'public' || access === undefined || idempotency !== 'stored') return
    if (await answerOnce(parts, request, reply, () => request.body)) return reply
  })
  server.addHook('onSend', async (request, reply, payload) => {
    const { claim } = request
    if (claim === undefined) return payload
    request.claim = undefined
    const isText = payload === null || payload === undefined || typeof payload === 'string'
    const isDone = reply.statusCode >= 200 && reply.statusCode < 300 && isText
    const type = reply.getHeader('content-type')
    const answer = { status: reply.statusCode, ...(typeof type === 'string' ? { type } : {}), body: payload ?? '' }
    const saved = isDone ? claim.keep(answer as { status: number; body: string }) : claim.release()
    // The request itself succeeded. Only the operator needs to know that its response was not stored.
    await saved.catch((thrown: unknown) => parts.onTrouble(toTuttiError(thrown)))
    return payload
  })
}

/**
 * Returns true and sends the stored response if the request was sent before with the same `Idempotency-Key`. Otherwise
 * the response of this request will be stored, if it has a key. Sends an error if the result was deleted since, or the
 * response was too large to be stored.
 * @param identify everything that identifies the request, besides its address
 * @throws TuttiError `KeyReused`, `LimitReached`; `InvalidRequest` for a key that is not valid
 */
export async function answerOnce(
  { app, closing }: Pick<ServerParts, 'app' | 'closing'>,
  request: FastifyRequest,
  reply: FastifyReply,
  identify: () => unknown,
): Promise<boolean> {
  const id = keyedId(request)
  if (id === undefined) return false
  const identity = JSON.stringify([request.query, await identify()])
  const started = await app.people.idempotency.begin(request.caller.userId, id, identity, closing)
  if ('claim' in started) request.claim = started.claim
  // The caller may have lost the permission while waiting for the first request.
  await request.admit()
  if ('claim' in started) return false
  const { status, type, body } = started.answer
  const sendError = (code: number, error: TuttiError): true => {
    sendProblem(reply, toProblem(error, request.id, code))
    return true
  }
  const { resultExists } = request.routeOptions.config
  reply.header('idempotent-replayed', 'true')
  if (body === undefined) return sendError(409, new TuttiError('TooLarge', RESPONSE_TOO_LARGE))
  const isGone = (thrown: unknown): false => {
    if (['NotFound', 'RunNotFound'].includes(toTuttiError(thrown).code)) return false
    throw thrown
  }
  if (resultExists !== undefined && !(await resultExists(request, JSON.parse(body) as never).catch(isGone)))
    return sendError(410, new TuttiError('NotFound', RESULT_DELETED))
  reply.code(status)
  if (type !== undefined) reply.type(type)
  reply.serializer(String).send(body)
  return true
}
