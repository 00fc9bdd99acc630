import type { NewEvent, RunEvent, RunId } from '../core/events.ts'
import type { Owner } from '../core/owner.ts'
import type {
  Append,
  AppendOutcome,
  ApprovalFilter,
  ApprovalRecord,
  RunFilter,
  RunRecord,
  RunStore,
} from '../core/store.ts'
import type { RunFeed } from '../core/feed.ts'
import { News } from './news.ts'
import { approvalOf, isHeld, startOf } from './projection.ts'
import type { LightEvent } from './large-values.ts'
import { queriesFor } from './queries.ts'
import { removal } from './removal.ts'
import {
  APPROVAL_COLUMNS,
  displayText,
  encodeEvent,
  toApprovalRecord,
  toApprovalRow,
  toRunRecord,
  toRunRow,
  type ApprovalRow,
  type EventRow,
  type RunRow,
} from './rows.ts'
import { sqliteEvents } from './run-values.ts'
import { SqliteFeed } from './sqlite-feed.ts'
import { sqliteRunner } from './sql-runner.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

const RUN_COLUMNS = ['run_id', 'owner', 'question', 'strategy', 'status', 'parent_id', 'epoch', 'created_at'] as const

/** The statements of the hot path, prepared once. */
function prepareAll(connection: SqliteConnection) {
  const insert = (table: string, columns: readonly string[]): string =>
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  const isAt = '(SELECT max(seq) FROM events WHERE run_id = ?1)'
  return {
    start: connection.prepare(`${insert('runs', RUN_COLUMNS)} ON CONFLICT DO NOTHING`),
    /** The first event of an append carries the check: the log is where the appender believes it, and the run is its own. */
    next: connection.prepare(
      `INSERT INTO events (run_id, seq, type, at, v, data) SELECT ?1, ?2, ?3, ?4, 1, ?5
       WHERE ${isAt} = ?2 - 1 AND (?6 IS NULL OR (SELECT epoch FROM runs WHERE run_id = ?1) = ?6)`,
    ),
    event: connection.prepare('INSERT INTO events (run_id, seq, type, at, v, data) VALUES (?, ?, ?, ?, 1, ?)'),
    /** The same check for an append without events. */
    touch: connection.prepare(
      `UPDATE runs SET status = status WHERE run_id = ?1 AND ${isAt} = ?2 AND (?3 IS NULL OR epoch = ?3)`,
    ),
    status: connection.prepare('UPDATE runs SET status = ? WHERE run_id = ?'),
    epoch: connection.prepare('SELECT epoch FROM runs WHERE run_id = ?'),
    approval: connection.prepare(
      `INSERT INTO approvals (${APPROVAL_COLUMNS.join(', ')}, owner)
       VALUES (${APPROVAL_COLUMNS.map(() => '?').join(', ')}, (SELECT owner FROM runs WHERE run_id = ?))`,
    ),
    decide: connection.prepare(
      `UPDATE approvals SET status = ?, decided_by = ?, decided_at = ?, instructions = ?
       WHERE run_id = ? AND approval_id = ? AND status = 'pending'`,
    ),
    value: connection.prepare('INSERT INTO run_values (run_id, hash, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    wake: connection.prepare('INSERT INTO wakes (run_id, at) VALUES (?, ?)'),
  }
}

/** Runs in one SQLite file, which several processes of one machine may share. */
export class SqliteStore implements RunStore {
  private readonly connection: SqliteConnection
  private readonly statements: ReturnType<typeof prepareAll>
  private readonly queries = queriesFor('sqlite')
  private readonly onWake: () => void
  private readonly news = new News()
  readonly feed: RunFeed

  /** @param onWake called after a commit that recorded wakes */
  constructor(connection: SqliteConnection, onWake: () => void) {
    this.connection = connection
    this.statements = prepareAll(connection)
    this.onWake = onWake
    this.feed = new SqliteFeed(connection, this.news)
  }

  async append(
    appends: readonly Append[],
    options: { readonly durable?: boolean } = {},
  ): Promise<readonly AppendOutcome[]> {
    // Before the transaction: what cannot be encoded must not hold the lock.
    const encoded = appends.map((append) => append.events.map((event) => encodeEvent(append.runId, event)))
    let woke = false
    const outcomes = this.connection.transaction(options.durable === true, () =>
      appends.map((append, index) => {
        const outcome = this.appendOne(append, encoded[index]!)
        if (outcome === 'appended') woke = this.recordWakes(append) || woke
        return outcome
      }),
    )
    if (woke) this.onWake()
    this.news.tell(appends, outcomes)
    return outcomes
  }

  private appendOne(append: Append, encoded: readonly LightEvent[]): AppendOutcome {
    const { runId, afterSeq, events, status } = append
    const starts = this.startRun(append)
    if (!starts && !this.goOn(append, encoded)) return this.whyNot(append)
    for (let index = starts ? 0 : 1; index < events.length; index++) {
      const event = events[index]!
      this.statements.event.run([runId, afterSeq + index + 1, event.type, event.at, encoded[index]!.data])
    }
    for (const { values } of encoded) {
      for (const { hash, data } of values) this.statements.value.run([runId, hash, data])
    }
    for (const event of events) {
      if (event.type === 'approval.requested' || event.type === 'approval.decided') this.project(runId, event)
    }
    if (status !== undefined && !starts) this.statements.status.run([status, runId])
    return 'appended'
  }

  private startRun(append: Append): boolean {
    const run = startOf(append)
    if (run === undefined) return false
    const row = toRunRow(run)
    return this.statements.start.run(RUN_COLUMNS.map((column) => row[column])).changes === 1
  }

  /** Writes the first event if the log is as expected; without events, only checks that. */
  private goOn({ runId, afterSeq, epoch, events }: Append, encoded: readonly LightEvent[]): boolean {
    const [first] = events
    const { next, touch } = this.statements
    if (first === undefined) return touch.run([runId, afterSeq, epoch ?? null]).changes === 1
    return next.run([runId, afterSeq + 1, first.type, first.at, encoded[0]!.data, epoch ?? null]).changes === 1
  }

  private whyNot(append: Append): AppendOutcome {
    const row = this.statements.epoch.get([append.runId]) as { epoch: number } | undefined
    return row === undefined || (append.epoch !== undefined && append.epoch !== row.epoch) ? 'lost' : 'conflict'
  }

  private project(runId: RunId, event: Extract<NewEvent, { type: 'approval.requested' | 'approval.decided' }>): void {
    if (event.type === 'approval.requested') {
      const row = toApprovalRow(approvalOf(runId, event))
      this.statements.approval.run([...APPROVAL_COLUMNS.map((column) => row[column]), runId])
      return
    }
    const { decision, by, at, approvalId, instructions } = event
    const said = instructions === undefined ? null : displayText(instructions)
    this.statements.decide.run([decision, displayText(by), Date.parse(at), said, runId, approvalId])
  }

  private recordWakes(append: Append): boolean {
    for (const wake of append.wakes ?? []) this.statements.wake.run([wake.runId, wake.at ?? 0])
    return (append.wakes?.length ?? 0) > 0
  }

  async read(runId: RunId, afterSeq = 0): Promise<readonly RunEvent[]> {
    const rows = this.connection.all<EventRow>(this.queries.events(runId, afterSeq))
    return sqliteEvents(this.connection, runId, rows).events
  }

  async run(runId: RunId): Promise<RunRecord | undefined> {
    const [row] = this.connection.all<RunRow>(this.queries.run(runId))
    return row === undefined ? undefined : toRunRecord(row)
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return this.connection.all<RunRow>(this.queries.runs(filter)).map(toRunRecord)
  }

  async approvals(filter: ApprovalFilter = {}): Promise<readonly ApprovalRecord[]> {
    return this.connection.all<ApprovalRow>(this.queries.approvals(filter)).map(toApprovalRecord)
  }

  async claim(
    runId: RunId,
    worker: string,
    leaseUntil: number,
    now: number,
    isAlive?: (worker: string) => boolean,
  ): Promise<RunRecord | undefined> {
    const { connection, queries } = this
    const [row] = connection.all<RunRow>(queries.run(runId))
    if (row === undefined) return undefined
    const seen = toRunRecord(row)
    if (isHeld(seen, now, isAlive)) return undefined
    const taken = connection.all(queries.claim(seen, worker, leaseUntil, now)).length === 1
    // Read before: what an approver has appended in between is in the log, where the new holder looks next.
    return taken ? { ...seen, epoch: seen.epoch + 1, worker, leaseUntil } : undefined
  }

  async renew(runId: RunId, epoch: number, leaseUntil: number): Promise<boolean> {
    return this.connection.all(this.queries.renew(runId, epoch, leaseUntil)).length === 1
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    this.connection.all(this.queries.release(runId, epoch))
  }

  async remove(owner: Owner, runId: RunId): Promise<number> {
    const removed = await sqliteRunner(this.connection).write(owner, () => removal('sqlite', owner, runId))
    if (removed > 0) this.connection.emptyLog()
    return removed
  }

  async close(): Promise<void> {
    this.connection.close()
  }
}
