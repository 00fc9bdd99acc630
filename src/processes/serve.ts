import { parentPort } from 'node:worker_threads'
import { errorInfo } from '../domain/errors.ts'
import type { Reply, Request } from './runner.ts'

/** Answers a call; errors are passed to the caller. `part` sends data before the reply. */
export type Answer<Call> = (call: Call, part: (value: unknown) => void) => unknown

/**
 * Runs in the thread or process of a `Helper` and answers its calls until it is ended.
 * @param prepare creates the function that answers calls, from the helper's order
 * @param end cleans up when the helper is closed or its program has exited; processes only
 */
export function serveCalls<Order, Call>(
  prepare: (order: Order) => Answer<Call> | Promise<Answer<Call>>,
  end: () => unknown = () => undefined,
): void {
  let answer: Promise<Answer<Call>>
  const send = (reply: Reply): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (parentPort !== null) parentPort.postMessage(reply)
    else if (process.connected) process.send?.(reply)
  }
  const work = async ({ id, value }: Request): Promise<unknown> => {
    if (id > 0) return (await answer)(value as Call, (part) => send({ id, part }))
    answer = (async () => prepare(value as Order))()
    await answer
    return undefined
  }
  const finish = async (): Promise<void> => {
    await end()
    process.exit()
  }
  const onRequest = async (request: Request): Promise<void> => {
    const { id } = request
    if (id < 0) return finish()
    send(
      await work(request).then(
        (result): Reply => ({ id, value: result }),
        (error): Reply => ({ id, error: errorInfo(error) }),
      ),
    )
  }
  if (parentPort !== null) parentPort.on('message', onRequest)
  else process.on('message', onRequest).once('disconnect', finish)
}
