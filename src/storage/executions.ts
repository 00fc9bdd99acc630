import type { Selectable } from 'kysely'
import { executionsOf, type Execution, type ExecutionFilter, type ExecutionStore } from '../core/execution.ts'
import type { Owner } from '../core/owner.ts'
import type { Result } from '../core/result.ts'
import type { RunStore } from '../core/store.ts'
import { putBack, takenOut } from './large-values.ts'
import { compiler, type Tables } from './schema.ts'
import type { SqlRunner } from './sql-runner.ts'

type ExecutionRow = Selectable<Tables['agent_executions']>

/** The audit as the view `agent_executions` tells it. */
export class SqlExecutions implements ExecutionStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async executions(owner: Owner, filter: ExecutionFilter = {}): Promise<readonly Execution[]> {
    const { runId, actor, limit } = filter
    let query = compiler(this.runner.dialect)
      .selectFrom('agent_executions')
      .selectAll()
      .where('owner', '=', owner)
      .orderBy('started_at', 'desc')
      .orderBy('run_id')
      .orderBy('seq', 'desc')
    if (runId !== undefined) query = query.where('run_id', '=', runId)
    if (actor !== undefined) query = query.where('actor', '=', actor)
    if (limit !== undefined) query = query.limit(limit)
    const rows = await this.runner.all<ExecutionRow>(query.compile())
    return Promise.all(rows.map((row) => this.toExecution(row)))
  }

  private async toExecution(row: ExecutionRow): Promise<Execution> {
    const { run_id: runId, key, actor, status, input, output, error, ...times } = row
    const result = output === null ? undefined : (JSON.parse(output) as Result)
    const values = await this.runner.values(runId, takenOut({ result }))
    putBack({ result }, new Map(values.map(({ hash, data }) => [hash, data])))
    return {
      runId,
      key,
      actor,
      status,
      ...(input === null ? {} : { input: JSON.parse(input) as NonNullable<Execution['input']> }),
      ...(result === undefined ? {} : { output: result }),
      ...(error === null ? {} : { error }),
      startedAt: times.started_at,
      ...(times.ended_at === null ? {} : { endedAt: times.ended_at }),
    }
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
