import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TuttiError } from '../core/errors.ts'
import type { SqliteReply, SqliteRequest } from './sqlite-messages.ts'

/** For JavaScript values; SQLite's own memory is limited inside the process. */
const HEAP_MB = 256
const STDERR_KEPT = 20_000

/**
 * Holds the process that reads one SQLite file. Starts it on first use and again after it was killed or died; lets the
 * program end while nothing is asked of it.
 */
export class SqliteChild {
  readonly #path: string
  #process: ChildProcess | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** @throws TuttiError what the process reports, or `QueryError` when it dies */
  ask(request: SqliteRequest): Promise<unknown> {
    const child = (this.#process ??= this.#start())
    child.ref()
    child.channel?.ref()
    return new Promise((resolve, reject) => {
      let stderr = ''
      const keep = (chunk: Buffer): void => void (stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT))
      const settle = (finish: () => void): void => {
        child.stderr?.off('data', keep)
        child.off('message', onMessage).off('close', onClose).off('error', onError)
        child.unref()
        child.channel?.unref()
        finish()
      }
      const onMessage = (reply: SqliteReply): void =>
        settle(() => (reply.ok ? resolve(reply.value) : reject(new TuttiError(reply.code, reply.message))))
      const onClose = (): void => settle(() => reject(died(stderr)))
      const onError = (error: Error): void => {
        this.kill()
        settle(() =>
          reject(new TuttiError('QueryError', `The SQLite process cannot be used: ${error.message}`, { cause: error })),
        )
      }
      child.stderr?.on('data', keep)
      child.on('message', onMessage).on('close', onClose).on('error', onError)
      child.send(request, (error) => error !== null && onError(error))
    })
  }

  /** Ends the process at once, whatever it is doing. */
  kill(): void {
    this.#process?.kill('SIGKILL')
    this.#process = undefined
  }

  /** Kills the process and waits until it is gone. */
  async stop(): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.ref()
    this.kill()
    await gone
  }

  #start(): ChildProcess {
    const script = new URL(
      import.meta.url.endsWith('.ts') ? './sqlite-process.ts' : './sqlite-process.js',
      import.meta.url,
    )
    const { TMPDIR } = process.env
    const child = fork(fileURLToPath(script), [this.#path], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', ...typescriptLoader(script)],
      // Nothing of the parent's secrets; the folder for temporary files alone.
      env: TMPDIR === undefined ? {} : { TMPDIR },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.once('close', () => {
      if (this.#process === child) this.#process = undefined
    })
    // The pipe alone must not keep the program alive either; it is a socket, which the types leave open.
    if (child.stderr !== null && 'unref' in child.stderr && typeof child.stderr.unref === 'function')
      child.stderr.unref()
    return child
  }
}

/** From sources (development, tests) the process needs tsx; the built package does not. */
function typescriptLoader(script: URL): string[] {
  if (!script.pathname.endsWith('.ts')) return []
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
}

function died(stderr: string): TuttiError {
  // libsql aborts the process on text that is not UTF-8, and V8 on a full heap.
  const reason = stderr.includes('Utf8Error')
    ? 'a text in the result is not valid UTF-8; select hex(column) in its place'
    : stderr.includes('heap out of memory')
      ? 'the result needs too much memory; select fewer or shorter columns, or fewer rows'
      : 'it ended unexpectedly'
  return new TuttiError('QueryError', `The SQLite process was lost: ${reason}.`)
}
