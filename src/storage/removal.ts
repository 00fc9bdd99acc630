import { sql } from 'kysely'
import type { RunId } from '../core/events.ts'
import type { Owner } from '../core/owner.ts'
import { isFinal } from '../core/store.ts'
import type { RunRow } from './rows.ts'
import { compiler, type Dialect } from './schema.ts'
import { rowsOf, type Script } from './sql-runner.ts'

/**
 * Erases a run of the owner, its nested runs and all their rows; nothing while one of them is not over. A run that is
 * over stays so, hence what is read first still holds when it is erased. Gives how many runs were erased.
 */
export function* removal(dialect: Dialect, owner: Owner, runId: RunId): Script<number> {
  const db = compiler(dialect)
  const family = sql`WITH RECURSIVE family (run_id, status) AS (
    SELECT run_id, status FROM runs WHERE run_id = ${runId} AND owner = ${owner}
    UNION ALL SELECT r.run_id, r.status FROM runs r JOIN family f ON r.parent_id = f.run_id
  ) SELECT run_id, status FROM family`
  const runs = yield* rowsOf<Pick<RunRow, 'run_id' | 'status'>>(family.compile(db))
  if (runs.length === 0 || !runs.every(({ status }) => isFinal(status))) return 0
  const ids = runs.map((run) => run.run_id)
  const tables = ['events', 'run_values', 'approvals', ...(dialect === 'sqlite' ? (['wakes'] as const) : [])] as const
  for (const table of tables) yield db.deleteFrom(table).where('run_id', 'in', ids).compile()
  yield db.deleteFrom('runs').where('run_id', 'in', ids).compile()
  return ids.length
}
