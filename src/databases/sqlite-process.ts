import { setImmediate } from 'node:timers/promises'
import { TuttiError } from '../domain/errors.ts'
import { serveCalls } from '../processes/serve.ts'
import { dieWithParent } from '../processes/end-with-parent.ts'
import type { QueryOutput } from './database.ts'
import type { TableSchema } from './schema.ts'
import { assertOneQuery, querySqlite, schemaVersion, withSqlite } from './sqlite-query.ts'
import { readSqliteSchema } from './sqlite-schema.ts'
import { BlockedQuery, SqliteAnalysis } from './sql-guard/server-analysis/sqlite-analysis.ts'

/** A request to the process that reads a SQLite file; requests run one at a time. */
export type SqliteRequest =
  | {
      readonly kind: 'query'
      readonly sql: string
      readonly maxRows: number
      /**
       * First asks SQLite what the query uses, and checks it against the allowed tables; if absent, all are allowed.
       */
      readonly check: false | { readonly tables?: readonly string[] }
    }
  | { readonly kind: 'schema' }

/** Program of the process; its first message is the path of the file. */
serveCalls(async (path: string) => {
  const word = new SqliteAnalysis()
  await dieWithParent()
  return async (request: SqliteRequest) => {
    try {
      return answer(path, word, request)
    } catch (error) {
      throw refusal(path, error)
    } finally {
      // An unfinished statement holds a shared lock until it is garbage-collected, and would block writers.
      globalThis.gc?.()
      await setImmediate()
    }
  }
})

function answer(path: string, word: SqliteAnalysis, request: SqliteRequest): QueryOutput | TableSchema[] {
  return withSqlite(path, (database) => {
    if (request.kind === 'schema') return readSqliteSchema(database)
    const { sql, maxRows, check } = request
    assertOneQuery(sql)
    if (check !== false) {
      word.check(sql, schemaVersion(database), () => readSqliteSchema(database), check.tables)
    }
    return querySqlite(database, sql, maxRows)
  })
}

function refusal(path: string, error: unknown): TuttiError {
  const { code, message } = error as { code?: unknown; message: string }
  if (error instanceof BlockedQuery) return new TuttiError('QueryBlocked', message)
  if (code === 'SQLITE_NOTADB') {
    return new TuttiError('ConfigurationError', `${path} is not an SQLite database, or it is encrypted.`)
  }
  if (code === 'SQLITE_CORRUPT') return new TuttiError('ConfigurationError', `${path} is damaged: ${message}.`)
  if (code === 'SQLITE_CANTOPEN' || message.startsWith('ConnectionFailed')) {
    return new TuttiError('ConfigurationError', `The SQLite database ${path} cannot be opened: ${message}`)
  }
  return new TuttiError('QueryError', message)
}
