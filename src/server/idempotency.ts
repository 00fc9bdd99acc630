import { createHash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { Server, ServerParts } from './context.ts'
import { toProblem } from './problems.ts'
import { sendProblem } from './protocols/openai/errors.ts'

const GONE = 'This was done, and what it made is gone since; send it with a new Idempotency-Key to make another.'
const LONG = 'This was done, and is not done again; its answer was too large to be kept. Look up what came of it.'

/**
 * The id for what a request makes. With the header `Idempotency-Key` it is the same for each repetition by the same caller at the
 * same address, in whichever process and after whatever restart: what it names is there already then. Nobody else's key
 * leads to it, nor does an API key to what was made with another, or by its person: it may have other scopes.
 * @throws TuttiError `InvalidRequest` for a key of more than 200 characters, and for two
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

/** Node.js makes one header of several. @throws TuttiError `InvalidRequest` where there is more than one */
export function assertOne({ raw }: Pick<FastifyRequest, 'raw'>, header: string): void {
  const names = raw.rawHeaders.filter((_, i) => i % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === header.toLowerCase()).length > 1)
    throw new TuttiError('InvalidRequest', `A request has one ${header}; send one.`)
}

/** The same id for the same parts, in whichever process. */
export function idFrom(parts: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hash)!
  return groups.join('-')
}

/** Gives requests that are sent twice with one `Idempotency-Key` the answer of the first, and does their work once. */
export function keepAnswers(server: Server, parts: ServerParts): void {
  server.decorateRequest('claim', undefined)
  server.addHook('preHandler', async (request, reply) => {
    const { access, repeated = 'kept' } = request.routeOptions.config
    if (request.method !== 'POST' || access === 'public' || access === undefined || repeated !== 'kept') return
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
    const kept = isDone ? claim.keep(answer as { status: number; body: string }) : claim.release()
    // What was done is done: that it cannot be told again is for the operator.
    await kept.catch((thrown: unknown) => parts.onTrouble(toTuttiError(thrown)))
    return payload
  })
}

/**
 * Answers a request that was sent before with the same `Idempotency-Key`, and is true then; else its answer will be kept, where
 * it has a key. What was made and is gone since, and what was answered at too great a length, is said.
 * @param asked all of the request that matters, beside its address
 * @throws TuttiError `KeyReused`, `LimitReached`; `InvalidRequest` for a key that is none
 */
export async function answerOnce(
  { app, closing }: Pick<ServerParts, 'app' | 'closing'>,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: () => unknown,
): Promise<boolean> {
  const id = keyedId(request)
  if (id === undefined) return false
  const whole = JSON.stringify([request.query, await asked()])
  const begun = await app.people.answers.begin(request.caller.userId, id, whole, closing)
  if ('claim' in begun) request.claim = begun.claim
  // The same request may have been waited for.
  await request.admit()
  if ('claim' in begun) return false
  const { status, type, body } = begun.answer
  const told = (code: number, error: TuttiError): true => {
    sendProblem(reply, toProblem(error, request.id, code))
    return true
  }
  const { stands } = request.routeOptions.config
  reply.header('idempotent-replayed', 'true')
  if (body === undefined) return told(409, new TuttiError('TooLarge', LONG))
  const isGone = (thrown: unknown): false => {
    if (['NotFound', 'RunNotFound'].includes(toTuttiError(thrown).code)) return false
    throw thrown
  }
  if (stands !== undefined && !(await stands(request, JSON.parse(body) as never).catch(isGone)))
    return told(410, new TuttiError('NotFound', GONE))
  reply.code(status)
  if (type !== undefined) reply.type(type)
  reply.serializer(String).send(body)
  return true
}
