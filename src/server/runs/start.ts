import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppOf } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { RunId } from '../../domain/events.ts'
import type { Asked } from './schema.ts'
import { digest } from '../../engine/calls/attempt.ts'
import type { ClientMessage } from '../../memory/recall.ts'
import { newId } from '../idempotency.ts'

/**
 * Starts a run, once per `Idempotency-Key`, and sends its ID in the header `X-Run-Id`.
 * @param earlier messages, if the client sends them
 * @throws TuttiError `KeyReused` if another request was sent with the same key
 */
export async function startOnce(
  { runs, start, withDocuments }: AppOf,
  { documents, ...question }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
  earlier?: readonly ClientMessage[],
): Promise<RunId> {
  const runId = newId(request)
  const asked = documents === undefined ? question : await withDocuments(question, documents)
  const key = request.headers['idempotency-key']
  // Hash of the request as sent. It includes the key, which is not stored, so that secrets in the request cannot be
  // guessed from the hash.
  const fingerprint = key === undefined ? undefined : digest([key, asked, earlier])
  const isRepeated = async (): Promise<boolean> => {
    if ((await runs.run(runId)) === undefined) return false
    const [first] = await runs.events(runId)
    if (first?.type === 'run.started' && first.fingerprint === fingerprint) return true
    throw new TuttiError('KeyReused', 'This Idempotency-Key was sent with another request; choose a new one for each.')
  }
  if (key === undefined || !(await isRepeated())) {
    await start(asked, runId, earlier, fingerprint).catch(async (thrown: unknown) => {
      if (!TuttiError.is(thrown, 'RunConflict') || !(await isRepeated())) throw thrown
    })
  }
  reply.header('x-run-id', runId)
  return runId
}
