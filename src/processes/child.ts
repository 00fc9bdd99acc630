import { spawn } from 'node:child_process'
import { HeldProcess } from './held-process.ts'
import { processProgram } from './program.ts'
import type { Reply, Request, Runner, RunnerEvents } from './runner.ts'

export interface ChildOptions {
  /** Of Node. */
  readonly flags?: readonly string[]
  /** All of its environment; none when absent. */
  readonly env?: NodeJS.ProcessEnv
  /** `advanced` for binary values, between programs that trust each other; `json` when absent. */
  readonly serialization?: 'advanced'
}

/**
 * Starts a program in a process of its own.
 * @param source address of its `.ts` file
 */
export function startChild(source: URL, on: RunnerEvents, options: ChildOptions = {}): Runner {
  const { flags = [], env = {}, serialization = 'json' } = options
  const child = spawn(process.execPath, [...flags, ...processProgram(source)], {
    env,
    serialization,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  })
  const held = new HeldProcess(child)
  child.on('message', (reply) => on.onReply(reply as Reply))
  // With its channel gone it can be of no use any more.
  child.on('error', () => void held.kill())
  void held.closed.then(() =>
    on.onEnd({ kind: held.error === undefined ? 'ended' : 'unusable', how: held.how, stderr: held.stderr }),
  )
  // A failed send shows as the end of the process, which settles every call.
  const send = (request: Request): void => void (child.connected && child.send(request, () => undefined))
  return {
    send,
    setRef: (isNeeded) => held.setRef(isNeeded),
    kill: () => held.kill(),
    end: () => send({ id: -1, value: null }),
  }
}
