import { spawn } from 'node:child_process'
import { ManagedProcess } from './managed-process.ts'
import { processProgram } from './program.ts'
import type { Reply, Request, Runner, RunnerEvents } from './runner.ts'

export interface ChildOptions {
  /** Flags of Node.js. */
  readonly flags?: readonly string[]
  /** Its whole environment; default: empty. */
  readonly env?: NodeJS.ProcessEnv
  /** `advanced` for binary values between programs that trust each other; default `json`. */
  readonly serialization?: 'advanced'
}

/** Starts a program in its own process. @param source address of its `.ts` file */
export function startChild(source: URL, on: RunnerEvents, options: ChildOptions = {}): Runner {
  const { flags = [], env = {}, serialization = 'json' } = options
  const child = spawn(process.execPath, [...flags, ...processProgram(source)], {
    env,
    serialization,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  })
  const managedChild = new ManagedProcess(child)
  child.on('message', (reply) => on.onReply(reply as Reply))
  // Without its channel the process is useless.
  child.on('error', () => void managedChild.kill())
  void managedChild.closed.then(() =>
    on.onEnd({
      kind: managedChild.error === undefined ? 'ended' : 'unusable',
      how: managedChild.how,
      stderr: managedChild.stderr,
    }),
  )
  // If sending fails, the process has ended, and its end settles every call.
  const send = (request: Request): void => void (child.connected && child.send(request, () => undefined))
  return {
    send,
    setRef: (isNeeded) => managedChild.setRef(isNeeded),
    kill: () => managedChild.kill(),
    end: () => send({ id: -1, value: null }),
  }
}
