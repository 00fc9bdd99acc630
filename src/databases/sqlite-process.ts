import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { SqliteReply, SqliteRequest } from './sqlite-messages.ts'
import { assertOneQuery, querySqlite, schemaVersion, withSqlite } from './sqlite-query.ts'
import { readSqliteSchema } from './sqlite-schema.ts'
import { BlockedQuery, SqliteWord } from './word/sqlite-word.ts'

/**
 * The program of the process that reads one SQLite file, named by its first argument. Calls into SQLite block it, so a
 * query that takes too long is ended by killing the process.
 */
const path = process.argv[2] ?? ''
const word = new SqliteWord()

/** Ends the process when its parent is gone, also in the middle of a query that never ends. */
const WATCHDOG = `
  const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`

const watchdog = new Worker(WATCHDOG, { eval: true, execArgv: [] })
// It cannot come up any more once a query blocks this thread.
await once(watchdog, 'online')
watchdog.unref()
process.once('disconnect', () => process.exit())
process.on('message', async (request: SqliteRequest) => {
  const reply = answer(request)
  // A statement that was not read to its end holds a shared lock until it is collected, and would keep writers out.
  globalThis.gc?.()
  await setImmediate()
  process.send?.(reply)
})

function answer(request: SqliteRequest): SqliteReply {
  try {
    const value = withSqlite(path, (database) => {
      if (request.kind === 'schema') return readSqliteSchema(database)
      const { sql, maxRows, check } = request
      assertOneQuery(sql)
      if (check !== false) {
        word.check(sql, schemaVersion(database), () => readSqliteSchema(database), check.tables)
      }
      return querySqlite(database, sql, maxRows)
    })
    return { ok: true, value }
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (error instanceof BlockedQuery) return { ok: false, code: 'QueryBlocked', message }
    if (code === 'SQLITE_NOTADB') {
      return refused(`${path} is not an SQLite database, or it is encrypted.`)
    }
    if (code === 'SQLITE_CANTOPEN' || message.startsWith('ConnectionFailed')) {
      return refused(`The SQLite database ${path} cannot be opened: ${message}`)
    }
    return { ok: false, code: 'QueryError', message }
  }
}

function refused(message: string): SqliteReply {
  return { ok: false, code: 'ConfigurationError', message }
}
