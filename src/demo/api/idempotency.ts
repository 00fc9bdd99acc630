import { createHash } from 'node:crypto'
import type { Books } from './books.ts'
import { Problem } from './problem.ts'

export interface Reply {
  readonly status: number
  /** JSON. */
  readonly body: string
}

/**
 * Performs a change once per key. A key that was used before returns the stored reply. Failed requests are not stored,
 * so that they can be retried.
 * @param request the request as text; a key is valid for one request only
 * @throws Problem 422 if the key was used for another request
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export function performOnce(books: Books, key: string | undefined, request: string, action: () => Reply): Reply {
  return books.transaction(() => {
    if (key === undefined) return action()
    const digest = createHash('sha256').update(request).digest('hex')
    const [earlier] = books.rows('SELECT request, status, body FROM main.replies WHERE idempotency_key = ?', [key])
    if (earlier !== undefined) {
      if (earlier['request'] === digest) return { status: Number(earlier['status']), body: String(earlier['body']) }
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request; take a new one.',
        {
          parameter: 'Idempotency-Key',
        },
      )
    }
    const reply = action()
    const insert = 'INSERT INTO main.replies (idempotency_key, request, status, body) VALUES (?, ?, ?, ?)'
    books.rows(insert, [key, digest, reply.status, reply.body])
    return reply
  })
}
