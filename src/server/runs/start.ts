import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppOf } from '../../app.ts'
import { TuttiError } from '../../core/errors.ts'
import type { RunId } from '../../core/events.ts'
import { requestSchema, type RequestInput, type RunRequest } from '../../core/request.ts'
import { newId } from '../idempotency.ts'

/**
 * Starts a run, once for each `Idempotency-Key`, and names it in the header `X-Run-Id`.
 * @throws TuttiError `InvalidRequest` for a key that another request was sent with
 */
export async function startOnce(
  { runs, start }: AppOf,
  asked: RequestInput,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RunId> {
  const runId = newId(request)
  const isRepeated = async (): Promise<boolean> => {
    if ((await runs.run(runId)) === undefined) return false
    assertSame(asked, (await runs.state(runId)).request)
    return true
  }
  if (request.headers['idempotency-key'] === undefined || !(await isRepeated())) {
    await start(asked, runId).catch(async (thrown: unknown) => {
      if (!TuttiError.is(thrown, 'RunConflict') || !(await isRepeated())) throw thrown
    })
  }
  reply.header('x-run-id', runId)
  return runId
}

/** What was asked is as it was the first time, whatever was added to it since; a secret in it is not compared. */
function assertSame(asked: RequestInput, before: RunRequest): void {
  const { context, ...now } = requestSchema.parse(asked)
  const differs = (one: object, other: object, keys: readonly string[]): boolean =>
    keys.some((key) => !isDeepStrictEqual(Reflect.get(one, key), Reflect.get(other, key)))
  const said = Object.keys(context).filter((key) => !JSON.stringify(before.context[key])?.includes('***'))
  const fields = Object.keys(asked).filter((key) => key in now)
  if (!differs(now, before, fields) && !differs(context, before.context, said)) return
  throw new TuttiError(
    'InvalidRequest',
    'This Idempotency-Key was sent with another request; choose a new one for each.',
  )
}
