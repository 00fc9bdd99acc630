import type { Feedback, FeedbackStore } from '../domain/feedback.ts'
import type { Execution, ExecutionFilter, ExecutionStore, OwnedExecution } from '../domain/execution.ts'
import type { Owner, RunId } from '../domain/events.ts'
import { restoreValues, extractedHashes } from './large-values.ts'
import { fixed, limited, rowRecord, sql, where, type Query, type SqlRunner, insert } from './sql/query.ts'
import { readValues } from './stored-events.ts'
import { displayText } from './projection.ts'

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

  async allExecutions(filter: ExecutionFilter & { readonly owner?: Owner } = {}): Promise<readonly OwnedExecution[]> {
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

/** Feedback in the table of that name. */
export class SqlFeedback implements FeedbackStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async give({ owner, reason, ...given }: Feedback): Promise<void> {
    const row = insert('feedback', {
      owner,
      ...given,
      reason: reason && displayText(reason),
    })
    await this.runner.of(
      owner,
      sql`${row} ON CONFLICT (owner, run_id) DO UPDATE SET thumb = excluded.thumb, reason = excluded.reason,
        given_at = excluded.given_at`,
    )
  }

  async get(owner: Owner, runId: RunId): Promise<Feedback | undefined> {
    const [row] = await this.runner.of(owner, sql`SELECT * FROM feedback ${where({ owner, run_id: runId })}`)
    return row === undefined ? undefined : rowRecord<Feedback>(row)
  }
}
