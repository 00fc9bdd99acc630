import { executionsOf, type Execution, type ExecutionFilter, type ExecutionStore } from '../core/execution.ts'
import type { Owner } from '../core/owner.ts'
import type { RunStore } from '../core/store.ts'
import { putBack, takenOut } from './large-values.ts'
import { limited, recordOf, sql, where } from './sql/query.ts'
import type { SqlRunner } from './sql/script.ts'
import { readValues } from './stored-events.ts'

/** The audit as the view `agent_executions` tells it. */
export class SqlExecutions implements ExecutionStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async executions(owner: Owner, filter: ExecutionFilter = {}): Promise<readonly Execution[]> {
    const { runId, actor, limit } = filter
    const rows = await this.runner.of(
      owner,
      sql`SELECT run_id, key, actor, status, input, output, error, started_at, ended_at FROM agent_executions
        ${where({ owner, run_id: runId, actor })} ORDER BY started_at DESC, run_id, seq DESC ${limited(limit)}`,
    )
    return Promise.all(
      rows.map(async (row) => {
        const execution = recordOf<Execution>(row, ['input', 'output'])
        const result = { result: execution.output }
        putBack(result, await readValues(this.runner, execution.runId, takenOut(result)))
        return execution
      }),
    )
  }
}

/** The same reading of runs that are kept in memory. */
export class RunExecutions implements ExecutionStore {
  private readonly store: RunStore

  constructor(store: RunStore) {
    this.store = store
  }

  async executions(owner: Owner, filter: ExecutionFilter = {}): Promise<readonly Execution[]> {
    const { runId, actor, limit } = filter
    const runs = await this.store.runs({ owner })
    const logs = await Promise.all(
      runs.filter((run) => runId === undefined || run.runId === runId).map((run) => this.store.read(run.runId)),
    )
    const found = logs
      .flatMap((log) => executionsOf(log).toReversed())
      .filter((execution) => actor === undefined || execution.actor === actor)
      .sort((a, b) => compare(b.startedAt, a.startedAt) || compare(a.runId, b.runId))
    return limit === undefined ? found : found.slice(0, limit)
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
