import type { RunId, Owner } from '../domain/events.ts'
import type { Feedback, FeedbackFilter, FeedbackStore } from '../domain/store.ts'
import { displayText } from './projection.ts'
import { before, fixed, insert, limited, rowRecord, sql, where } from './sql/query.ts'
import type { SqlRunner } from './sql/script.ts'

/** Feedback in the table of that name. */
export class SqlFeedback implements FeedbackStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async give({ owner, reason, correction, ...given }: Feedback): Promise<void> {
    const row = insert('feedback', {
      owner,
      ...given,
      reason: reason && displayText(reason),
      correction: correction && displayText(correction),
    })
    await this.runner.of(
      owner,
      sql`${row} ON CONFLICT (owner, run_id) DO UPDATE SET thumb = excluded.thumb, reason = excluded.reason,
        correction = excluded.correction, given_at = excluded.given_at`,
    )
  }

  async get(owner: Owner, runId: RunId): Promise<Feedback | undefined> {
    const [row] = await this.runner.of(owner, sql`SELECT * FROM feedback ${where({ owner, run_id: runId })}`)
    return row === undefined ? undefined : rowRecord<Feedback>(row)
  }

  async list({ thumb, limit, after }: FeedbackFilter = {}): Promise<readonly Feedback[]> {
    const place = after === undefined ? fixed('') : sql`AND ${before('given_at', after.givenAt, 'run_id', after.runId)}`
    const rows = await this.runner.all(
      sql`SELECT * FROM feedback ${where({ thumb })} ${place} ORDER BY given_at DESC, run_id DESC ${limited(limit)}`,
    )
    return rows.map((row) => rowRecord<Feedback>(row))
  }
}
