import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { TuttiError } from '../../core/errors.ts'
import type { Dialect } from '../schema.ts'

export type ParseOutcome =
  | { readonly kind: 'tree'; readonly tree: unknown }
  | { readonly kind: 'syntax'; readonly message: string }
  /** The parser broke or took too long; it has been thrown away and the next query gets a new one. */
  | { readonly kind: 'crash'; readonly message: string }

export interface ParserWorker {
  parse(sql: string, dialect: Dialect): Promise<ParseOutcome>
  close(): Promise<void>
}

export interface ParserWorkerOptions {
  readonly package: 'libpg-query' | '@guanmingchiu/sqlparser-ts'
  /** Milliseconds a parse may take; loading the parser is not counted. */
  readonly timeoutMs?: number
  /** After this many queries the worker is replaced, so that slow leaks in WebAssembly memory cannot add up. */
  readonly maxUses?: number
}

const START_TIMEOUT_MS = 60_000

/**
 * The worker's program. It is text, so that it runs the same from TypeScript source and from the compiled package; all it
 * needs is the absolute path of the parser. A clean syntax error is told from a fault of the parser: a fault in WebAssembly
 * (a trap, a full stack) leaves its memory in an unknown state.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const parser = require(workerData.path)
const isPostgres = workerData.package === 'libpg-query'
const ready = isPostgres ? parser.loadModule() : parser.init()
const parse = (job) => isPostgres ? parser.parseSync(job.sql) : parser.parse(job.sql, job.dialect)
const isSyntaxError = (error) => isPostgres
  ? error?.sqlDetails !== undefined && !/memory exhausted/.test(error.message)
  : error?.name === 'ParserError' && error.message.startsWith('sql parser error:')
ready.then(() => {
  parentPort.on('message', (job) => {
    try {
      parentPort.postMessage({ kind: 'tree', tree: parse(job) })
    } catch (error) {
      parentPort.postMessage({ kind: isSyntaxError(error) ? 'syntax' : 'crash', message: String(error?.message ?? error) })
    }
  })
  parentPort.postMessage({ kind: 'ready' })
})
`

/**
 * A parser in a thread of its own that is thrown away when it fails, takes too long or has served `maxUses` queries
 * (sqlparser answers every query wrongly after one that was too deep). Queries are parsed one at a time, in order.
 */
export function createParserWorker(options: ParserWorkerOptions): ParserWorker {
  const { timeoutMs = 3000, maxUses = 1000 } = options
  let live: { readonly worker: Worker; uses: number } | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  const discard = async () => {
    const old = live
    live = undefined
    await old?.worker.terminate()
  }

  const run = async (sql: string, dialect: Dialect): Promise<ParseOutcome> => {
    if (closed) throw new TuttiError('Internal', 'The SQL gate is closed; create a new one.')
    live ??= { worker: await startWorker(options.package, () => (live = undefined)), uses: 0 }
    const { worker } = live
    live.uses += 1
    const answer = nextMessage(worker, timeoutMs, 'parsing')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ sql, dialect })
    const outcome = (await answer) as ParseOutcome
    if (outcome.kind === 'crash' || (live?.uses ?? 0) >= maxUses) await discard()
    return outcome
  }

  return {
    parse(sql, dialect) {
      const outcome = last.then(() => run(sql, dialect))
      last = outcome.catch(() => undefined) // the caller gets the error; the queue only waits for the end
      return outcome
    },
    async close() {
      closed = true
      await discard()
      await last // a worker that was still starting
      await discard()
    },
  }
}

async function startWorker(name: ParserWorkerOptions['package'], onDeath: () => void): Promise<Worker> {
  const path = createRequire(import.meta.url).resolve(name)
  // No inherited flags or environment: a TypeScript loader would slow the start, and the parser needs no secrets.
  const worker = new Worker(PROGRAM, { eval: true, workerData: { path, package: name }, execArgv: [], env: {} })
  const first = await nextMessage(worker, START_TIMEOUT_MS, 'loading')
  if (first.kind === 'ready') {
    worker.on('error', onDeath) // an idle worker may die too, of memory for instance
    return worker
  }
  await worker.terminate()
  throw new TuttiError('ConfigurationError', `The SQL parser ${name} did not start: ${first.message}. Reinstall Tutti.`)
}

type Message = { readonly kind: 'ready' } | ParseOutcome

/** The worker's next message; its death or silence comes back as a `crash`. Only a waiting worker keeps the process alive. */
function nextMessage(worker: Worker, timeoutMs: number, doing: string): Promise<Message & { message?: string }> {
  return new Promise((resolve) => {
    const settle = (message: Message) => {
      clearTimeout(timer)
      worker.off('message', settle)
      worker.off('error', onError)
      worker.off('messageerror', onUnreadable)
      worker.off('exit', onExit)
      worker.unref()
      resolve(message)
    }
    const crash = (message: string) => settle({ kind: 'crash', message })
    const onError = (error: unknown) => crash(error instanceof Error ? error.message : String(error))
    const onUnreadable = () => crash('its tree is too deep')
    const onExit = () => crash('the parser stopped')
    const timer = setTimeout(() => crash(`${doing} took longer than ${timeoutMs} ms`), timeoutMs)
    worker.ref()
    worker.on('message', settle)
    worker.on('error', onError)
    worker.on('messageerror', onUnreadable)
    worker.on('exit', onExit)
  })
}
