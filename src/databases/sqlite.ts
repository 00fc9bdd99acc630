import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { type ErrorCode, TuttiError } from '../domain/errors.ts'
import { startChild } from '../processes/child.ts'
import { Helper } from '../processes/helper.ts'
import type { End } from '../processes/runner.ts'
import type { Database, DatabaseOptions, Protections, QueryOptions, QueryOutput } from './database.ts'
import { assertRunnable, queryLimits, type QueryLimits, withinLimits } from './limits.ts'
import type { DatabaseSchema, TableSchema } from './schema.ts'
import type { SqliteRequest } from './sqlite-process.ts'

/** For JavaScript values; SQLite's own memory is limited inside the process. */
const HEAP_MB = 256

/** A SQLite file, read through a read-only handle by a separate process that can be killed. */
export class SqliteDatabase implements Database {
  readonly name: string
  readonly dialect = 'sqlite'
  readonly #path: string
  readonly #process: Helper
  readonly #check: false | { readonly tables?: readonly string[] }
  /** Settles when all queries so far have; the process does one at a time. */
  #queue: Promise<void> = Promise.resolve()

  constructor(path: string, { name = basename(path, extname(path)), tables, serverCheck = true }: DatabaseOptions) {
    this.#path = path
    this.name = name
    this.#check = serverCheck && (tables === undefined ? {} : { tables })
    this.#process = processOn(path)
  }

  async schema(signal?: AbortSignal): Promise<DatabaseSchema> {
    const limits = queryLimits(signal === undefined ? {} : { signal })
    const tables = await this.#run<TableSchema[]>({ kind: 'schema' }, limits)
    return { name: this.name, dialect: this.dialect, tables }
  }

  async query(sql: string, options?: QueryOptions): Promise<QueryOutput> {
    assertRunnable(sql)
    const limits = queryLimits(options)
    return this.#run<QueryOutput>({ kind: 'query', sql, maxRows: limits.maxRows, check: this.#check }, limits)
  }

  async protections(): Promise<Protections> {
    const isOn = this.#check !== false
    return {
      standing: [
        'SQL guard',
        ...(isOn ? ["SQLite's analysis"] : []),
        'read-only file handle',
        'isolated process',
        'limits',
      ],
      weak: isOn ? [] : ["SQLite's analysis is off (serverCheck: false)"],
      advice: [],
    }
  }

  async close(): Promise<void> {
    await this.#process.kill()
  }

  async #run<T>(request: SqliteRequest, limits: QueryLimits): Promise<T> {
    assertReadableFile(this.#path)
    let state: 'queued' | 'running' | 'over' = 'queued'
    const work = async (): Promise<T> => {
      if (state === 'over') throw new TuttiError('Cancelled', 'The query was cancelled before it started.')
      state = 'running'
      try {
        return await this.#process.call<T>(request)
      } finally {
        state = 'over'
      }
    }
    const runNext = (): Promise<T> => {
      const result = this.#queue.then(work)
      this.#queue = settled(result)
      return result
    }
    return withinLimits(limits, runNext, () => {
      if (state === 'running') void this.#process.kill()
      state = 'over'
    })
  }
}

/** The process that reads the file. A query that takes too long blocks it, and is ended by killing it. */
function processOn(path: string): Helper {
  const { TMPDIR } = process.env
  return new Helper({
    name: 'The SQLite process',
    order: path,
    lost,
    start: (on) =>
      startChild(new URL('./sqlite-process.ts', import.meta.url), on, {
        flags: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'],
        // Nothing of the parent's secrets; the folder for temporary files alone.
        env: TMPDIR === undefined ? {} : { TMPDIR },
      }),
  })
}

function lost({ kind, how, stderr }: End): TuttiError {
  if (kind === 'unusable') return new TuttiError('QueryError', `The SQLite process cannot be used: ${how}`)
  // libsql aborts the process on text that is not UTF-8, and V8 on a full heap.
  const reason = stderr.includes('Utf8Error')
    ? 'a text in the result is not valid UTF-8; select hex(column) in its place'
    : stderr.includes('heap out of memory')
      ? 'the result needs too much memory; select fewer or shorter columns, or fewer rows'
      : 'it ended unexpectedly'
  return new TuttiError('QueryError', `The SQLite process ended: ${reason}.`)
}

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work])
}

/** @throws TuttiError `SourceNotFound`, or `ConfigurationError` with the problem of the file */
function assertReadableFile(path: string): void {
  const refuse = (reason: string, cause?: unknown, code: ErrorCode = 'ConfigurationError'): never => {
    throw new TuttiError(code, `Cannot open the SQLite database ${path}: ${reason}.`, { cause })
  }
  let stats: Stats
  try {
    stats = statSync(path)
    accessSync(path, constants.R_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return refuse('there is no such file', error, 'SourceNotFound')
    return refuse(`it may not be read (${code ?? String(error)})`, error)
  }
  if (!stats.isFile()) refuse(stats.isDirectory() ? 'it is a directory' : 'it is not a file')
}
