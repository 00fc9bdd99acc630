import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { TuttiError } from '../domain/errors.ts'

/**
 * The ID of a new object. With the header `Idempotency-Key` it is the same for each repetition by the same caller at
 * the same address, in every process and after a restart, so the object is found if it exists already. Keys of other
 * users lead to other IDs, and so do other API keys of the same user: they may have other scopes.
 * @throws TuttiError `InvalidRequest` for a key of more than 200 characters, and for several keys
 */
export function newId(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (key === undefined) return randomUUID()
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
