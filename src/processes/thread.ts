import { Worker } from 'node:worker_threads'
import { threadProgram } from './program.ts'
import type { End, Runner, RunnerEvents } from './runner.ts'

export interface ThreadOptions {
  /** Heap limit for JavaScript values, in MB. */
  readonly heapMb?: number
  /** Its whole environment; default: empty. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a program in a thread, without the flags of this process. @param source address of its `.ts` file */
export function startThread(source: URL, on: RunnerEvents, { heapMb, env = {} }: ThreadOptions = {}): Runner {
  const program = threadProgram(source)
  const worker = new Worker(program.source, {
    eval: program.isText,
    execArgv: [],
    env,
    ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
  })
  let end: End = { kind: 'ended', how: 'it stopped', stderr: '' }
  worker.on('message', (reply) => on.onReply(reply))
  worker.on('messageerror', (error) => {
    end = { ...end, kind: 'unusable', how: error.message }
    void worker.terminate()
  })
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const kind = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'unusable'
    end = { ...end, kind, how: error instanceof Error ? error.message : String(error) }
  })
  worker.once('exit', () => on.onEnd(end))
  const kill = async (): Promise<void> => void (await worker.terminate())
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    send: (request) => worker.postMessage(request),
    setRef: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    kill,
    end: () => void kill(),
  }
}
