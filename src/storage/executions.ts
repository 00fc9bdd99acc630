import type { Execution, ExecutionFilter, ExecutionStore, OwnedExecution } from '../domain/store.ts'
import type { Owner } from '../domain/events.ts'
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
