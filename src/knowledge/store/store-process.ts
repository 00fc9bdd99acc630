import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TuttiError } from '../../core/errors.ts'
import type { StoreMethod, StorePlace, StoreReply, StoreRequest } from './messages.ts'

/** What PostgreSQL's client and TLS read; nothing else of the parent's environment is any business of the store. */
const VARIABLES = /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i

interface Live {
  readonly child: ChildProcess
  readonly waiting: Map<number, Waiting>
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Holds the process that works on a store. Starts it on the first call and again when it died; lets the program end
 * while nothing is asked of it.
 */
export class StoreProcess {
  readonly #place: StorePlace
  readonly #running = new Set<Promise<unknown>>()
  #live: Live | undefined
  #calls = 0
  #isClosed = false

  constructor(place: StorePlace) {
    this.#place = place
  }

  /** @throws TuttiError what the store reports, or `StorageError` when its process dies */
  call(method: StoreMethod, values: readonly unknown[]): Promise<unknown> {
    if (this.#isClosed) {
      return Promise.reject(new TuttiError('Internal', 'The knowledge store is closed; open it again.'))
    }
    const { child, waiting } = (this.#live ??= this.#start())
    const id = ++this.#calls
    const answer = new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      keepAlive(child, true)
      send(child, { kind: 'call', id, method, values })
    })
    const forget = (): void => void this.#running.delete(answer)
    this.#running.add(answer)
    answer.then(forget, forget)
    return answer
  }

  /** Waits for what was called, then ends the process. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    const live = this.#live
    if (live === undefined) return
    const gone = new Promise<void>((resolve) => live.child.once('close', () => resolve()))
    if (live.child.exitCode !== null || live.child.signalCode !== null) return
    keepAlive(live.child, true)
    send(live.child, { kind: 'close' })
    await gone
  }

  #start(): Live {
    const script = new URL(import.meta.url.endsWith('.ts') ? './store-worker.ts' : './store-worker.js', import.meta.url)
    const child = fork(fileURLToPath(script), {
      execArgv: typescriptLoader(script),
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => VARIABLES.test(name))),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const waiting = new Map<number, Waiting>()
    const live = { child, waiting }
    const onEnd = (why: string): void => {
      if (this.#live === live) this.#live = undefined
      for (const { reject } of waiting.values()) reject(lost(why))
      waiting.clear()
    }
    child.on('message', (reply: StoreReply) => {
      const call = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) keepAlive(child, this.#isClosed)
      if (reply.ok) call?.resolve(reply.value)
      else call?.reject(TuttiError.fromInfo(reply.error))
    })
    child.once('close', (code, signal) => onEnd(signal ?? `exit code ${code}`))
    child.once('error', (error) => onEnd(error.message))
    send(child, { kind: 'open', place: this.#place })
    return live
  }
}

/** A failed send shows as the end of the process, which settles every call. */
function send(child: ChildProcess, request: StoreRequest): void {
  child.send(request, () => undefined)
}

function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  if (isNeeded) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

/** From sources (development, tests) the process needs tsx; the built package does not. */
function typescriptLoader(script: URL): string[] {
  if (!script.pathname.endsWith('.ts')) return []
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
}

function lost(why: string): TuttiError {
  return new TuttiError('StorageError', `The process of the knowledge store ended (${why}); try again.`, {
    retryable: true,
  })
}
