import {
  executionsOf,
  type Execution,
  type ExecutionFilter,
  type ExecutionStore,
  type OwnedExecution,
} from '../domain/execution.ts'
import type { Owner } from '../domain/owner.ts'
import type { RunStore } from '../domain/store.ts'
import { restoreValues, extractedHashes } from './large-values.ts'
import { fixed, limited, rowRecord, sql, where, type Query } from './sql/query.ts'
import type { SqlRunner } from './sql/script.ts'
import { readValues } from './stored-events.ts'

/** The audit of agent executions, read from the view `agent_executions`. */
export class SqlExecutions implements ExecutionStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async executions(owner: Owner, filter: ExecutionFilter = {}): Promise<readonly Execution[]> {
    return this.read<Execution>(
      await this.runner.of(owner, sql`SELECT ${COLUMNS} ${executionFilter({ ...filter, owner })}`),
    )
  }

  async everybodys(filter: ExecutionFilter & { readonly owner?: Owner } = {}): Promise<readonly OwnedExecution[]> {
    return this.read<OwnedExecution>(await this.runner.all(sql`SELECT owner, ${COLUMNS} ${executionFilter(filter)}`))
  }

  private read<T extends Execution>(rows: readonly object[]): Promise<readonly T[]> {
    return Promise.all(
      rows.map(async (row) => {
        const execution = rowRecord<T>(row, ['input', 'output'])
        const result = { result: execution.output }
        restoreValues(result, await readValues(this.runner, execution.runId, extractedHashes(result)))
        return execution
      }),
    )
  }
}

const COLUMNS = fixed('run_id, key, actor, status, input, output, error, started_at, ended_at')

function executionFilter({ owner, runId, actor, status, limit }: ExecutionFilter & { readonly owner?: Owner }): Query {
  return sql`FROM agent_executions ${where({ owner, run_id: runId, actor, status })}
    ORDER BY started_at DESC, run_id, seq DESC ${limited(limit)}`
}

/** The same reading of runs that are kept in memory. */
export class RunExecutions implements ExecutionStore {
  private readonly store: RunStore

  constructor(store: RunStore) {
    this.store = store
  }

  async executions(owner: Owner, filter: ExecutionFilter = {}): Promise<readonly Execution[]> {
    const found = await this.everybodys({ ...filter, owner })
    return found.map(({ owner: _owner, ...execution }) => execution)
  }

  async everybodys(filter: ExecutionFilter & { readonly owner?: Owner } = {}): Promise<readonly OwnedExecution[]> {
    const { owner, runId, actor, status, limit } = filter
    const runs = (await this.store.runs(owner === undefined ? {} : { owner })).filter(
      (run) => runId === undefined || run.runId === runId,
    )
    const logs = await Promise.all(
      runs.map(async (run) =>
        executionsOf(await this.store.read(run.runId)).map((execution) => ({ ...execution, owner: run.owner })),
      ),
    )
    const found = logs
      .flatMap((log) => log.toReversed())
      .filter((one) => (actor === undefined || one.actor === actor) && (status === undefined || one.status === status))
      .sort((a, b) => compare(b.startedAt, a.startedAt) || compare(a.runId, b.runId))
    return limit === undefined ? found : found.slice(0, limit)
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
