import type { SqlSource } from '../agents/sql/source.ts'
import type { Database } from '../databases/database.ts'
import { GuardedDatabase, type GuardedDatabaseOptions } from '../databases/guarded-database.ts'
import { withinLimits } from '../databases/limits.ts'
import type { SqlGuard } from '../databases/sql-guard/index.ts'
import { omitUndefined } from '../shared/json.ts'

const TIMEOUT_MS = 60_000

/**
 * A database behind the SQL guard. It stops at its own limits; the caller stops waiting at those of the call. The caller
 * keeps ownership of the database.
 */
export function createSqlSource(database: Database, guard: SqlGuard, options: GuardedDatabaseOptions = {}): SqlSource {
  const guarded = new GuardedDatabase(database, guard, options)
  const limited = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    withinLimits({ timeoutMs: TIMEOUT_MS, signal }, work, () => undefined)
  const { allowedTables } = options
  return {
    name: database.name,
    async schema(signal) {
      const { callable: _, ...shown } = await limited(signal, () => guarded.schema())
      return shown
    },
    check: async (sql, signal) =>
      guard.check(sql, await limited(signal, () => guarded.schema()), omitUndefined({ allowedTables })),
    query: (sql, signal) => limited(signal, () => guarded.query(sql, { signal })),
    protections: (signal) => database.protections(signal),
  }
}
