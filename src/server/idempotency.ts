import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { TuttiError } from '../core/errors.ts'

/**
 * The id for what a request makes. With the header `Idempotency-Key` it is the same for each repetition by the same caller at the
 * same address, in whichever process and after whatever restart: what it names is there already then. Nobody else's key
 * leads to it.
 * @throws TuttiError `InvalidRequest` for a key of more than 200 characters
 */
export function newId(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (key === undefined) return randomUUID()
  if (typeof key !== 'string' || key === '' || key.length > 200) {
    throw new TuttiError('InvalidRequest', 'An Idempotency-Key has 1 to 200 characters.')
  }
  return idFrom([request.caller.userId, request.method, request.url.split('?', 1)[0], key])
}

/** The same id for the same parts, in whichever process. */
export function idFrom(parts: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hash)!
  return groups.join('-')
}
